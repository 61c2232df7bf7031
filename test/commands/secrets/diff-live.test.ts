import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals'
import {printable} from '../../../src/lib/cli/printable.ts'
import {BrokenAnswer} from '../../../src/lib/sandbox/streams/serve-pod-port.ts'
import type {PodAnswer, PodRequest} from '../../../src/lib/sandbox/agents/pod-port.ts'
import type {Fault} from '../../../src/lib/sandbox/fault.ts'
import {documentOf, type OpenSandbox, openSandbox, settled} from '../../support/open-sandbox.ts'
import {UNPRINTABLE} from '../../support/unprintable.ts'

describe('the demo', () => {
  let demo: OpenSandbox

  beforeAll(async () => {
    demo = await openSandbox()
  })

  afterAll(async () => await demo.close())

  test('is told worst first, then by the time that is left, and the run ends with 1', async () => {
    const {stdout, stderr, exitCode} = await demo.run('secrets diff -n bank --settle 0')

    expect(settled(stdout)).toBe(`\
POD  RESOURCE NAME  TYPE  VALID CERT  NODE AGENT  PROXY  RESULT  LEFT  SERIAL NUMBER  NOT AFTER  NOT BEFORE
ledger-6d5b9c8f7-t4jgr  default  Cert Chain  false (EXPIRED)  PRESENT  ACTIVE  MATCH  -2h  SERIAL  2026-06-01T10:00:00Z  2026-05-31T09:58:00Z
ledger-6d5b9c8f7-t4jgr  ROOTCA  CA  true  -  ACTIVE  MATCH  9y  SERIAL  2036-04-29T12:00:00Z  2026-05-02T12:00:00Z
ledger-6d5b9c8f7-t4jgr  ROOTCA  CA  true  -  ACTIVE  MATCH  10y  SERIAL  2036-05-29T12:00:00Z  2026-06-01T11:00:00Z
fraud-5c6d8f4b9-wn6sd  -  -  -  -  -  UNKNOWN: Cannot forward ports of bank/fraud-5c6d8f4b9-wn6sd: the API server cannot reach the node (and 1 more)
payments-79c8b5d64-2xkvm  ROOTCA  CA  true  -  ACTIVE  MATCH  9y  SERIAL  2036-04-29T12:00:00Z  2026-05-02T12:00:00Z
payments-79c8b5d64-2xkvm  ROOTCA  CA  true  -  -  PENDING: root missing at the proxy until its renewal at 2026-06-01T18:14:24Z  10y  SERIAL  2036-05-29T12:00:00Z  2026-06-01T11:00:00Z
payments-79c8b5d64-2xkvm  default  Cert Chain  true  PRESENT  ACTIVE  MATCH  18h  SERIAL  2026-06-02T06:00:00Z  2026-06-01T05:58:00Z
rates-6c7d9f5b8-p4qlz  spiffe://cluster.local/ns/bank/sa/rates  Cert Chain  true  PRESENT  ACTIVE  MATCH  20h  SERIAL  2026-06-02T08:00:00Z  2026-06-01T07:58:00Z
`)
    expect(stderr).toMatch(/^Warning: Cannot forward ports of bank\/fraud-5c6d8f4b9-wn6sd: .+\nHint: .+kubelet.+\n/)
    expect(stderr).toMatch(/\n4 pods: 2 match \(1 by expiry, 1 by presence\), 1 not valid, 1 unknown\n$/)
    expect(exitCode).toBe(1)
  })

  test('two pods of one owner, of which one proxy is stale', async () => {
    const {stdout, stderr, exitCode} = await demo.run('secrets diff deploy/cart -n shop --settle 0 --no-headers')

    expect(settled(stdout)).toBe(`\
cart-5d8f7c9b6-9zt2w  default  Cert Chain  true  -  ACTIVE  MISMATCH: proxy is stale  11h  SERIAL  2026-06-01T23:00:00Z  2026-05-31T22:58:00Z
cart-5d8f7c9b6-9zt2w  default  Cert Chain  true  PRESENT  -  MISMATCH: proxy is stale  23h  -  2026-06-02T11:00:00Z  -
cart-5d8f7c9b6-9zt2w  ROOTCA  CA  true  -  ACTIVE  MATCH  9y  SERIAL  2036-04-29T12:00:00Z  2026-05-02T12:00:00Z
cart-5d8f7c9b6-9zt2w  ROOTCA  CA  true  -  ACTIVE  MATCH  10y  SERIAL  2036-05-29T12:00:00Z  2026-06-01T11:00:00Z
cart-5d8f7c9b6-4kxvq  default  Cert Chain  true  PRESENT  ACTIVE  MATCH  21h  SERIAL  2026-06-02T09:00:00Z  2026-06-01T08:58:00Z
cart-5d8f7c9b6-4kxvq  ROOTCA  CA  true  -  ACTIVE  MATCH  9y  SERIAL  2036-04-29T12:00:00Z  2026-05-02T12:00:00Z
cart-5d8f7c9b6-4kxvq  ROOTCA  CA  true  -  ACTIVE  MATCH  10y  SERIAL  2036-05-29T12:00:00Z  2026-06-01T11:00:00Z
`)
    expect(stderr).toBe('2 pods: 1 match (1 by expiry), 1 mismatch\n')
    expect(exitCode).toBe(1)
  })

  test('the exit code is the same whatever the format', async () => {
    const formats = [
      'table',
      'wide',
      'json',
      'yaml',
      'ndjson',
      'name',
      'jsonpath={.summary.pods}',
      'custom-columns=P:.pod',
    ]
    const codes: number[] = []
    for (const format of formats) {
      const {exitCode} = await demo.run(`secrets diff deploy/cart -n shop --settle 0 -o ${format}`)
      codes.push(exitCode)
    }

    expect(codes).toEqual(formats.map(() => 1))
  })

  test('everything that a run of everything asks is a GET, and nothing in a pod is changed', async () => {
    for (const line of ['secrets diff -A --settle 0', 'secrets list -A --via exec', 'agents list -A'])
      await demo.run(line)

    const verbs = new Set([...demo.sandbox.counters.requests.keys()].map((request) => request.split(' ')[0]))
    expect(verbs).toEqual(new Set(['get', 'list']))
    expect(demo.sandbox.counters.mutations).toEqual([])
  })
})

