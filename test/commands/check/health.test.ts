import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {resourceTypes} from '../../../src/lib/sandbox/api/resource-types.ts'
import {documentOf, type OpenSandbox, openSandbox} from '../../support/open-sandbox.ts'

interface Finding {
  readonly rule: string
  readonly severity: string
  readonly message: string
  readonly values?: Readonly<Record<string, string | number>>
}

interface Item {
  readonly pod: string
  readonly verdict: string
  readonly rules: readonly {readonly rule: string; readonly result: string; readonly cause?: string}[]
  readonly findings?: readonly Finding[]
}

const RULES = ['agent-not-ready', 'proxy-not-ready', 'csr-failing', 'agent-config-invalid', 'agent-broad-rbac']

let ill: OpenSandbox

beforeAll(async () => {
  ill = await openSandbox({scenario: 'health'})
})

afterAll(async () => await ill.close())

type As = Parameters<OpenSandbox['run']>[1]

async function check(line: string, as?: As): Promise<{readonly items: readonly Item[]; readonly exitCode: number}> {
  const ran = await ill.run(`check ${line} --settle 0 -o json`, as)
  const {items} = documentOf(ran) as unknown as {readonly items: readonly Item[]}
  return {items, exitCode: ran.exitCode}
}

/** `fail agent-not-ready`, of the rules that this is about. */
function told({findings = []}: Item): string[] {
  return findings.filter(({rule}) => RULES.includes(rule)).map(({severity, rule}) => `${severity} ${rule}`)
}

function resultsOf({rules}: Item): Readonly<Record<string, string>> {
  const ours = rules.filter(({rule}) => RULES.includes(rule))
  return Object.fromEntries(ours.map(({rule, result, cause}) => [rule, cause === undefined ? result : cause]))
}

describe('each way to be ill', () => {
  let byPod: ReadonlyMap<string, Item>

  beforeAll(async () => {
    const {items} = await check('-A')
    byPod = new Map(items.map((item) => [item.pod, item]))
  })

  test.each<[string, readonly string[]]>([
    ['well-0', []],
    ['recovered-0', []],
    ['configured-0', []],
    ['unready-0', ['fail agent-not-ready']],
    ['unreached-0', ['warn agent-not-ready']],
    ['crashing-0', ['fail agent-not-ready']],
    ['draining-0', ['fail proxy-not-ready']],
    ['refused-0', ['fail csr-failing']],
    ['misconfigured-0', Array.from({length: 4}, () => 'fail agent-config-invalid')],
    ['relative-0', ['warn agent-config-invalid']],
    // What only grows shows in a sample alone.
    ['failing-0', []],
    ['cut-0', []],
    ['istiod-66d8b9c7f-ready', []],
    ['istiod-66d8b9c7f-starting', ['fail agent-not-ready']],
    ['ztunnel-ready', []],
    ['ztunnel-starting', ['fail agent-not-ready']],
  ])('%s', (pod, expected) => {
    const item = byPod.get(pod)!

    expect(told(item)).toEqual(expected)
  })

  test('a rule is told of each kind that it is about, and of no other', () => {
    expect(resultsOf(byPod.get('well-0')!)).toEqual({
      'agent-not-ready': 'pass',
      'proxy-not-ready': 'pass',
      'csr-failing': 'pass',
      'agent-config-invalid': 'pass',
    })
    expect(resultsOf(byPod.get('istiod-66d8b9c7f-ready')!)).toEqual({
      'agent-not-ready': 'pass',
      'agent-config-invalid': 'pass',
    })
    expect(resultsOf(byPod.get('ztunnel-ready')!)).toEqual({
      'agent-not-ready': 'pass',
      'agent-config-invalid': 'pass',
      'agent-broad-rbac': 'pass',
    })
  })

  test('what an endpoint says is told, and that it gives no reason', () => {
    const messages = ['istiod-66d8b9c7f-starting', 'ztunnel-starting', 'draining-0', 'unreached-0'].map(
      (pod) => byPod.get(pod)!.findings?.find(({rule}) => RULES.includes(rule))?.message,
    )

    expect(messages).toEqual([
      'the agent is not ready: HTTP 503, no reason given',
      'the agent is not ready: HTTP 500, not ready, pending: proxy, state manager',
      'the proxy is not ready: HTTP 503, DRAINING',
      'the agent says that it is ready, but the kubelet does not find container istio-proxy ready',
    ])
  })

  test('a container that does not run is told by its status, with its restarts', () => {
    const crashing = byPod.get('crashing-0')!

    expect(crashing.verdict).toBe('fail')
    expect(crashing.findings).toMatchObject([
      {
        message:
          'container istio-proxy is not running: CrashLoopBackOff, 9 restarts, ended before by OOMKilled (exit code 137)',
        values: {container: 'istio-proxy', restarts: 9, last_end: 'OOMKilled', pod_ready: 'False ContainersNotReady'},
      },
    ])
    expect(crashing.rules.find(({rule}) => rule === 'cert-expired')?.cause).toBe('failed')
  })

  test('failed requests are told with how many, and by when the certificate was to be renewed', () => {
    expect(byPod.get('refused-0')!.findings?.find(({rule}) => rule === 'csr-failing')).toMatchObject({
      message: '6 of 7 certificate requests failed, and its certificate was to be renewed by 2026-06-01T11:14:24Z',
      values: {sent: 7, failed: 6},
    })
  })
})

