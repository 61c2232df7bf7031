import {afterAll, afterEach, beforeAll, expect, test} from '@jest/globals'
import {type OpenSandbox, openSandbox} from '../../support/open-sandbox.ts'

const CART = 'cart-5d8f7c9b6-4kxvq'
let demo: OpenSandbox

beforeAll(async () => {
  demo = await openSandbox()
})

afterEach(() => demo.sandbox.fault(`shop/${CART}`, undefined))

afterAll(async () => await demo.close())

function podRequests(): number {
  return [...demo.sandbox.counters.podRequests.values()].reduce((sum, count) => sum + count, 0)
}

test('the answer comes whole and raw, with nothing beside it', async () => {
  const {stdout, stderr, exitCode} = await demo.run(
    `debug get ${CART} /config_dump?mask=dynamic_active_secrets -n shop`,
  )

  const dump = JSON.parse(stdout) as {configs: readonly {dynamic_active_secrets: readonly {name: string}[]}[]}
  expect(dump.configs[0]?.dynamic_active_secrets.map(({name}) => name)).toEqual(['default', 'ROOTCA'])
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
})

test.each(['auto', 'port-forward', 'exec'])('by %s it is the same', async (via) => {
  const {stdout, exitCode} = await demo.run(`debug get ${CART} 15000/server_info -n shop --via ${via}`)

  expect(JSON.parse(stdout)).toMatchObject({state: 'LIVE'})
  expect(exitCode).toBe(0)
})

test("the agent's own port is asked, and of an owner the first pod", async () => {
  const {stdout, exitCode} = await demo.run('debug get deploy/cart 15020/stats/prometheus -n shop')

  expect(stdout).toContain('istio_agent_cert_expiry_seconds{')
  expect(exitCode).toBe(0)
})

test('no private key comes through', async () => {
  const {stdout} = await demo.run(`debug get ${CART} /config_dump -n shop`)

  expect(stdout.length).toBeGreaterThan(1000)
  expect(stdout).not.toContain('PRIVATE KEY')
})

test.each([
  '15000/quitquitquit',
  '/quitquitquit',
  '15020/quitquitquit',
  '/QuitQuitQuit',
  '/logging?level=debug',
  '/drain_listeners',
  '/healthcheck/fail',
  '/cpuprofiler?enable=y',
  '/runtime_modify?a=b',
  '/reset_counters',
  '/stats/../quitquitquit',
  '/./quitquitquit',
  '//quitquitquit',
  '/%71uitquitquit',
  '/stats%2f..%2fquitquitquit',
  '/stats#/quitquitquit',
  '/stats?filter=a&reset=1',
  '/config_dump?mask=a&%6dask=b',
  '/nope',
  '15000',
  'stats',
  'http://127.0.0.1:15000/stats',
  '99/metrics',
  '15012/debug/endpointz',
  '70000/stats',
  '15020/app-health/cart/livez',
  '15020/debug/pprof/heap',
])('%s is refused with 2 before anything in the pod is asked', async (path) => {
  const before = podRequests()

  const {stdout, stderr, exitCode} = await demo.run(`debug get ${CART} ${path} -n shop`)

  expect(stdout).toBe('')
  expect(stderr).toMatch(/^Error: Cannot ask for /)
  expect(exitCode).toBe(2)
  expect(podRequests()).toBe(before)
  expect(demo.sandbox.counters.mutations).toEqual([])
})

test('a wrong path lists those that are allowed', async () => {
  const {stderr} = await demo.run(`debug get ${CART} /statz -n shop`)

  expect(stderr).toBe(`\
Error: Cannot ask for /statz: it is none of the paths for istio-sidecar
Hint: Allowed: /certs, /clusters, /config_dump, /help, /hot_restart_version, /init_dump, /listeners, /memory, /ready, /runtime, /server_info, /stats, /stats/prometheus
`)
})

test.each([
  ['nothing listens', {type: 'refuse'} as const, 'connection refused'],
  ['it answers 503', {type: 'status', status: 503} as const, 'HTTP 503: refused with 503'],
  ['it answers 404', {type: 'status', status: 404} as const, 'HTTP 404'],
  ['it hangs', {type: 'hang'} as const, 'before the deadline'],
  ['the pod has gone', {type: 'pod-gone'} as const, 'the pod is gone'],
])('%s: one error with a hint, and 4', async (_name, fault, text) => {
  demo.sandbox.fault(`shop/${CART}`, fault)

  const {stdout, stderr, exitCode} = await demo.run(`debug get ${CART} /stats -n shop --deadline 300ms`)

  expect(stdout).toBe('')
  expect(stderr).toMatch(/^Error: .+\nHint: .+\n$/)
  expect(stderr).toContain(text)
  expect(exitCode).toBe(4)
})

test('an answer that is cut off is given as far as it came, and the run ends with 4', async () => {
  demo.sandbox.fault(`shop/${CART}`, {type: 'cut-off', afterBytes: 300})

  const {stdout, stderr, exitCode} = await demo.run(`debug get ${CART} /config_dump -n shop`)

  expect(stdout.length).toBeGreaterThan(0)
  expect(stdout.length).toBeLessThanOrEqual(300)
  expect(stderr).toMatch(/^Error: .+cut off after 300 bytes\nHint: .+\n$/)
  expect(exitCode).toBe(4)
})

test.each([
  ['static-site', 'no such pod'],
  ['deploy/static-site', 'a pod without an agent'],
  ['reports-0', 'a pod that does not run'],
  ['job/migrate-29431', 'a pod that has ended'],
])('%s is %s: one error, and 4', async (target) => {
  const {stdout, stderr, exitCode} = await demo.run(`debug get ${target} /stats -n shop`)

  expect(stdout).toBe('')
  expect(stderr).toMatch(/^Error: .+\n/)
  expect(exitCode).toBe(4)
})
