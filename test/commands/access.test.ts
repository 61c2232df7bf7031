import {createServer} from 'node:net'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals'
import type {SandboxUserName} from '../../src/lib/sandbox/api/users.ts'
import {newSwitches} from '../../src/lib/sandbox/api/switches.ts'
import {documentOf, type OpenSandbox, openSandbox} from '../support/open-sandbox.ts'
import {UNPRINTABLE} from '../support/unprintable.ts'

const CART = 'cart-5d8f7c9b6-4kxvq'
const COMMANDS = [
  'secrets diff -n shop --settle 0',
  'secrets list -n shop',
  'agents list -n shop',
  `debug get ${CART} /stats -n shop`,
]
let demo: OpenSandbox

beforeAll(async () => {
  demo = await openSandbox()
})

afterEach(() => void Object.assign(demo.sandbox.switches, newSwitches(300_000, 0)))

afterAll(async () => await demo.close())

describe('no answer at all: one error with a next step, nothing on stdout, and 4', () => {
  test.each(COMMANDS)('%s in a context that there is not', async (line) => {
    const {stdout, stderr, exitCode} = await demo.run(`${line} --context nope`)

    expect(stdout).toBe('')
    expect(stderr).toBe('Error: Context nope does not exist in the kubeconfig\nHint: Known contexts: sandbox\n')
    expect(exitCode).toBe(4)
  })

  test.each(COMMANDS)('%s where nothing listens', async (line) => {
    const kubeconfig = demo.sandbox.kubeconfig().replace(demo.sandbox.url, 'https://127.0.0.1:1')

    const {stdout, stderr, exitCode} = await demo.run(line, {kubeconfig})

    expect(stdout).toBe('')
    expect(stderr).toBe(
      'Error: Cannot reach https://127.0.0.1:1: connection refused\nHint: Check that the server runs, and its port\n',
    )
    expect(exitCode).toBe(4)
  })

  test.each(COMMANDS)('%s where a server takes connections and says nothing', async (line) => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const kubeconfig = demo.sandbox.kubeconfig().replace(demo.sandbox.url, `https://127.0.0.1:${String(port)}`)

    const {stdout, stderr, exitCode} = await demo.run(`${line} --request-timeout 200ms`, {kubeconfig})

    silent.close()
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^Error: Cannot reach .+: no answer came in time\nHint: .+--request-timeout 60s\n$/)
    expect(exitCode).toBe(4)
  })

  test.each(COMMANDS)('%s after the login has expired', async (line) => {
    demo.sandbox.switches.rejectNext = 100

    const {stdout, stderr, exitCode} = await demo.run(line)

    expect(stdout).toBe('')
    expect(stderr).toMatch(/^Error: Cannot log in to .+ has expired or is not accepted \(401\)\nHint: Log in again/)
    expect(exitCode).toBe(4)
  })

  test.each(COMMANDS)('%s as somebody who may not list', async (line) => {
    const {stdout, stderr, exitCode} = await demo.run(line, {user: 'nobody'})

    expect(stdout).toBe('')
    expect(stderr).toMatch(
      /^Error: Cannot list pods in shop: forbidden for user nobody\nHint: .+can-i list pods -n shop\n$/,
    )
    expect(exitCode).toBe(4)
  })

  test('with rights in one namespace only, the whole cluster is refused, and one namespace is advised', async () => {
    const {stderr, exitCode} = await demo.run('secrets diff -A', {user: 'shopkeeper', namespace: 'shop'})

    expect(stderr).toMatch(/^Error: Cannot list pods in the whole cluster: .+\nHint: .+-n shop/)
    expect(exitCode).toBe(4)
  })
})

test('a login that a plugin renews is renewed once, and nobody notices', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentctl-plugin-'))
  const calls = join(folder, 'calls')
  const status = {token: demo.sandbox.tokens.admin}
  const credential = JSON.stringify({apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status})
  const script = `require('node:fs').appendFileSync(${JSON.stringify(calls)}, 'x');console.log(${JSON.stringify(credential)})`
  writeFileSync(join(folder, 'login.cjs'), script)
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: [join(folder, 'login.cjs')],
    interactiveMode: 'Never',
  }
  const kubeconfig = demo.sandbox.kubeconfig().replace(/token: .+/, `exec: ${JSON.stringify(exec)}`)
  demo.sandbox.switches.rejectNext = 1

  const {stderr, exitCode} = await demo.run(`secrets list -n shop pod/${CART}`, {kubeconfig})

  const {readFileSync} = await import('node:fs')
  const count = readFileSync(calls, 'utf8').length
  rmSync(folder, {recursive: true})
  expect(stderr).toBe('1 pod: 1 read\n')
  expect(exitCode).toBe(0)
  expect(count).toBe(2)
})

