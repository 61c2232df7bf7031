import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals'
import {z} from 'zod'
import {type RotationStage, rotationStages} from '../../../src/lib/sandbox/scenario/rotation-scenario.ts'
import {schemaErrors} from '../../lib/report/schema-check.ts'
import {type OpenSandbox, openSandbox} from '../../support/open-sandbox.ts'
import {type Ran, runCommand} from '../../support/run-command.ts'

const PODS = z.array(z.object({namespace: z.string(), pod: z.string(), reason: z.string()}))
const ANSWER = z.object({
  verdict: z.string(),
  because: z.string().optional(),
  would_break: PODS,
  not_proven: PODS,
  proven: z.number(),
})
const DOCUMENT = z.object({
  kind: z.literal('RootList'),
  items: z.array(
    z.object({
      pod: z.string(),
      verdict: z.string(),
      trusts: z.array(z.object({resource_name: z.string(), roots: z.array(z.string()), untold: z.string().optional()})),
      leaves: z.array(z.object({trust_domain: z.string(), ends_in: z.array(z.string())})),
      published: z.array(z.string()).optional(),
    }),
  ),
  fleet: z.object({
    complete: z.boolean(),
    findings: z.array(z.object({rule: z.string(), severity: z.string(), message: z.string()})),
    roots: z.array(
      z.object({
        trust_domain: z.string(),
        subject: z.string(),
        fingerprint_sha256: z.string(),
        not_before: z.string(),
        trusted_by: z.number(),
        verifiers: z.number(),
        leaves: z.number(),
        published_in: z.number(),
        published_known: z.number(),
        signing: z.boolean(),
        cert: z.string().optional(),
      }),
    ),
    expect: ANSWER.optional(),
    without: ANSWER.optional(),
  }),
})

let folder: string
const open = new Map<RotationStage, OpenSandbox>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agentctl-roots-'))
  for (const stage of rotationStages) open.set(stage, await openSandbox({scenario: 'rotation', stage}))
})

afterAll(async () => {
  await Promise.all([...open.values()].map(async (one) => await one.close()))
  rmSync(folder, {recursive: true, force: true})
})

function at(stage: RotationStage): OpenSandbox {
  const found = open.get(stage)
  if (found === undefined) throw new Error(`no sandbox at ${stage}`)
  return found
}

const roots = async (stage: RotationStage, line = '', user?: 'reader' | 'nobody'): Promise<Ran> =>
  await at(stage).run(`secrets roots -A --deadline 2s ${line}`, user === undefined ? {} : {user})

const read = (ran: Ran) => DOCUMENT.parse(JSON.parse(ran.stdout))

/** The old and the new root of a stage, by when they begin; the new one of another mesh where it is not there yet. */
async function rootsAt(stage: RotationStage): Promise<{readonly old: string; readonly next: string}> {
  const {fleet} = read(await roots(stage, '-o json'))
  const found = fleet.roots.toSorted((a, b) => (a.not_before < b.not_before ? -1 : 1))
  const [first, second] = found.map(({fingerprint_sha256: fingerprint}) => fingerprint)
  const nowhere = 'ab'.repeat(32)
  if (stage === 'new-only') return {old: nowhere, next: first ?? nowhere}
  return {old: first ?? nowhere, next: second ?? nowhere}
}

const EARLY = [
  'bank/rates-6c7d9f5b8-early',
  'istio-system/ztunnel-early',
  'shop/cart-5d8f7c9b6-early',
  'shop/search-5d8f7c9b6-early',
]
const ALL = [...EARLY, ...EARLY.map((name) => name.replace('rates', 'ledger').replace('early', 'late2'))].toSorted()

const names = (pods: z.infer<typeof PODS>) => pods.map(({namespace, pod}) => `${namespace}/${pod}`).toSorted()

