import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {istiodPorts} from '../../../src/lib/sandbox/agents/istiod.ts'
import {documentOf, type OpenSandbox, openSandbox} from '../../support/open-sandbox.ts'

const STEADY = 'steady-5d8f7c9b6-4kxvq'
const STUCK = 'stuck-5d8f7c9b6-4kxvq'
const PICKY = 'picky-5d8f7c9b6-4kxvq'
const LONELY = 'lonely-5d8f7c9b6-4kxvq'
const XDS = ['agent-disconnected', 'xds-stale', 'xds-rejected'] as const

interface Outcome {
  readonly rule: string
  readonly result: string
  readonly cause?: string
}

interface CheckDoc {
  readonly items: readonly {
    readonly pod: string
    readonly verdict: string
    readonly rules: readonly Outcome[]
    readonly findings?: readonly {readonly rule: string; readonly message: string}[]
  }[]
  readonly fleet: {
    readonly findings: readonly {
      readonly rule: string
      readonly subject: string
      readonly severity: string
      readonly values: Readonly<Record<string, string | number>>
    }[]
    readonly rules: readonly Outcome[]
  }
}

let mesh: OpenSandbox

beforeAll(async () => {
  mesh = await openSandbox({scenario: 'strained'})
})

afterAll(async () => await mesh.close())

async function check(line: string, as?: Parameters<OpenSandbox['run']>[1]): Promise<CheckDoc & {exitCode: number}> {
  const ran = await mesh.run(`check ${line} --settle 0 -o json`, as)
  return {...(documentOf(ran) as unknown as CheckDoc), exitCode: ran.exitCode}
}

function resultsOf({items: [item]}: CheckDoc): readonly string[] {
  return XDS.map((name) => {
    const said = item?.rules.find(({rule}) => rule === name)
    return said?.cause ?? said?.result ?? 'nothing'
  })
}

describe('proxies and their control plane', () => {
  test.each<[string, string, readonly string[], number]>([
    ['in step', STEADY, ['pass', 'pass', 'pass'], 0],
    ['that took nothing up', STUCK, ['pass', 'fail', 'pass'], 1],
    ['that refused what it was sent', PICKY, ['pass', 'pass', 'fail'], 1],
    ['that is connected to no istiod', LONELY, ['fail', 'scope', 'scope'], 1],
  ])('a proxy %s', async (_, name, results, code) => {
    const doc = await check(`${name} -n shop`)

    expect(resultsOf(doc)).toEqual(results)
    expect(doc.exitCode).toBe(code)
  })

  test('what the proxy said stands in the finding, on one line', async () => {
    const {items} = await check(`${PICKY} -n shop`)

    expect(items[0]?.findings?.map(({message}) => message)).toEqual([
      expect.stringMatching(
        /^LDS from istio-system\/istiod-\S+: the proxy refused it: Error adding.*'shop\.audit' with type/,
      ),
    ])
  })

  test('a control plane and a captured pod are no proxies of an istiod', async () => {
    const {items} = await check('-n bank')

    expect(items).toHaveLength(2)
    expect(resultsOf({items, fleet: {findings: [], rules: []}})).toEqual(['nothing', 'nothing', 'nothing'])
  })

  test('who may not see the control plane is not told that all is well, nor stopped by it', async () => {
    const doc = await check(`${STUCK} -n shop`, {user: 'shopkeeper'})
    const named = await check(`${STUCK} -n shop --rule xds-stale`, {user: 'shopkeeper'})

    expect(resultsOf(doc)).toEqual(['forbidden', 'forbidden', 'forbidden'])
    expect([doc.exitCode, named.exitCode]).toEqual([0, 3])
  })

  test('an istiod that does not answer leaves open what only it can know', async () => {
    const name = mesh.sandbox.world.pod('istio-system', 'istiod-66d8b9c7f-k2v5n')
    mesh.sandbox.fault('istio-system/istiod-66d8b9c7f-k2v5n', {type: 'status', status: 500})

    const [known, lost] = [await check(`${PICKY} -n shop`), await check(`${STEADY} -n shop`)]

    mesh.sandbox.fault(`istio-system/${name.name}`, undefined)
    expect(resultsOf(known)).toEqual(['pass', 'pass', 'fail'])
    expect(resultsOf(lost)).toEqual(['failed', 'failed', 'failed'])
    expect(lost.exitCode).toBe(3)
  })

  test('each istiod is asked once for all pods, and not at all by other commands', async () => {
    const requests = (): number => mesh.sandbox.counters.requests.get('get pods/portforward') ?? 0
    const before = requests()
    const {stderr} = await mesh.run(`check ${STEADY} ${PICKY} aged-5d8f7c9b6-4kxvq -n shop --settle 0 -vv`)
    const diff = await mesh.run(`secrets diff -n shop --settle 0 -vv`)

    expect(requests()).toBeGreaterThan(before)
    expect(new Set(stderr.match(/istiod-syncz \/debug\/syncz \+ \/version: 1 observations/g)).size).toBe(1)
    expect(diff.stderr).not.toContain('istiod-syncz')
  })

  test('a proxy that connects between two readings is connected', async () => {
    const live = await openSandbox({scenario: 'strained', nowMs: () => Date.now()})
    const {world} = live.sandbox
    const lonely = {id: `${LONELY}.shop`, secrets: () => []}
    let asked = 0
    for (const name of ['istiod-66d8b9c7f-k2v5n', 'istiod-66d8b9c7f-w7d4t']) {
      const proxies = (): readonly (typeof lonely)[] => {
        asked += 1
        // Two paths of two istiods make one reading.
        return asked > 4 ? [lonely] : []
      }
      world.putPod({...world.pod('istio-system', name), ports: () => istiodPorts(proxies)})
    }

    const once = documentOf(await live.run(`check ${LONELY} -n shop --settle 40ms -o json`)) as unknown as CheckDoc

    await live.close()
    expect(asked).toBeGreaterThan(4)
    expect(resultsOf(once)).toEqual(['pass', 'pass', 'pass'])
  })

  test('whoever waits is told by what istiod says then', async () => {
    const live = await openSandbox({scenario: 'strained', nowMs: () => Date.now()})
    const {world} = live.sandbox
    const lonely = {id: `${LONELY}.shop`, secrets: () => []}
    let asked = 0
    const proxies = (): readonly (typeof lonely)[] => {
      asked += 1
      return asked > 10 ? [lonely] : []
    }
    world.putPod({...world.pod('istio-system', 'istiod-66d8b9c7f-k2v5n'), ports: () => istiodPorts(proxies)})

    const {exitCode} = await live.run(`check ${LONELY} -n shop --settle 20ms --wait 20s --interval 100ms`)

    await live.close()
    expect(exitCode).toBe(0)
  })
})

