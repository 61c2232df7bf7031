import {execFile} from 'node:child_process'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from '@jest/globals'
import type {SandboxUserName} from '../../../src/lib/sandbox/api/users.ts'
import {startSandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import type {Sandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import {readObjects} from './sandbox-json.ts'
import {unpackKubectl} from '../../support/unpack-kubectl.ts'

let sandbox: Sandbox
let kubectlPath: string
let directory: string

beforeAll(async () => {
  kubectlPath = await unpackKubectl()
  sandbox = await startSandbox()
  directory = await mkdtemp(join(tmpdir(), 'sandbox-kubectl-'))
}, 60_000)

afterAll(async () => {
  await sandbox.close()
  await rm(directory, {recursive: true, force: true})
})

interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A real kubectl against the sandbox, with an empty home and no cache of another run. */
async function kubectl(
  args: readonly string[],
  user: SandboxUserName | 'client-certificate' = 'admin',
  stdin?: string,
): Promise<Outcome> {
  const config = join(directory, user)
  await writeFile(config, sandbox.kubeconfig(user), {mode: 0o600})
  const env = {PATH: process.env['PATH'] ?? '', HOME: directory, KUBECONFIG: config}
  return await new Promise<Outcome>((resolve, reject) => {
    const child = execFile(kubectlPath, args, {env, maxBuffer: 64 * 1024 * 1024}, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') reject(error)
      else resolve({code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr})
    })
    child.stdin?.end(stdin)
  })
}

const cart = 'cart-5d8f7c9b6-4kxvq'

test('kubectl prints pods of all namespaces', async () => {
  const {code, stdout} = await kubectl(['get', 'pods', '-A'])

  const lines = stdout.trimEnd().split('\n')
  expect(code).toBe(0)
  expect(lines).toHaveLength(16)
  expect(lines[0]).toMatch(/^NAMESPACE\s+NAME\s+READY\s+STATUS\s+RESTARTS\s+AGE$/)
  expect(stdout).toMatch(/^shop\s+cart-5d8f7c9b6-4kxvq\s+2\/2\s+Running\s+0\s+3h$/m)
  expect(stdout).toMatch(/^shop\s+catalog-7b6d4f8c5-lm2xp\s+2\/2\s+Running\s/m)
  expect(stdout).toMatch(/^shop\s+migrate-29431-x7f2p\s+0\/2\s+Completed\s/m)
  expect(stdout).toMatch(/^shop\s+reports-0\s+0\/2\s+Pending\s/m)
})

test('kubectl pages through a list', async () => {
  const before = sandbox.counters.requests.get('list pods') ?? 0

  const {stdout} = await kubectl(['get', 'pods', '-A', '--chunk-size=4', '-o', 'name'])

  expect(stdout.trimEnd().split('\n')).toHaveLength(15)
  expect((sandbox.counters.requests.get('list pods') ?? 0) - before).toBe(4)
})

test('kubectl prints addresses and nodes when asked for more', async () => {
  const {stdout} = await kubectl(['get', 'pods', '-n', 'shop', '-o', 'wide'])

  expect(stdout).toMatch(/^cart-5d8f7c9b6-4kxvq\s.*10\.244\.1\.11\s+node-a\s/m)
})

test('kubectl reads objects as JSON, by selector', async () => {
  const {stdout} = await kubectl(['get', 'pods', '-n', 'shop', '-l', 'app=cart', '-o', 'json'])

  expect(readObjects(stdout).map(({kind, metadata}) => [kind, metadata.name])).toEqual([
    ['Pod', 'cart-5d8f7c9b6-4kxvq'],
    ['Pod', 'cart-5d8f7c9b6-9zt2w'],
  ])
})

test('kubectl knows short names of owners', async () => {
  const {stdout} = await kubectl(['get', 'deploy,rs,sts,ds,jobs,svc,cm,sa', '-A', '-o', 'name'])

  for (const name of [
    'deployment.apps/cart',
    'replicaset.apps/cart-5d8f7c9b6',
    'statefulset.apps/reports',
    'daemonset.apps/ztunnel',
    'job.batch/migrate-29431',
    'service/cart',
    'configmap/istio-ca-root-cert',
    'serviceaccount/cart',
  ]) {
    expect(stdout).toContain(`${name}\n`)
  }
})

test('kubectl runs a command, and takes over its exit code', async () => {
  const well = await kubectl([
    'exec',
    '-n',
    'shop',
    cart,
    '-c',
    'istio-proxy',
    '--',
    'pilot-agent',
    'request',
    'GET',
    'ready',
  ])
  const ill = await kubectl(['exec', '-n', 'shop', 'search-84c7d6f59-h5n7c', '-c', 'istio-proxy', '--', 'cat', '/nope'])

  expect(well).toMatchObject({code: 0, stdout: 'LIVE\n\n'})
  expect(ill).toMatchObject({
    code: 1,
    stderr: 'cat: /nope: No such file or directory\ncommand terminated with exit code 1\n',
  })
})

test('kubectl runs a command with stdin, which nobody reads', async () => {
  const args = ['exec', '-i', '-n', 'shop', cart, '-c', 'istio-proxy', '--', 'pilot-agent', 'request', 'GET', 'ready']

  expect(await kubectl(args, 'admin', 'something\n')).toMatchObject({code: 0, stdout: 'LIVE\n\n'})
})

test('kubectl says that an image lacks a program', async () => {
  const {code, stderr} = await kubectl(['exec', '-n', 'shop', cart, '-c', 'istio-proxy', '--', 'curl', 'localhost'])

  expect(code).toBe(1)
  expect(stderr).toContain('exec: "curl": executable file not found in $PATH')
})

test.each([
  ['admin', 'create', 'pods/portforward', 'yes\n', 0],
  ['viewer', 'get', 'pods', 'yes\n', 0],
  ['viewer', 'create', 'pods/portforward', 'no\n', 1],
] as const)('kubectl asks whether %s can %s %s', async (user, verb, resource, answer, code) => {
  const outcome = await kubectl(['auth', 'can-i', verb, resource, '-n', 'shop'], user)

  expect(outcome).toMatchObject({stdout: answer, code})
})

test('kubectl lists what a user can do', async () => {
  const {stdout} = await kubectl(['auth', 'can-i', '--list', '-n', 'bank'], 'partial')

  expect(stdout).toMatch(/^pods\s+\[\]\s+\[\]\s+\[get list\]$/m)
  expect(stdout).not.toContain('portforward')
})

test('kubectl shows the refusals of the API', async () => {
  const gone = await kubectl(['get', 'pod', 'nope', '-n', 'shop'])
  const forbidden = await kubectl(['get', 'pods', '-A'], 'shopkeeper')
  const unscheduled = await kubectl(['exec', '-n', 'shop', 'reports-0', '-c', 'app', '--', 'ls'])

  expect(gone.stderr).toBe('Error from server (NotFound): pods "nope" not found\n')
  expect(forbidden.stderr).toContain('pods is forbidden: User "shopkeeper" cannot list resource "pods"')
  expect(unscheduled.stderr).toContain('pod reports-0 does not have a host assigned')
})

test('kubectl logs in by client certificate, and acts for others', async () => {
  const own = await kubectl(['get', 'nodes', '-o', 'name'], 'client-certificate')
  const other = await kubectl(['get', 'nodes', '--as', 'nobody'], 'client-certificate')

  expect(own.stdout).toBe('node/node-a\nnode/node-b\nnode/node-c\n')
  expect(other.stderr).toContain('User "nobody" cannot list resource "nodes"')
})

test('kubectl reaches a pod through the proxy of the API', async () => {
  const {stdout} = await kubectl(['get', '--raw', `/api/v1/namespaces/shop/pods/${cart}:15020/proxy/metrics`])

  expect(stdout).toContain('istio_agent_cert_expiry_seconds{resource_name="default"}')
})

test('kubectl shows a warning of the server', async () => {
  sandbox.switches.warnings = ['pods are out of fashion']

  const {stderr} = await kubectl(['get', 'pods', '-n', 'shop'])
  sandbox.switches.warnings = []

  expect(stderr).toBe('Warning: pods are out of fashion\n')
})

test('kubectl understands that a token has expired', async () => {
  sandbox.switches.expireNext = 1

  const {stderr, code} = await kubectl(['get', 'pods', '-A', '--chunk-size=5', '-o', 'name'])

  expect(code).toBe(1)
  expect(stderr).toMatch(/^Error from server \(Expired\): The provided continue parameter is too old/)
})

test('kubectl cannot forward, for want of SPDY, and is told so', async () => {
  const {stderr} = await kubectl(['port-forward', '-n', 'shop', `pod/${cart}`, ':15000'])

  expect(stderr).toContain('the sandbox speaks WebSocket alone, not SPDY')
})
