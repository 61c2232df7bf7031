import {afterEach, beforeEach, expect, test} from '@jest/globals'
import {startSandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import type {Sandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import {ask, forward, forwardProtocol, podPath, stream} from './sandbox-client.ts'
import {readJson, readStatus} from './sandbox-json.ts'

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await startSandbox()
})

afterEach(async () => {
  await sandbox.close()
})

const textOf = (channels: ReadonlyMap<number, Buffer>, channel: number): string =>
  channels.get(channel)?.toString('utf8') ?? ''
const cart = 'shop/cart-5d8f7c9b6-4kxvq'
const fraud = 'bank/fraud-5c6d8f4b9-wn6sd'
const execProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io']
const execPath = (pod: string, container: string, ...command: string[]): string =>
  `${podPath(pod)}/exec?stdout=true&stderr=true&container=${container}${command.map((word) => `&command=${encodeURIComponent(word)}`).join('')}`

test('one stream carries two ports, each channel begins with its port', async () => {
  const {answer, channels, closeCode} = await forward(sandbox, cart, [
    [15000, '/ready'],
    [15020, '/healthz/ready'],
  ])

  expect([0, 1, 2, 3].map((channel) => channels.get(channel)?.readUInt16LE(0))).toEqual([15000, 15000, 15020, 15020])
  expect(answer(0)).toMatchObject({status: 200, body: 'LIVE\n'})
  expect(answer(1)).toMatchObject({status: 200, body: ''})
  expect(closeCode).toBe(1000)
})

test('ports may come as one list with commas', async () => {
  const {channels} = await stream(sandbox, `${podPath(cart)}/portforward?ports=15099,15098`, forwardProtocol)

  expect(channels.get(3)?.readUInt16LE(0)).toBe(15098)
})

test('a closed port says so on its error channel and leaves the other whole', async () => {
  const {answer, channels} = await forward(sandbox, cart, [
    [15099, '/'],
    [15000, '/ready'],
  ])

  const text = channels.get(1)?.subarray(2).toString('utf8')
  expect(text).toMatch(/^error forwarding port 15099 to pod [0-9a-f]{64}, uid : .*connect: connection refused/)
  expect(answer(1).status).toBe(200)
})

