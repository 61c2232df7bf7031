import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {type OpenSandbox, openSandbox} from '../../support/open-sandbox.ts'

let sandbox: OpenSandbox
let doc: CheckDoc

interface CheckDoc {
  readonly items: readonly {
    readonly pod: string
    readonly verdict: string
    readonly rules: readonly {readonly rule: string; readonly result: string}[]
    readonly findings?: readonly Found[]
  }[]
}

interface Found {
  readonly rule: string
  readonly severity: string
  readonly message: string
  readonly hint?: string
  readonly accepted?: {readonly reason: string; readonly until: string}
}

beforeAll(async () => {
  sandbox = await openSandbox({scenario: 'checks'})
  doc = await check('-n checks')
})

afterAll(async () => await sandbox.close())

async function check(line: string): Promise<CheckDoc> {
  const {stdout} = await sandbox.run(`check ${line} --settle 0 -o json`)
  return JSON.parse(stdout) as CheckDoc
}

function found({items}: CheckDoc, pod: string): readonly string[] {
  const findings = items.find((item) => item.pod === pod || item.pod.startsWith(`${pod}-istio-`))?.findings ?? []
  return findings.map(({rule, severity}) => `${severity} ${rule}`).toSorted()
}

function messageOf({items}: CheckDoc, pod: string, rule: string): string {
  const findings = items.find((item) => item.pod === pod || item.pod.startsWith(`${pod}-istio-`))?.findings ?? []
  return findings.find((one) => one.rule === rule)?.message ?? 'nothing'
}

test.each<[string, readonly string[]]>([
  ['well', []],
  ['overdue', ['fail rotation-overdue']],
  ['late-by-design', []],
  ['broken', ['fail chain-broken', 'fail chain-untrusted']],
  ['untrusted', ['fail chain-untrusted']],
  ['stranger', ['fail identity-mismatch']],
  ['foreign', ['fail trust-domain-mismatch']],
  ['weak', ['warn weak-key']],
  ['spire', ['warn not-compared']],
  ['soon', ['warn cert-expiring']],
  ['urgent', ['fail cert-expiring']],
  ['renewed', []],
  ['stuck', ['fail renewal-failing']],
  ['late', ['fail renewal-failing']],
  ['gap', ['fail chain-broken']],
])('of %s is told %p, and nothing else', (pod, findings) => {
  expect(found(doc, pod)).toEqual(findings)
})

test('a proxy without a root that is valid is told so', () => {
  expect(found(doc, 'rootless')).toContain('fail root-missing')
  expect(messageOf(doc, 'rootless', 'root-missing')).toContain('no root that is valid now')
})

test.each([
  'rotation-overdue',
  'cert-expiring',
  'chain-broken',
  'chain-untrusted',
  'identity-mismatch',
  'trust-domain-mismatch',
  'weak-key',
  'not-compared',
  'root-missing',
])('%s is told to hold for a pod that is well', (rule) => {
  expect(doc.items.find(({pod}) => pod === 'well')?.rules).toContainEqual({rule, result: 'pass'})
})

test('a finding says by which values', () => {
  expect(messageOf(doc, 'overdue', 'rotation-overdue')).toMatch(
    /has 10h left of 1d, and its renewal was due at 2026-06-01T10:14:24Z$/,
  )
  expect(messageOf(doc, 'urgent', 'cert-expiring')).toMatch(
    /leaf ends at 2026-06-07T12:00:00Z, in 6d: less than 7d of 90d$/,
  )
  expect(messageOf(doc, 'stuck', 'renewal-failing')).toBe(
    'Certificate checks/stuck of secret kubernetes://stuck-cert is not Ready: Failed: the order is invalid',
  )
  expect(messageOf(doc, 'stranger', 'identity-mismatch')).toMatch(
    /is of spiffe:\/\/cluster\.local\/ns\/checks\/sa\/somebody-else, and the pod is ns\/checks\/sa\/stranger$/,
  )
})

describe('limits', () => {
  test('a time that is longer than a whole life fails always, and says what to do', async () => {
    const strict = await check('well -n checks --fail-before leaf=30d --rule cert-expiring')

    const [finding] = strict.items[0]?.findings ?? []
    expect(finding?.message).toMatch(
      /less than 30d \(--fail-before leaf=30d\), which is more than its whole life of 1d, so that it is never well$/,
    )
    expect(finding?.hint).toBe('Give a share of the life in place of a time, such as --fail-before leaf=10%')
  })

  test('a share counts for every place that has no limit of its own', async () => {
    const line = 'urgent-istio-7c9f5d8b6-q4m2d -n checks --rule cert-expiring --fail-before'

    expect(found(await check(`${line} 1%`), 'urgent')).toEqual(['warn cert-expiring'])
    expect(found(await check(`${line} 1% --fail-before leaf=50%`), 'urgent')).toEqual(['fail cert-expiring'])
  })

  test.each([
    ['--fail-before soon', 'expected a duration such as 500ms, 10s, 1m30s, got "soon"'],
    ['--fail-before 200%', 'expected a duration such as 30d, or a share such as 30%, got "200%"'],
    ['--warn-before stem=3d', 'expected leaf=, intermediate= or root= before the value, got "stem=3d"'],
    ['--warn-before 3d --warn-before 4d', 'given twice without a place'],
    ['--warn-before 3d --fail-before 4d', '--warn-before 3d is less than --fail-before 4d'],
  ])('%s is a usage error', async (flags, message) => {
    const {stderr, exitCode} = await sandbox.run(`check well -n checks ${flags}`)

    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })
})

describe('expected roots', () => {
  test('a root that a proxy lacks is a failure at once, one that it has is none', async () => {
    const {stdout} = await sandbox.run('secrets roots -n checks -o json')
    const roots = JSON.parse(stdout) as {fleet: {roots: {fingerprint_sha256: string; subject: string}[]}}
    const own = roots.fleet.roots.find(({subject}) => subject === 'O=cluster.local')?.fingerprint_sha256 ?? ''

    const has = await check(`well -n checks --rule root-missing --roots ${own}`)
    const lacks = await check(`well -n checks --rule root-missing --roots ${own} --roots ${'ab'.repeat(32)}`)

    expect(has.items[0]?.verdict).toBe('pass')
    expect(messageOf(lacks, 'well', 'root-missing')).toContain('expected root abababababababab is not trusted')
  })

  test('what is neither a fingerprint nor a file is a usage error', async () => {
    const {exitCode, stderr} = await sandbox.run('check well -n checks --roots /no/such/file')

    expect(stderr).toContain('--roots: /no/such/file is no fingerprint, and cannot be read as a file: no such file')
    expect(exitCode).toBe(2)
  })
})

test('a secret that istiod does not serve is told with what to look at, by name', async () => {
  const zoo = await openSandbox({scenario: 'zoo'})

  const {stdout} = await zoo.run(
    'check edge-gateway-istio-7c9f5d8b6-q4m2d -n edge --rule secret-warming --settle 0 -o json',
  )

  await zoo.close()
  const {items} = JSON.parse(stdout) as CheckDoc
  expect(items[0]?.findings?.map(({hint}) => hint)).toEqual([
    "See that Secret edge/missing-cert exists and has tls.crt and tls.key, and that the gateway's service account may read it",
  ])
})