describe('one pod of a fleet is out of order', () => {
  let fleet: OpenSandbox
  let broken: string

  beforeAll(async () => {
    fleet = await openSandbox({scenario: 'fleet', pods: 4})
    const {stdout} = await fleet.run('agents list -A -o name')
    broken = /pod\/(\S+)\.team-00/.exec(stdout)?.[1] ?? ''
  })

  afterEach(() => {
    fleet.sandbox.fault(`team-00/${broken}`, undefined)
  })

  afterAll(async () => await fleet.close())

  const diff = async (more = '') => await fleet.run(`secrets diff -A --settle 0 -o json --no-cert ${more}`)

  test.each<[string, Fault, string]>([
    ['nothing listens', {type: 'refuse'}, 'port-closed'],
    ["the agent's port is closed", {type: 'refuse', port: 15020}, 'port-closed'],
    ["the proxy's port is closed", {type: 'refuse', port: 15000}, 'port-closed'],
    ['its node cannot be reached', {type: 'node-unreachable'}, 'node-unreachable'],
    ['its answers are cut off', {type: 'cut-off', afterBytes: 700}, 'cut-off'],
    ['its streams break off', {type: 'crash', afterBytes: 700}, 'cut-off'],
    ['its answers are no JSON', {type: 'garbage'}, 'bad-payload'],
    ['its answers are empty', {type: 'empty'}, 'empty-answer'],
    ['something else answers with a page', {type: 'html'}, 'proxy-in-between'],
    ['its answers are 503', {type: 'status', status: 503}, 'http-status'],
    ['its answers are 404', {type: 'status', status: 404}, 'path-unknown'],
    ['its answers are 429', {type: 'status', status: 429}, 'http-status'],
  ])('%s: it is unknown, says why and what to do, and the others are told', async (_name, fault, code) => {
    fleet.sandbox.fault(`team-00/${broken}`, fault)

    const ran = await diff()

    const {items, summary} = documentOf(ran)
    const item = items.find(({pod}) => pod === broken)
    expect(summary).toMatchObject({pods: 4, pass: 3, unknown: 1})
    expect(item?.verdict).toBe('unknown')
    expect(item?.failures?.map((failure) => failure.code)).toContain(code)
    for (const {message, hint} of item?.failures ?? []) {
      expect(message).toMatch(/^[A-Z][^\n]+[^.\n]$/)
      expect(hint).toMatch(/\S/)
      expect(ran.stderr).toContain(`Warning: ${printable(message)}\n`)
    }
    expect(ran.exitCode).toBe(3)
  })

  test.each<[string, Fault]>([
    ['its ports never answer', {type: 'hang'}],
    ['its streams are never opened', {type: 'hang-dial'}],
    ['it is slower than the deadline', {type: 'slow', delayMs: 60_000}],
  ])('%s: that ends at the deadline, with a hint to give it longer', async (_name, fault) => {
    fleet.sandbox.fault(`team-00/${broken}`, fault)

    const ran = await fleet.run(`secrets list pod/${broken} -n team-00 -o json --deadline 300ms`)

    const failures = documentOf(ran).items[0]?.failures ?? []
    expect(failures.map(({side}) => side)).toContain('proxy')
    expect(new Set(failures.map(({code}) => code))).toEqual(new Set(['timeout']))
    expect(failures[0]?.hint).toContain('--deadline')
    expect(ran.exitCode).toBeGreaterThanOrEqual(3)
  })

  test.each<[string, Fault]>([
    ['it takes its time', {type: 'slow', delayMs: 20}],
    ['a runtime chatters before its answers', {type: 'noise'}],
    ['its node cannot forward, and it can be reached by other ways', {type: 'no-socat'}],
    ['its dump has megabytes', {type: 'big-dump', bytes: 2_000_000, port: 15000}],
  ])('%s: it is compared all the same', async (_name, fault) => {
    fleet.sandbox.fault(`team-00/${broken}`, fault)

    const ran = await diff()

    expect(documentOf(ran).summary).toMatchObject({pods: 4, pass: 4})
    expect(ran.exitCode).toBe(0)
  })

  test.each([25_000, -25_000])(
    'its clock is off by %d ms: the same by expiry, and one finding, whoever of it told the time',
    async (skewMs) => {
      fleet.sandbox.fault(`team-00/${broken}`, {type: 'clock-skew', skewMs})

      const ran = await diff()

      const item = documentOf(ran).items.find(({pod}) => pod === broken)
      const leaf = item?.secrets?.find((row) => row.resource_name === 'default')
      expect(leaf).toMatchObject({result: 'MATCH', compared_by: 'expiry'})
      expect(item?.findings?.map(({rule}) => rule)).toEqual(['clock-skew'])
      expect(item?.verdict).toBe('warn')
      expect(ran.exitCode).toBe(0)
    },
  )

  test('it has gone since it was listed: it is skipped, which is no failure', async () => {
    fleet.sandbox.fault(`team-00/${broken}`, {type: 'pod-gone'})

    const ran = await diff()

    const {items, summary} = documentOf(ran)
    expect(summary).toMatchObject({pods: 4, pass: 3, skipped: 1})
    expect(items.find(({pod}) => pod === broken)?.skipped?.code).toBe('gone')
    expect(ran.exitCode).toBe(0)
  })

  test('it goes while it is asked, after one side was read: it is skipped like one that has gone before', async () => {
    const pod = fleet.sandbox.world.pod('team-00', broken)
    const ports = pod.ports()
    const [admin, metrics] = [ports.get(15000), ports.get(15020)]
    if (admin === undefined || metrics === undefined) throw new Error('No ports')
    const read = Promise.withResolvers<void>()
    const goes = async (): Promise<never> => {
      await read.promise
      fleet.sandbox.fault(`team-00/${broken}`, {type: 'pod-gone'})
      throw new BrokenAnswer('stream')
    }
    const answers = async (request: PodRequest): Promise<PodAnswer> => {
      setTimeout(read.resolve, 100)
      return await metrics.answer(request)
    }
    const moved = new Map([...ports, [15000, {...admin, answer: goes}], [15020, {...metrics, answer: answers}]])
    Object.assign(pod, {ports: () => moved})

    const ran = await diff()

    Object.assign(pod, {ports: () => ports})
    const item = documentOf(ran).items.find(({pod}) => pod === broken)
    expect(item).toMatchObject({verdict: 'skipped', skipped: {code: 'gone'}})
    expect(item).toHaveProperty('sides.agent.answers.0.source', 'agent-metrics')
    expect(ran.exitCode).toBe(0)
  })

  test('the flags that tolerate what is missing turn 3 into 0', async () => {
    fleet.sandbox.fault(`team-00/${broken}`, {type: 'refuse'})
    const codes: number[] = []

    for (const flag of ['--allow-incomplete', '--exit-zero', '--max-unknown 1', '--max-unknown 24%']) {
      const {exitCode} = await diff(flag)
      codes.push(exitCode)
    }

    expect(codes).toEqual([0, 0, 0, 3])
  })

  test('control characters in the name of a secret reach no terminal', async () => {
    const pod = fleet.sandbox.world.pod('team-00', broken)
    const ports = pod.ports()
    const secret = {name: '\u001b]0;owned\u0007\u202ename\nPOD', secret: {validation_context: {}}}
    const dump = {
      configs: [
        {
          '@type': 'type.googleapis.com/envoy.admin.v3.SecretsConfigDump',
          dynamic_active_secrets: [secret],
        },
      ],
    }
    const admin = ports.get(15000)
    if (admin === undefined) throw new Error('No admin port')
    const answer = {status: 200, headers: {'content-type': 'application/json'}, body: Buffer.from(JSON.stringify(dump))}
    Object.assign(pod, {ports: () => new Map([...ports, [15000, {...admin, answer: () => answer}]])})

    const table = await fleet.run(`secrets diff -n team-00 pod/${broken} --settle 0`)
    const json = await fleet.run(`secrets diff -n team-00 pod/${broken} --settle 0 -o json`)

    Object.assign(pod, {ports: () => ports})
    expect(table.stdout).toContain('owned')
    expect(`${table.stdout}${table.stderr}${json.stdout}${json.stderr}`).not.toMatch(UNPRINTABLE)
    expect(documentOf(json).items[0]?.secrets?.map((row) => row.resource_name)).toContain(secret.name)
  })
})