test.each([
  ['unready-0', 'agent-not-ready'],
  ['draining-0', 'proxy-not-ready'],
  ['refused-0', 'csr-failing'],
  ['misconfigured-0', 'agent-config-invalid'],
])('%s ends with 1, and without the rule %s with 0', async (pod, rule) => {
  const others = `--rule ${RULES.filter((one) => one !== rule && one !== 'agent-broad-rbac').join(',')}`

  const withIt = await check(`${pod} -n health`)
  const without = await check(`${pod} -n health ${others}`)

  expect([withIt.exitCode, without.exitCode]).toEqual([1, 0])
})

describe('--sample', () => {
  test('finds what fails between two readings, and nothing where only what is normal happens', async () => {
    const {items} = await check('failing-0 cut-0 closed-0 well-0 recovered-0 -n health --sample 1s')

    const found = items.map((item) => [item.pod, ...(item.findings ?? []).map(({message}) => message)])
    expect(Object.fromEntries(found.map(([name = '', ...messages]) => [name, messages]))).toEqual({
      'failing-0': ['certificate requests fail: 1 within 1 s'],
      'cut-0': ['connections to istiod ended with an error: 1 within 1 s'],
      'closed-0': [],
      'well-0': [],
      'recovered-0': [],
    })
  })

  test.each([
    ['--sample 10ms', /expected 1s or more/],
    ['--sample soon', /--sample/],
  ])('%s is a usage error', async (flags, message) => {
    const {exitCode, stderr} = await ill.run(`check -n health ${flags}`)

    expect(exitCode).toBe(2)
    expect(stderr).toMatch(message)
  })

  test('files stay as they are: to sample them is a usage error', async () => {
    const {exitCode, stderr} = await ill.run('check -f dump.json --sample 10s')

    expect(exitCode).toBe(2)
    expect(stderr).toContain('--sample and --file cannot be used together')
  })
})

describe('rights', () => {
  test('who may not read roles is told so, and it is no failure', async () => {
    const {items, exitCode} = await check('ztunnel-ready -n istio-system', {user: 'reader'})

    expect(items.map((item) => resultsOf(item)['agent-broad-rbac'])).toEqual(['forbidden'])
    expect(exitCode).not.toBe(3)
  })

  test('of a pod that nobody may open, the kubelet tells whether its agent is ready', async () => {
    const {items} = await check('well-0 unready-0 -n health', {user: 'viewer'})

    expect(
      items.map((item) => [item.pod, resultsOf(item)['agent-not-ready'], resultsOf(item)['proxy-not-ready']]),
    ).toEqual([
      ['well-0', 'pass', 'forbidden'],
      ['unready-0', 'fail', 'forbidden'],
    ])
  })

  test.each([
    [{verbs: ['get'], apiGroups: [''], resources: ['secrets']}, 'may read all Secrets'],
    [{verbs: ['list'], apiGroups: ['*'], resources: ['*']}, 'may read all resources'],
    [{verbs: ['*'], apiGroups: ['*'], resources: ['*']}, 'may do everything'],
    [{verbs: ['*'], apiGroups: ['apps'], resources: ['daemonsets']}, 'has a wildcard on all verbs of daemonsets'],
    [{verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['one']}, undefined],
    [{verbs: ['create'], apiGroups: [''], resources: ['secrets']}, undefined],
  ])('a node agent with %j: %s', async (rule, words) => {
    const {world} = ill.sandbox
    world.putManifest(resourceTypes.clusterroles, {metadata: {name: 'extra'}, rules: [rule]})
    world.putManifest(resourceTypes.clusterrolebindings, {
      metadata: {name: 'extra-binding'},
      roleRef: {kind: 'ClusterRole', name: 'extra'},
      subjects: [{kind: 'Group', name: 'system:serviceaccounts:istio-system'}],
    })

    const {items} = await check('ztunnel-ready -n istio-system')

    world.remove(resourceTypes.clusterrolebindings, '', 'extra-binding')
    const broad = (items[0]?.findings ?? []).filter((one) => one.rule === 'agent-broad-rbac')
    const account = 'service account istio-system/ztunnel'
    expect(broad.map(({message}) => message)).toEqual(
      words === undefined ? [] : [`${account} ${words}, by ClusterRole extra (ClusterRoleBinding extra-binding)`],
    )
  })
})

describe('what is asked', () => {
  test('how a pod fares is asked by check alone, once for each side, and the control plane is skipped elsewhere', async () => {
    const {podRequests} = ill.sandbox.counters
    const asked = () => [15000, 15020, 15021, 8080].map((port) => countOf(podRequests, port))

    const before = asked()
    const {stdout} = await ill.run('secrets diff -A --settle 0 -o json')
    const between = asked()
    await ill.run('check well-0 -n health --settle 0')
    const after = asked()

    expect(between).toEqual(before)
    expect(after.map((count, index) => count - between[index]!)).toEqual([1, 1, 0, 0])
    expect(stdout).toContain('holds no proxy')
  })
})

function countOf(podRequests: ReadonlyMap<string, number>, port: number): number {
  const paths = ['/ready', '/healthz/ready'].map((path) => podRequests.get(`${port} ${path}`) ?? 0)
  return paths.reduce((sum, count) => sum + count, 0)
}
