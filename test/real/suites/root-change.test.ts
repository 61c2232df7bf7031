import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {OUTPUTS} from '../../support/built.ts'
import {type Answer, ask, type Output} from '../agentctl.ts'
import {askRoots, breaking, type RootsAnswer} from '../ask-roots.ts'
import {publishedRoot} from '../cluster-pem.ts'
import {fingerprints, heldBy, isVerified} from '../held.ts'
import {makeCa, type PluggedCa, plugIn} from '../mesh/plugged-ca.ts'
import {sidecarPod} from '../mesh/pods.ts'
import {kubectl, site} from '../site.ts'
import {waitUntil} from '../wait-until.ts'
import {witness} from '../witness.ts'

/** Certificates of these live a minute, and are renewed about every 30 s; with them they take up new roots. */
const QUICK = [
  {name: 'changing-1', writesFiles: true, lifetime: '60s'},
  {name: 'changing-2', isNative: true, lifetime: '60s'},
]
/** Its certificate lives a day: within these tests it takes up nothing, unless it is made anew. */
const SLOW = 'slow-1'
const PODS = [...QUICK.map(({name}) => name), SLOW]
const RULES = ['root-missing', 'root-divergent', 'proxy-stale']
const ROTATED = 90_000

let folder: string
let a: PluggedCa
let b: PluggedCa

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'real-root-change-'))
  a = await makeCa('a', 30)
  // No two of the four certificates end together: istiod's is known by its end.
  b = await makeCa('b', 70)
  await writeFile(file('a'), a.root)
  await writeFile(file('b'), b.root)
  // What other suites left would have to take up a root that it has no word of.
  await kubectl.run(['delete', 'pods', '-n', 'shop', '--all', '--now'])
  await use(a, a.root)
  await kubectl.apply(QUICK.map(sidecarPod))
  await renewSlow()
}, 180_000)

afterAll(async () => await rm(folder, {recursive: true}))

function file(root: string): string {
  return join(folder, `${root}.pem`)
}

async function use(ca: PluggedCa, roots: string): Promise<void> {
  await plugIn(kubectl, site.kubeconfig, ca, roots)
}

async function renewSlow(): Promise<void> {
  await kubectl.run(['delete', 'pod', '-n', 'shop', SLOW, '--ignore-not-found', '--now'])
  await kubectl.apply([sidecarPod({name: SLOW})])
  await kubectl.run(['wait', '-n', 'shop', '--for=condition=Ready', 'pods', '--all', '--timeout=120s'])
}

async function roots(output: Output, ...flags: readonly string[]): Promise<RootsAnswer> {
  return await askRoots(output, ['-n', 'shop', ...flags])
}

async function diff(output: Output): Promise<Answer> {
  return await ask(output, ['secrets', 'diff', '-n', 'shop'])
}

async function check(output: Output): Promise<Answer> {
  return await ask(output, ['check', '-n', 'shop', '--rule', RULES.join(',')])
}

/** Asks both outputs in turn until openssl says that the quick pods are there. Gives the answers that were not well. */
async function watch(what: string, isThere: (pod: string) => Promise<boolean>): Promise<readonly Answer[]> {
  const wrong: Answer[] = []
  let round = 0
  await waitUntil(what, ROTATED, async () => {
    const [, output] = OUTPUTS[round % OUTPUTS.length]!
    round += 1
    const answers = [await diff(output), await check(output)]
    wrong.push(...answers.filter(({code}) => code !== 0))
    const there = await Promise.all(QUICK.map(async ({name}) => await isThere(name)))
    return there.every(Boolean) ? true : undefined
  })
  return wrong
}

/** Whether a pod trusts what is published, by openssl. */
async function hasRoots(pod: string, pem: string): Promise<boolean> {
  const [held, wanted] = await Promise.all([fingerprints((await heldBy(pod)).roots), fingerprints(pem)])
  return held.toSorted().join() === wanted.toSorted().join()
}

async function isBelow(pod: string, root: string): Promise<boolean> {
  return await isVerified((await heldBy(pod)).chain, root)
}

/** What `secrets roots` counts of a root. */
type Counted = Pick<RootsAnswer['roots'][number], 'fingerprint_sha256' | 'trusted_by' | 'leaves' | 'published_in'>

/** The same, by openssl and the ConfigMap. */
async function truth(...all: readonly string[]): Promise<readonly Counted[]> {
  const held = await Promise.all(PODS.map(heldBy))
  const trusted = await Promise.all(held.map(async (one) => await fingerprints(one.roots)))
  const published = await fingerprints(await publishedRoot())
  const counted = all.map(async (root) => {
    const {fingerprint} = await witness(root)
    const below = await Promise.all(held.map(async ({chain}) => await isVerified(chain, root)))
    return {
      fingerprint_sha256: fingerprint,
      trusted_by: trusted.filter((roots) => roots.includes(fingerprint)).length,
      leaves: below.filter(Boolean).length,
      published_in: published.includes(fingerprint) ? 1 : 0,
    }
  })
  return byFingerprint(await Promise.all(counted))
}

async function counts(output: Output): Promise<readonly Counted[]> {
  const found = (await roots(output)).roots
  return byFingerprint(
    found.map(({fingerprint_sha256, trusted_by, leaves, published_in}) => ({
      fingerprint_sha256,
      trusted_by,
      leaves,
      published_in,
    })),
  )
}