describe('nodes and the fleet', () => {
  test('each rule finds the one node, DaemonSet or version that breaks it', async () => {
    const {fleet, exitCode} = await check('-A')

    expect(fleet.findings.map(({rule, subject, severity}) => `${rule} ${severity} ${subject}`)).toEqual([
      'ztunnel-disconnected fail node node-a',
      'cni-not-ready fail node node-b',
      'node-without-agent fail daemonset istio-system/istio-cni-node',
      'version-skew warn version 1.28.3',
    ])
    expect(fleet.findings.map(({values}) => values)).toMatchObject([
      {pods_behind: 1},
      {pods_behind: 3},
      {desired: 3, ready: 2},
      {control_plane: '1.31.0', pods: 1},
    ])
    expect(exitCode).toBe(1)
  })

  test('where all nodes are well, each rule holds', async () => {
    const demo = await openSandbox({scenario: 'demo'})

    const doc = documentOf(await demo.run('check -A --settle 0 -o json')) as unknown as CheckDoc

    await demo.close()
    const said = new Map(doc.fleet.rules.map(({rule, result, cause}) => [rule, cause ?? result]))
    expect([said.get('ztunnel-disconnected'), said.get('node-without-agent'), said.get('version-skew')]).toEqual([
      'pass',
      'pass',
      'pass',
    ])
    // It has none.
    expect(said.get('cni-not-ready')).toBe('scope')
  })

  test('an istio-cni that is well passes, and is asked of no certificate', async () => {
    const {items} = await check('istio-cni-node-aaaaa -n istio-system')

    expect(items[0]?.verdict).toBe('pass')
    expect(items[0]?.rules.map(({rule}) => rule)).not.toContain('cert-expired')
  })

  test('of one namespace without node agents nothing is said of nodes', async () => {
    const {fleet} = await check('-n shop')

    const open = fleet.rules.filter(({cause}) => cause === 'scope').map(({rule}) => rule)
    expect(open).toEqual(['ztunnel-disconnected', 'cni-not-ready', 'node-without-agent'])
  })

  test('secrets diff skips an istio-cni, which holds none', async () => {
    const {stdout} = await mesh.run('secrets diff istio-cni-node-aaaaa -n istio-system -o json')

    expect(documentOf({stdout} as never).items).toMatchObject([{verdict: 'skipped', skipped: {code: 'no-secrets'}}])
  })
})
