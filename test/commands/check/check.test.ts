import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {documentOf, type OpenSandbox, openSandbox, settled} from '../../support/open-sandbox.ts'

const WELL = 'cart-5d8f7c9b6-4kxvq'
const STALE = 'cart-5d8f7c9b6-9zt2w'
/** Of its node the kubelet cannot be reached. */
const LOST = 'fraud-5c6d8f4b9-wn6sd'

let demo: OpenSandbox

beforeAll(async () => {
  demo = await openSandbox()
})

afterAll(async () => await demo.close())

interface Outcome {
  readonly rule: string
  readonly result: string
  readonly cause?: string
  readonly reason?: string
}

interface CheckDoc {
  readonly kind: string
  readonly items: readonly {
    readonly pod: string
    readonly verdict: string
    readonly rules: readonly Outcome[]
    readonly findings?: readonly {readonly rule: string; readonly subject?: string; readonly hint?: string}[]
  }[]
  readonly fleet: {
    readonly complete: boolean
    readonly findings: readonly {readonly rule: string}[]
    readonly rules: readonly Outcome[]
    readonly coverage: readonly {readonly rule: string; readonly evaluated: number}[]
  }
}

async function check(line: string, as?: Parameters<OpenSandbox['run']>[1]): Promise<CheckDoc> {
  return documentOf(await demo.run(`check ${line} --settle 0 -o json`, as)) as unknown as CheckDoc
}

function resultOf(doc: CheckDoc, rule: string): Outcome | undefined {
  return doc.items[0]?.rules.find((one) => one.rule === rule)
}

describe('what is told', () => {
  test('a finding names its rule, its pod, and what to do; worst first', async () => {
    const {stdout, exitCode} = await demo.run('check -n shop --settle 0 --rule proxy-stale,secret-warming')

    expect(settled(stdout).split('\n').slice(0, 3)).toEqual([
      'POD  RESULT  RULE  FINDING',
      'cart-5d8f7c9b6-9zt2w  fail  proxy-stale  default: proxy is stale',
      'checkout-6c9f5d7b4-q8wzt  fail  secret-warming  default: waits for its first certificate',
    ])
    expect(exitCode).toBe(1)
  })

  test('every rule is told of every pod that it is about, and never as passed where nothing was seen', async () => {
    const well = await check(WELL.concat(' -n shop'))
    const lost = await check(`${LOST} -n bank`)

    expect(resultOf(well, 'proxy-stale')).toEqual({rule: 'proxy-stale', result: 'pass'})
    expect(lost.items[0]?.verdict).toBe('unknown')
    // Of its connection istiod tells, and of its spec the API server.
    expect(lost.items[0]?.rules.filter(({result}) => result === 'pass').map(({rule}) => rule)).toEqual([
      'agent-disconnected',
      'xds-stale',
      'xds-rejected',
      'agent-config-invalid',
    ])
    expect(resultOf(lost, 'proxy-stale')).toMatchObject({
      result: 'not-evaluated',
      cause: 'failed',
      reason: expect.stringContaining('cannot reach the node'),
    })
  })

  test('how far the rules went is counted over all pods, and said on stderr', async () => {
    const doc = await check('-n bank')
    const {stderr} = await demo.run('check -n bank --settle 0')

    expect(doc.fleet.coverage.find(({rule}) => rule === 'cert-expired')).toEqual({
      rule: 'cert-expired',
      evaluated: 3,
      not_evaluated: [{cause: 'failed', pods: 1, example: expect.stringContaining(LOST)}],
    })
    expect(stderr).toMatch(
      /^Not evaluated on 1 pod: cert-expired, .+ more rules \(Cannot forward ports of bank\/fraud/m,
    )
  })

  test('no finding on the fleet is made of a part of it', async () => {
    const whole = await check('-A --rule root-divergent')
    const part = await check('-A --rule root-divergent --limit 3')

    expect([whole.fleet.complete, whole.fleet.findings.map(({rule}) => rule)]).toEqual([true, ['root-divergent']])
    expect([part.fleet.complete, part.fleet.findings, part.fleet.rules]).toEqual([false, [], []])
  })
})

describe('how it ends', () => {
  test.each<[string, string, number]>([
    ['a pod that is well', `${WELL} -n shop`, 0],
    ['a pod that is not', `${STALE} -n shop`, 1],
    ['a rule that is off', `${STALE} -n shop --severity proxy-stale=off`, 0],
    ['a rule that only warns', `${STALE} -n shop --severity proxy-stale=warn`, 0],
    ['a warning, where those count', `${STALE} -n shop --severity proxy-stale=warn --fail-on warn`, 1],
    ['a warning that is made a failure', 'payments-79c8b5d64-2xkvm -n bank --severity root-missing=fail', 1],
    ['a pod that cannot be seen, the only one', `${LOST} -n bank`, 4],
    ['a pod that cannot be seen, beside another', `${LOST} rates-6c7d9f5b8-p4qlz -n bank`, 3],
    ['the same, tolerated', `${LOST} rates-6c7d9f5b8-p4qlz -n bank --max-unknown 1`, 0],
    ['nothing selected', '-n default', 4],
    ['nothing selected, allowed', '-n default --allow-empty', 0],
    ['a rule that there is not', '-n shop --rule no-such-rule', 2],
    ['a level that there is not', '-n shop --severity cert-expired=loud', 2],
    ['a severity without a level', '-n shop --severity cert-expired', 2],
    ['a rule by name that has no evidence', 'rates-6c7d9f5b8-p4qlz -n bank --rule proxy-stale,root-missing', 3],
    ['a rule on the fleet by name, of a part of it', '-A --rule root-divergent --limit 3', 3],
    ['a rule on nodes by name, without any evidence', `${WELL} -n shop --rule cni-not-ready`, 3],
    ['the same rule, unnamed', 'rates-6c7d9f5b8-p4qlz -n bank', 0],
  ])('%s', async (_, line, code) => {
    const {exitCode, stderr} = await demo.run(`check ${line} --settle 0`)

    expect([exitCode, exitCode === code ? '' : stderr]).toEqual([code, ''])
  })

  test('a rule that there is not is told with where to find those that there are', async () => {
    const {stderr} = await demo.run('check -n shop --rule no-such-rule')

    expect(stderr).toBe(
      'Error: Bad value for --rule: there is no rule "no-such-rule"\nHint: agentctl check rules lists them\n',
    )
  })

  test('who may not forward has seen nothing, and is told so', async () => {
    const {exitCode, stderr} = await demo.run(`check ${WELL} -n shop --settle 0`, {user: 'viewer'})

    expect(exitCode).toBe(4)
    expect(stderr).toContain('forbidden')
  })
})

describe('waiting', () => {
  test('a pod that stays as it is is asked again until the time is over, and told once', async () => {
    const clocked = await openSandbox({nowMs: () => Date.now()})

    const {stdout, exitCode} = await clocked.run(
      `check ${STALE} ${WELL} -n shop --settle 0 --wait 500ms --interval 100ms -v`,
    )

    await clocked.close()
    expect(stdout.match(/proxy-stale/g)).toHaveLength(1)
    expect(exitCode).toBe(1)
  })

  test('files stay as they are: to wait for them is a usage error', async () => {
    const {exitCode, stderr} = await demo.run('check -f /nonexistent --wait 5m')

    expect(stderr).toBe('Error: --wait and --file cannot be used together: files stay as they are\n')
    expect(exitCode).toBe(2)
  })
})