function byFingerprint(all: readonly Counted[]): readonly Counted[] {
  return all.toSorted((one, other) => one.fingerprint_sha256.localeCompare(other.fingerprint_sha256))
}

/** Who signs, as istiod's metric of its own certificate and the chains that pods show say together. */
async function signing(output: Output): Promise<readonly string[]> {
  const names = new Map([
    [(await witness(a.root)).fingerprint, 'a'],
    [(await witness(b.root)).fingerprint, 'b'],
  ])
  return (await roots(output)).roots
    .filter((root) => root.signing)
    .map((root) => names.get(root.fingerprint_sha256) ?? 'other')
}

/** What `check` has found, of whom and how bad. */
function told({items, findings}: Answer): readonly string[] {
  const ofPods = items.flatMap((item) =>
    (item.findings ?? []).map(({rule, severity}) => `${item.pod} ${severity} ${rule}`),
  )
  return [...ofPods, ...findings.map(({rule, severity}) => `${severity} ${rule}`)]
}

/** Answers of the commands in a stage, with who would break. */
async function judged(output: Output): Promise<object> {
  const expected = await roots(output, '--expect', file('b'))
  const without = await roots(output, '--without', file('a'))
  const differing = await diff(output)
  const checked = await check(output)
  return {
    expect: [expected.code, breaking(expected.expect)],
    without: [without.code, breaking(without.without)],
    needing: without.without?.would_break.filter(({reason}) => reason.includes(NEEDS_IT)).map(({pod}) => pod),
    unproven: [...(expected.expect?.not_proven ?? []), ...(without.without?.not_proven ?? [])],
    diff: [differing.code, differing.items.flatMap(({secrets}) => secrets).filter(({result}) => result === 'MISMATCH')],
    check: [checked.code, told(checked)],
  }
}

/** Why a pod breaks by itself, and not only because it can no longer check others. */
const NEEDS_IT = 'its chain ends in it alone'

const WELL = {unproven: [], diff: [0, []], check: [0, []]}

describe('the old root alone', () => {
  test.each(OUTPUTS)('%s lets nobody be signed for with the new one, nor the old one go', async (_name, output) => {
    expect(await counts(output)).toEqual(await truth(a.root))
    expect(await signing(output)).toEqual(['a'])
    expect(await judged(output)).toEqual({...WELL, expect: [1, PODS], without: [1, PODS], needing: PODS})
  })
})

describe('the new root beside the old one', () => {
  let wrong: readonly Answer[]

  beforeAll(async () => {
    await use(a, a.root + b.root)
    wrong = await watch('both roots', async (pod) => await hasRoots(pod, a.root + b.root))
  }, 180_000)

  test('is no failure while pods take it up', () => {
    expect(wrong).toEqual([])
  })

  test.each(OUTPUTS)('%s names the pod that has not taken it up', async (_name, output) => {
    expect(await counts(output)).toEqual(await truth(a.root, b.root))
    expect(await signing(output)).toEqual(['a'])
    expect(await judged(output)).toEqual({
      ...WELL,
      expect: [1, [SLOW]],
      without: [1, PODS],
      needing: PODS,
      check: [0, [`${SLOW} warn root-missing`, 'warn root-divergent']],
    })
  })

  describe('and in all pods', () => {
    beforeAll(renewSlow, 150_000)

    test.each(OUTPUTS)('%s lets certificates be signed with it', async (_name, output) => {
      expect(await judged(output)).toEqual({...WELL, expect: [0, []], without: [1, PODS], needing: PODS})
    })
  })
})

describe('certificates below the new root', () => {
  let wrong: readonly Answer[]

  beforeAll(async () => {
    await use(b, a.root + b.root)
    wrong = await watch('certificates below the new root', async (pod) => await isBelow(pod, b.root))
  }, 180_000)

  test('are no failure while pods renew theirs', () => {
    expect(wrong).toEqual([])
  })

  test.each(OUTPUTS)(
    '%s names the pod that still needs the old root, and who has to check it',
    async (_name, output) => {
      expect(await counts(output)).toEqual(await truth(a.root, b.root))
      expect(await signing(output)).toEqual(['b'])
      expect(await judged(output)).toEqual({...WELL, expect: [0, []], without: [1, PODS], needing: [SLOW]})
    },
  )

  describe('and in all pods', () => {
    beforeAll(renewSlow, 150_000)

    test.each(OUTPUTS)('%s lets the old root go', async (_name, output) => {
      expect(await judged(output)).toEqual({...WELL, expect: [0, []], without: [0, []], needing: []})
    })
  })
})

describe('the new root alone', () => {
  let wrong: readonly Answer[]

  beforeAll(async () => {
    await use(b, b.root)
    wrong = await watch('the new root alone', async (pod) => await hasRoots(pod, b.root))
  }, 180_000)

  test('is no failure while pods let the old one go', () => {
    expect(wrong).toEqual([])
  })

  test.each(OUTPUTS)('%s finds a pod that trusts the old one, too, and nobody who needs it', async (_name, output) => {
    expect(await counts(output)).toEqual(await truth(a.root, b.root))
    expect(await signing(output)).toEqual(['b'])
    expect(await judged(output)).toEqual({
      ...WELL,
      expect: [0, []],
      without: [0, []],
      needing: [],
      check: [0, ['warn root-divergent']],
    })
  })
})