describe('through a change of roots', () => {
  test.each([
    // Nobody knows the new root.
    ['old-only', ALL, ALL],
    // Half of the pods have renewed since it was published.
    ['both-published', EARLY, ALL],
    ['both-trusted', [], ALL],
    // Half of the pods still show a certificate of the old one, which all others have to check.
    ['new-signs', [], ALL],
    ['old-unused', [], []],
    ['new-published', [], []],
    ['new-only', [], []],
  ] as const)(
    'at %s it is known who lacks the new root, and who needs the old one',
    async (stage, lacking, needing) => {
      const {old, next} = await rootsAt(stage)

      const ran = await roots(stage, `--expect ${next} --without ${old} -o json`)

      const {fleet} = read(ran)
      expect(names(fleet.expect?.would_break ?? [])).toEqual(lacking)
      expect(names(fleet.without?.would_break ?? [])).toEqual(needing)
      expect([fleet.expect?.verdict, fleet.without?.verdict]).toEqual([
        lacking.length === 0 ? 'pass' : 'fail',
        needing.length === 0 ? 'pass' : 'fail',
      ])
      expect(ran.exitCode).toBe(lacking.length + needing.length === 0 ? 0 : 1)
      expect(await schemaErrors('RootList', JSON.parse(ran.stdout))).toEqual([])
    },
  )

  test.each([
    ['old-only', [[8, 8, 2, true]]],
    [
      'both-published',
      [
        [8, 8, 2, true],
        [4, 0, 2, false],
      ],
    ],
    [
      'new-signs',
      [
        [8, 4, 2, false],
        [8, 4, 2, true],
      ],
    ],
    [
      'new-published',
      [
        [4, 0, 0, false],
        [8, 8, 2, true],
      ],
    ],
  ] as const)('at %s each root has its counts', async (stage, counts) => {
    const {fleet} = read(await roots(stage, '-o json'))

    const found = fleet.roots.toSorted((a, b) => (a.not_before < b.not_before ? -1 : 1))
    expect(found.map((one) => [one.trusted_by, one.leaves, one.published_in, one.signing])).toEqual(counts)
    expect(found.map((one) => [one.trust_domain, one.verifiers, one.published_known])).toEqual(
      counts.map(() => ['cluster.local', 8, 2]),
    )
  })

  test('whoever must check certificates of the old root is told from who shows one', async () => {
    const {old} = await rootsAt('new-signs')

    const {fleet} = read(await roots('new-signs', `--without ${old} -o json`))

    const reasons = new Map(fleet.without?.would_break.map(({pod, reason}) => [pod, reason]))
    expect(reasons.get('cart-5d8f7c9b6-late2')).toBe('could not check 4 pods')
    expect(reasons.get('cart-5d8f7c9b6-early')).toBe('its chain ends in it alone; could not check 4 pods')
  })
})

describe('what is asked about', () => {
  test('a root may be given as the PEM that the document holds', async () => {
    const {fleet} = read(await roots('both-published', '-o json'))
    const path = join(folder, 'next.pem')
    const [, next] = fleet.roots.toSorted((a, b) => (a.not_before < b.not_before ? -1 : 1))
    writeFileSync(path, next?.cert ?? '')

    const ran = await roots('both-published', `--expect ${path} -o json`)

    expect(names(read(ran).fleet.expect?.would_break ?? [])).toEqual(EARLY)
    expect(ran.exitCode).toBe(1)
  })

  test('the fingerprint may be as short as the table shows it, and as openssl prints it', async () => {
    const {next} = await rootsAt('both-trusted')
    const colons = (next.toUpperCase().match(/../g) ?? []).join(':')

    const short = await roots('both-trusted', `--expect ${next.slice(0, 16)}`)
    const long = await roots('both-trusted', `--expect sha256=${colons}`)

    expect([short.exitCode, long.exitCode]).toEqual([0, 0])
    expect(short.stdout).toContain(`May certificates be signed with ${next.slice(0, 16)}? Yes: 8 pods do`)
  })

  test.each([
    ['--expect abcdef', 'abcdef is no fingerprint, and cannot be read as a file: no such file'],
    ['--without {folder}/two.pem', 'two.pem holds 2 certificates, and one can be asked about'],
    ['--without {folder}/key.pem', 'key.pem holds no certificate, but a private key'],
    ['--expect {folder}/text.pem', 'text.pem: PEM block is no certificate'],
  ])('%s is a usage error', async (flags, problem) => {
    const {fleet} = read(await roots('both-trusted', '-o json'))
    writeFileSync(join(folder, 'two.pem'), fleet.roots.map(({cert}) => cert).join(''))
    writeFileSync(join(folder, 'key.pem'), '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n')
    writeFileSync(join(folder, 'text.pem'), 'hello')

    const ran = await roots('both-trusted', flags.replace('{folder}', folder))

    expect(ran).toMatchObject({stdout: '', exitCode: 2})
    expect(ran.stderr).toContain(problem)
    expect(ran.stderr).not.toContain('AAAA')
  })
})