describe('rights that are short', () => {
  test.each<[SandboxUserName, string, number]>([
    ['reader', 'MATCH', 0],
    ['viewer', '', 4],
    ['getter', '', 4],
    ['creator', '', 4],
    ['execer', 'MATCH', 0],
    ['proxier', 'NOT_COMPARABLE', 3],
    ['shopkeeper', 'MATCH', 0],
    ['partial', 'MATCH', 3],
  ])('as %s one sidecar is %s, and the run ends with %d', async (user, result, exit) => {
    const ran = await demo.run(`secrets diff -n shop pod/${CART} --settle 0 -o json`, {user})

    const [item] = documentOf(ran).items
    expect(item?.secrets?.find((row) => row.resource_name === 'default')?.result ?? '').toBe(result)
    expect(ran.exitCode).toBe(exit)
    for (const {message, hint} of item?.failures ?? []) {
      expect(message).toMatch(/forbidden/)
      expect(hint).toMatch(/kubectl auth can-i/)
    }
    expect(item?.failures ?? []).toHaveLength(exit === 0 ? 0 : result === '' ? 2 : 1)
  })

  test.each<[SandboxUserName, readonly string[]]>([
    ['viewer', ['pods/portforward', 'pods/exec']],
    ['getter', ['pods/portforward', 'pods/exec']],
    ['creator', ['pods/portforward', 'pods/exec']],
  ])('as %s the right is named with both its verbs', async (user, resources) => {
    const ran = await demo.run(`secrets list -n shop pod/${CART}`, {user})

    for (const resource of resources) expect(ran.stderr).toContain(`needs get and create on ${resource}`)
    expect(ran.stderr).toContain('kubectl auth can-i create pods/portforward -n shop')
  })

  test('another way is tried and said so, once a namespace', async () => {
    const {stderr} = await demo.run('secrets list -n shop,bank --quiet', {user: 'execer'})

    const tried = stderr.split('\n').filter((line) => line.includes('another way is tried'))
    expect(tried.filter((line) => line.includes('forward ports of pods in shop'))).toHaveLength(1)
    expect(tried.filter((line) => line.includes('forward ports of pods in bank'))).toHaveLength(1)
  })

  test('a namespace that may not be listed is told after the others', async () => {
    const ran = await demo.run('agents list -n bank,shop -o json', {user: 'shopkeeper'})

    const {items, stopped} = documentOf(ran)
    expect(new Set(items.map(({namespace}) => namespace))).toEqual(new Set(['shop']))
    expect(stopped).toMatchObject({
      code: 'forbidden',
      message: 'Cannot list pods in bank: forbidden for user shopkeeper',
    })
    expect(ran.exitCode).toBe(3)
  })

  test('debug get goes the way that is allowed', async () => {
    const codes: number[] = []
    for (const user of ['reader', 'execer', 'viewer', 'proxier'] as const) {
      codes.push((await demo.run(`debug get ${CART} /server_info -n shop`, {user})).exitCode)
    }
    const byProxy = await demo.run(`debug get ${CART} 15020/stats/prometheus -n shop`, {user: 'proxier'})

    expect(codes).toEqual([0, 0, 4, 4])
    expect(byProxy.stdout).toContain('istio_agent_cert_expiry_seconds')
    expect(byProxy.exitCode).toBe(0)
  })

  test('files are read by exec where certificates are mounted, and need that right', async () => {
    const may = await demo.run('secrets diff -n shop deploy/search --settle 0 -o json', {user: 'execer'})
    const mayNot = await demo.run('secrets diff -n shop deploy/search --settle 0 -o json', {user: 'reader'})

    expect(documentOf(may).items[0]?.secrets?.map(({compared_by: by}) => by)).toContain('fingerprint')
    expect(may.exitCode).toBe(0)
    expect(documentOf(mayNot).items[0]?.failures).toMatchObject([{source: 'agent-files', code: 'forbidden'}])
    expect(mayNot.exitCode).toBe(3)
  })
})

describe('a server in trouble', () => {
  test('it is waited for where it says how long', async () => {
    Object.assign(demo.sandbox.switches, {throttleNext: 2, retryAfterSeconds: 0})

    const {exitCode} = await demo.run('agents list -A -o name')

    expect(exitCode).toBe(0)
  })

  test('but not for ever', async () => {
    Object.assign(demo.sandbox.switches, {throttleNext: 1000, retryAfterSeconds: 0})

    const {stdout, stderr, exitCode} = await demo.run('agents list -A -o name')

    expect(stdout).toBe('')
    expect(stderr).toMatch(/^Error: .+too many requests.*\nHint: .+\n$/)
    expect(exitCode).toBe(4)
  })

  test('its warnings are told once for each text, and control characters in them are not passed on', async () => {
    demo.sandbox.switches.warnings = ['v1 Foo is deprecated', 'red \u009b31m']

    const {stderr} = await demo.run(`secrets list -n shop pod/${CART} --quiet`)

    expect(stderr.split('\n').filter((line) => line === 'Warning: v1 Foo is deprecated')).toHaveLength(1)
    expect(stderr).not.toMatch(UNPRINTABLE)
  })

  test('a list that is cut off is an error', async () => {
    demo.sandbox.switches.cutNext = 1

    const {stdout, stderr, exitCode} = await demo.run('agents list -A')

    expect(stdout).toBe('')
    expect(stderr).toMatch(/^Error: Cannot read the answer to GET \/api\/v1\/pods: it was cut off\nHint: .+\n$/)
    expect(exitCode).toBe(4)
  })
})