const get = (path: string, connection: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: ${connection}\r\n\r\n`

test('several requests go over one forwarded connection', async () => {
  const {channels} = await stream(sandbox, `${podPath(cart)}/portforward?ports=15000`, forwardProtocol, [
    [0, get('/ready', 'keep-alive')],
    [0, get('/nowhere', 'close')],
  ])

  const text = channels.get(0)?.toString('utf8') ?? ''
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404'])
})

test.each([
  ['', 400, 'query parameter "port" is required'],
  ['?ports=0', 400, 'port "0" must be > 0'],
])('a forward with %j is refused as a kubelet refuses it', async (query, status, text) => {
  const {refused} = await stream(sandbox, `${podPath(cart)}/portforward${query}`, forwardProtocol)

  expect(refused).toMatchObject({status, text})
})

test.each([
  ['x', 'invalid syntax'],
  ['15000,x', 'invalid syntax'],
  ['70000', 'value out of range'],
])('a forward of port %s is refused by the API server itself', async (ports, why) => {
  const {refused} = await stream(sandbox, `${podPath(cart)}/portforward?ports=${ports}`, forwardProtocol)

  const text = ports.split(',').at(-1)
  expect(refused?.status).toBe(400)
  expect(readStatus(refused?.text ?? '').message).toBe(
    `cannot convert to []int32: strconv.ParseUint: parsing "${text}": ${why}`,
  )
})

test.each([['v5.channel.k8s.io'], ['v9.unheard.of']])('a forward over %s gets an empty 403', async (protocol) => {
  const {refused} = await stream(sandbox, `${podPath(cart)}/portforward?ports=15000`, [protocol])

  expect(refused).toMatchObject({status: 403, text: ''})
})

test.each([
  ['shop/reports-0', 400, 'pod reports-0 does not have a host assigned'],
  ['shop/nope', 404, 'pods "nope" not found'],
  ['shop/migrate-29431-x7f2p', 500, 'pod not found ("migrate-29431-x7f2p_shop")'],
  [fraud, 500, 'error dialing backend: dial tcp 172.18.0.4:10250: i/o timeout'],
])('a forward to %s is refused', async (pod, status, text) => {
  const {refused} = await stream(sandbox, `${podPath(pod)}/portforward?ports=15000`, forwardProtocol)

  expect(refused?.status).toBe(status)
  expect(refused?.text).toContain(text.startsWith('pod not') ? text : JSON.stringify(text).slice(1, -1))
})

test('a pod that is deleted behind the list is gone for streams', async () => {
  sandbox.fault(cart, {type: 'pod-gone'})

  const {refused} = await stream(sandbox, `${podPath(cart)}/portforward?ports=15000`, forwardProtocol)

  expect(refused?.status).toBe(404)
  expect((await ask(sandbox, podPath(cart))).status).toBe(200)
})

test('a node without socat says so on the error channel', async () => {
  sandbox.fault(cart, {type: 'no-socat'})

  const {channels} = await forward(sandbox, cart, [[15000, '/ready']])

  expect(channels.get(1)?.toString('utf8')).toContain('unable to do port forwarding: socat not found')
})

test('warnings and throttling concern upgrades too', async () => {
  sandbox.switches.throttleNext = 1
  sandbox.switches.warnings = ['slow down']

  const {refused} = await stream(sandbox, `${podPath(cart)}/portforward?ports=15000`, forwardProtocol)

  expect(refused?.status).toBe(429)
  expect(refused?.headers).toMatchObject({'retry-after': '1', warning: '299 - "slow down"'})
})

test.each(execProtocols)('exec over %s gives output and success', async (protocol) => {
  const path = execPath(cart, 'istio-proxy', 'pilot-agent', 'request', 'GET', 'ready')
  const {channels, closeCode, ...upgrade} = await stream(sandbox, path, [protocol])

  expect(upgrade.protocol).toBe(protocol)
  expect(channels.get(1)?.toString('utf8')).toBe('LIVE\n\n')
  expect(readJson(textOf(channels, 3))).toEqual({metadata: {}, status: 'Success'})
  expect(closeCode).toBe(1000)
})

test('the better of two protocols is taken', async () => {
  const path = execPath(cart, 'istio-proxy', 'pilot-agent', 'request', 'GET', 'ready')
  const {protocol} = await stream(sandbox, path, execProtocols.toReversed())

  expect(protocol).toBe('v5.channel.k8s.io')
})

test('a command that fails tells its exit code', async () => {
  const {channels} = await stream(
    sandbox,
    execPath('shop/search-84c7d6f59-h5n7c', 'istio-proxy', 'cat', '/nope'),
    execProtocols,
  )

  expect(channels.get(2)?.toString('utf8')).toBe('cat: /nope: No such file or directory\n')
  expect(readStatus(textOf(channels, 3))).toMatchObject({
    status: 'Failure',
    reason: 'NonZeroExitCode',
    details: {causes: [{reason: 'ExitCode', message: '1'}]},
  })
})

test.each([
  ['curl', 'exec: "curl": executable file not found in $PATH'],
  ['/bin/sh', 'exec: "/bin/sh": stat /bin/sh: no such file or directory'],
])('a distroless image has no %s', async (program, text) => {
  const {channels} = await stream(sandbox, execPath(cart, 'istio-proxy', program), execProtocols)

  const status = readStatus(textOf(channels, 3))
  expect(status.reason).toBe('InternalError')
  expect(status.message).toContain(text)
})

test('an admin answer of 404 is printed with success, one of 500 is an error', async () => {
  sandbox.fault(cart, {type: 'status', status: 500, port: 15020})
  const run = async (...command: string[]) =>
    (await stream(sandbox, execPath(cart, 'istio-proxy', 'pilot-agent', 'request', ...command), execProtocols)).channels

  const absent = await run('GET', 'nowhere')
  const broken = await run('--debug-port', '15020', 'GET', 'metrics')

  expect(absent.get(1)?.toString('utf8')).toMatch(/^invalid path. admin commands are:/)
  expect(readStatus(textOf(absent, 3)).status).toBe('Success')
  const why = 'received unsuccessful status code 500: refused with 500\n'
  expect(broken.get(2)?.toString('utf8')).toBe(`Error: ${why}\n`)
  expect(broken.get(1)?.toString('utf8')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z\terror\t/)
  expect(broken.get(1)?.toString('utf8')).toContain(`\t${why}\n`)
  expect(readStatus(textOf(broken, 3)).status).toBe('Failure')
})

test.each([
  ['zzz', 400, 'container zzz is not valid for pod cart-5d8f7c9b6-4kxvq'],
  [
    '',
    400,
    'a container name must be specified for pod cart-5d8f7c9b6-4kxvq, choose one of: [app istio-proxy istio-init]',
  ],
  ['istio-init', 500, 'container not found ("istio-init")'],
])('exec into container %j is refused', async (container, status, text) => {
  const {refused} = await stream(sandbox, execPath(cart, container, 'ls'), execProtocols)

  expect(refused?.status).toBe(status)
  expect(refused?.text).toContain(text)
})

test('the proxy to pods reaches what listens on all interfaces, and not what is on loopback', async () => {
  const metrics = await ask(sandbox, `${podPath(cart)}:15020/proxy/stats/prometheus`)
  const admin = await ask(sandbox, `${podPath(cart)}:15000/proxy/config_dump`)

  expect(metrics.text).toMatch(/^istio_agent_cert_expiry_seconds\{resource_name="default"\} \d+/m)
  expect(metrics.headers.date).toBeDefined()
  expect(admin.status).toBe(503)
  expect(admin.failure()).toMatchObject({
    reason: 'ServiceUnavailable',
    message: 'error trying to reach service: dial tcp 10.244.1.11:15000: connect: connection refused',
  })
})

test('streams are counted, and the most at once', async () => {
  await Promise.all([forward(sandbox, cart, [[15000, '/ready']]), forward(sandbox, cart, [[15000, '/ready']])])

  expect(sandbox.counters).toMatchObject({streams: 2, openStreams: 0, mostOpenStreams: 2, mutations: []})
  expect(sandbox.counters.podRequests.get('15000 /ready')).toBe(2)
})

test('closing ends open streams', async () => {
  sandbox.fault(cart, {type: 'hang'})
  const open = forward(sandbox, cart, [[15000, '/ready']])
  while (sandbox.counters.podRequests.size === 0) await new Promise((resolve) => setImmediate(resolve))

  await sandbox.close()
  const {closeCode} = await open

  expect(closeCode).toBe(1006)
})