describe('an answer that may mislead', () => {
  test.each([
    ['-n shop', true],
    ['-A --kind istio-ztunnel', true],
    ['-A -l app=search', true],
    ['-A', false],
  ])('of the pods of %s is told that others were not asked: %s', async (pods, isTold) => {
    const {old} = await rootsAt('old-unused')

    const ran = await at('old-unused').run(`secrets roots ${pods} --without ${old}`)

    expect(ran.stderr.includes('Warning: Only the selected pods are asked')).toBe(isTold)
  })

  test('of all pods of files is told without that', async () => {
    const path = 'test/fixtures/cases/ztunnel-formats/new.json'

    const ran = await runCommand(['secrets', 'roots', '-f', path, '--without', 'ab'.repeat(32)])

    expect(ran.stdout).toContain(`May ${'ab'.repeat(8)} go?`)
    expect(ran.stderr).not.toContain('Only the selected pods')
  })

  test('of a root that nobody knows says so, where it is to go', async () => {
    const {old} = await rootsAt('old-unused')
    const nobody = 'No pod that was seen knows this root: check its fingerprint'

    const [unknown, known, expected] = await Promise.all(
      [`--without ${'ab'.repeat(32)}`, `--without ${old}`, `--expect ${'ab'.repeat(32)}`].map(
        async (line) => await roots('old-unused', line),
      ),
    )

    expect(unknown?.stdout).toContain(nobody)
    expect(known?.stdout).not.toContain(nobody)
    expect(expected?.stdout).not.toContain(nobody)
  })
})

describe('a pod that cannot be read', () => {
  afterEach(() => at('both-trusted').sandbox.fault('shop/cart-5d8f7c9b6-late2', undefined))

  test('is not proven, which ends with 3 where nobody is known to break', async () => {
    const {next} = await rootsAt('both-trusted')
    at('both-trusted').sandbox.fault('shop/cart-5d8f7c9b6-late2', {type: 'refuse'})

    const ran = await roots('both-trusted', `--expect ${next} -o json`)

    const {fleet, items} = read(ran)
    expect(fleet.expect).toMatchObject({verdict: 'unknown', would_break: [], proven: 7})
    expect(names(fleet.expect?.not_proven ?? [])).toEqual(['shop/cart-5d8f7c9b6-late2'])
    expect(items.find(({pod}) => pod === 'cart-5d8f7c9b6-late2')).toMatchObject({verdict: 'unknown', trusts: []})
    expect(ran.exitCode).toBe(3)
  })

  test('does not hide who is known to break', async () => {
    const {old} = await rootsAt('both-trusted')
    at('both-trusted').sandbox.fault('shop/cart-5d8f7c9b6-late2', {type: 'refuse'})

    const ran = await roots('both-trusted', `--without ${old} -o json`)

    expect(read(ran).fleet.without).toMatchObject({verdict: 'fail', proven: 0})
    expect(read(ran).fleet.without?.would_break).toHaveLength(7)
    expect(ran.exitCode).toBe(1)
  })

  test('leaves a table of those that could be', async () => {
    at('both-trusted').sandbox.fault('shop/cart-5d8f7c9b6-late2', {type: 'refuse'})

    const ran = await roots('both-trusted', '--no-headers')

    expect(ran.stdout).toMatch(/^cluster\.local {2}O=cluster\.local {2}7 of 7 {2}7 {2,}yes/)
    expect(ran.stderr).toContain('9 pods: 7 read, 1 unknown, 1 skipped')
    expect(ran.exitCode).toBe(3)
  })
})

