import {afterEach, beforeEach, expect, test} from '@jest/globals'
import {parseFault} from '../../../src/lib/sandbox/parse-fault.ts'
import {startSandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import type {Sandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import {ask, forward, podPath, stream} from './sandbox-client.ts'
import {readDump} from './sandbox-json.ts'

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await startSandbox()
})

afterEach(async () => {
  await sandbox.close()
})

const cart = 'shop/cart-5d8f7c9b6-4kxvq'
const dump = '/config_dump?mask=dynamic_active_secrets,dynamic_warming_secrets'

test('a refused port refuses for forward, exec and proxy alike', async () => {
  sandbox.fault(cart, {type: 'refuse'})

  const forwarded = await forward(sandbox, cart, [[15020, '/metrics']])
  const proxied = await ask(sandbox, `${podPath(cart)}:15020/proxy/metrics`)
  const command = ['pilot-agent', 'request', 'GET', 'ready'].map((word) => `&command=${word}`).join('')
  const executed = await stream(sandbox, `${podPath(cart)}/exec?container=istio-proxy${command}`, ['v5.channel.k8s.io'])

  expect(forwarded.channels.get(1)?.toString('utf8')).toContain('connection refused')
  expect(proxied.status).toBe(503)
  expect(executed.channels.get(2)?.toString('utf8')).toBe(
    'Error: Get "http://localhost:15000/ready": dial tcp 127.0.0.1:15000: connect: connection refused\n',
  )
})

test('a fault can concern one port', async () => {
  sandbox.fault(cart, {type: 'status', status: 410, port: 15000})

  const {answer} = await forward(sandbox, cart, [
    [15000, '/ready'],
    [15020, '/healthz/ready'],
  ])

  expect([answer(0).status, answer(1).status]).toEqual([410, 200])
})

test('a cut answer ends early, its stream properly', async () => {
  sandbox.fault(cart, {type: 'cut-off', afterBytes: 700})

  const {answer, closeCode, channels} = await forward(sandbox, cart, [[15000, dump]])

  expect(answer(0).body).toHaveLength(700)
  expect(channels.get(0)?.toString('utf8').endsWith('0\r\n\r\n')).toBe(false)
  expect(closeCode).toBe(1000)
})

test('a crash takes the whole stream along', async () => {
  sandbox.fault(cart, {type: 'crash', afterBytes: 100, port: 15000})

  const {closeCode} = await forward(sandbox, cart, [[15000, dump]])

  expect(closeCode).toBe(1006)
})

test('a crash in a command leaves no status', async () => {
  sandbox.fault(cart, {type: 'crash', afterBytes: 100})
  const command = ['pilot-agent', 'request', 'GET', 'certs'].map((word) => `&command=${word}`).join('')

  const {channels} = await stream(sandbox, `${podPath(cart)}/exec?container=istio-proxy${command}`, [
    'v5.channel.k8s.io',
  ])

  expect(channels.get(1)).toHaveLength(100)
  expect(channels.has(3)).toBe(false)
})

test.each([
  [{type: 'garbage'}, 200, /\{\{%%¬$/],
  [{type: 'empty'}, 200, /^$/],
  [{type: 'html'}, 502, /^<html>/],
  [{type: 'status', status: 429}, 429, /^refused with 429\n$/],
  [{type: 'noise'}, 200, /^gc 1 @.*\n\{\n "configs"/],
] as const)('%j is answered', async (fault, status, body) => {
  sandbox.fault(cart, fault)

  const {answer} = await forward(sandbox, cart, [[15000, dump]])

  expect(answer(0).status).toBe(status)
  expect(answer(0).body).toMatch(body)
})

test('a skewed clock shows in the Date header, and in what is counted from it', async () => {
  const timeLeft = async (): Promise<{readonly seconds: number; readonly minutes: number}> => {
    const {answer} = await forward(sandbox, cart, [[15020, '/metrics']])
    const date = /^date: (.*)$/m.exec(answer(0).head)?.[1]?.trim() ?? ''
    const seconds = Number(/cert_expiry_seconds\{[^}]*\} (\S+)/.exec(answer(0).body)?.[1])
    return {seconds, minutes: Math.round((Date.parse(date) - Date.now()) / 60_000)}
  }
  const right = await timeLeft()
  sandbox.fault(cart, {type: 'clock-skew', skewMs: -3_600_000})

  const skewed = await timeLeft()

  expect(right.minutes).toBeCloseTo(0)
  expect(skewed.minutes).toBe(-60)
  expect(Math.round((skewed.seconds - right.seconds) / 60)).toBe(60)
})

test('a dump of megabytes is sent whole', async () => {
  sandbox.fault(cart, {type: 'big-dump', bytes: 5_000_000})

  const {answer} = await forward(sandbox, cart, [[15000, dump]])

  expect(answer(0).body.length).toBeGreaterThan(5_000_000)
  expect(readDump(answer(0).body).configs).toHaveLength(1)
})

test('a slow answer comes', async () => {
  sandbox.fault(cart, {type: 'slow', delayMs: 5})

  const {answer} = await forward(sandbox, cart, [[15000, '/ready']])

  expect(answer(0).body).toBe('LIVE\n')
})

test('a fault can be switched off', async () => {
  sandbox.fault(cart, {type: 'html'})
  sandbox.fault(cart, undefined)

  const {answer} = await forward(sandbox, cart, [[15000, '/ready']])

  expect(answer(0).status).toBe(200)
})

test('a fault of a pod that does not exist is a mistake', () => {
  expect(() => sandbox.fault('shop/nope', {type: 'hang'})).toThrow('The sandbox has no pod shop/nope')
})

test.each([
  ['shop/cart-1=hang', {pod: 'shop/cart-1', fault: {type: 'hang'}}],
  ['shop/cart-1=cut-off:1000', {pod: 'shop/cart-1', fault: {type: 'cut-off', afterBytes: 1000}}],
  ['shop/cart-1=clock-skew:-90000', {pod: 'shop/cart-1', fault: {type: 'clock-skew', skewMs: -90_000}}],
])('%s is read', (text, expected) => {
  expect(parseFault(text)).toEqual(expected)
})

test.each([
  'shop/cart-1',
  'cart-1=hang',
  'shop/cart-1=explode',
  'shop/cart-1=hang:3',
  'shop/cart-1=slow',
  'shop/a=constructor',
])('%s is a usage error', (text) => {
  expect(() => parseFault(text)).toThrow(expect.objectContaining({exit: 2, code: 'bad-flag'}))
})