describe('the roots of a mesh', () => {
  test('are a line each, by what most chains end in', async () => {
    const {stdout, stderr, exitCode} = await at('both-published').run('secrets roots -A --color never', {columns: 200})

    const [head, ...lines] = stdout.trimEnd().split('\n')
    expect(head?.replaceAll(/ {2,}/g, '  ')).toBe(
      'TRUST DOMAIN  ROOT  TRUSTED BY  LEAVES  PUBLISHED  SIGNING  LEFT  FINGERPRINT  SERIAL NUMBER  NOT AFTER  NOT BEFORE',
    )
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 7))).toEqual([
      ['cluster.local', 'O=cluster.local', '8 of 8', '8', 'yes', 'yes', '9y'],
      ['cluster.local', 'O=cluster.local', '4 of 8', '0', 'yes', '-', '10y'],
    ])
    expect(stderr).toBe('9 pods: 8 read, 1 skipped\n')
    expect(exitCode).toBe(0)
  })

  test('fit a terminal of 80 columns, fingerprint included', async () => {
    const {stdout} = await at('both-published').run('secrets roots -A --color never', {columns: 80})

    const lines = stdout.trimEnd().split('\n')
    expect(Math.max(...lines.map(({length}) => length))).toBeLessThanOrEqual(80)
    expect(lines.at(-1)).toMatch(/ [0-9a-f]{16}/)
  })

  test('may be columns of one’s own, in an order of one’s own', async () => {
    const ran = await roots(
      'both-published',
      '-o custom-columns=TRUSTED:.trusted_by,FROM:.not_before --sort-by .not_before',
    )

    expect(ran.stdout).toBe('TRUSTED  FROM\n8        2026-05-02T12:00:00Z\n4        2026-06-01T11:00:00Z\n')
  })

  test('of a gateway are its mesh’s, and not those that it checks clients with', async () => {
    const zoo = await openSandbox({scenario: 'zoo'})

    const ran = await zoo.run('secrets roots -A --kind istio-gateway -o json --deadline 2s')

    await zoo.close()
    const trusted = read(ran).items.flatMap(({trusts}) => trusts.map(({resource_name: name}) => name))
    expect(new Set(trusted)).toEqual(new Set(['ROOTCA']))
  })

  test('of a namespace whose ConfigMap may not be read are told, and what is published is not', async () => {
    const ran = await at('both-trusted').run('secrets roots -n shop -o json --no-source published-root')

    expect(read(ran).fleet.roots.map(({published_known: known}) => known)).toEqual([0, 0])
    expect(ran.exitCode).toBe(0)
  })

  test('of an istiod that cannot be asked are told without it, and it is a note', async () => {
    at('both-trusted').sandbox.fault('istio-system/istiod-66d8b9c7f-k2v5n', {type: 'refuse'})

    const ran = await roots('both-trusted', '-o json')

    at('both-trusted').sandbox.fault('istio-system/istiod-66d8b9c7f-k2v5n', undefined)
    expect(read(ran).fleet.roots.map(({signing}) => signing)).toEqual([false, false])
    expect(ran.stderr).toMatch(/^Note: .*istiod-66d8b9c7f-k2v5n/)
    expect(ran.exitCode).toBe(0)
  })
})

test('a mesh whose control plane is elsewhere is told without what it signs under, and how to leave that out', async () => {
  const fleet = await openSandbox({scenario: 'fleet', pods: 2})

  const ran = await fleet.run('secrets roots -A --no-headers')

  await fleet.close()
  expect(ran.stderr).toContain('No istiod runs in the namespace of the control plane')
  expect(ran.stderr).toContain('--no-source istiod-metrics')
  expect(ran.exitCode).toBe(0)
})

test.each([
  ['nothing is selected', '-n nowhere', 4],
  ['no selected pod checks certificates of the mesh', '-n istio-system --kind istiod', 4],
])('where %s, no question is answered with yes', async (_, where, code) => {
  const ran = await at('both-trusted').run(`secrets roots ${where} --without ${'ab'.repeat(32)}`)

  expect(ran.stdout).toContain('Not proven: no pod was seen that checks certificates')
  expect(ran.exitCode).toBe(code)
})

test.each([
  ['old.json', 3, 'Not proven'],
  ['old_plain_pem.json', 3, 'Not proven'],
  ['new.json', 1, 'No: 1 pod does not trust it'],
])(
  'of a ztunnel in the form of %s a root that it does not show is missing, or not proven',
  async (file, code, verdict) => {
    const path = join(import.meta.dirname, '../../fixtures/cases/ztunnel-formats', file)

    const {stdout, exitCode} = await runCommand(['secrets', 'roots', '-f', path, '--expect', 'ab'.repeat(32)])

    expect(stdout).toContain(verdict)
    expect(exitCode).toBe(code)
  },
)

test('of a real dump the root is told that the agent wrote to a file', async () => {
  const folder = join(import.meta.dirname, '../../fixtures/decode/real-istio-active')
  const argv = ['secrets', 'roots', '-f', join(folder, 'config_dump'), '--expect', join(folder, 'root-cert.pem')]

  const {stdout, exitCode} = await runCommand([...argv, '-o', 'json', '--now', '2026-12-01T00:00:00Z'])

  expect(DOCUMENT.parse(JSON.parse(stdout)).fleet).toMatchObject({
    expect: {verdict: 'pass', proven: 1},
    roots: [{trust_domain: 'cluster.local', subject: 'O=cluster.local', trusted_by: 1, leaves: 1}],
  })
  expect(exitCode).toBe(0)
})
