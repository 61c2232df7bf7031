import {describe, expect, test} from '@jest/globals'
import {concludeRoots} from '../../../../src/lib/compare/roots/conclude-roots.ts'
import {FleetTally} from '../../../../src/lib/compare/roots/fleet-tally.ts'
import type {Certificate} from '../../../../src/lib/domain/certificate.ts'
import type {PodReason, PodRoots, RootHeld, RootQuestions, TrustBundle} from '../../../../src/lib/domain/roots.ts'
import {createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import {foldRoots} from '../../../../src/lib/flow/look-at-roots.ts'
import {meshPod} from '../../../support/mesh-pods.ts'
import type {RootsItem, SideState, Verdict} from '../../../../src/lib/domain/report.ts'
import type {Signatures} from '../../../../src/lib/domain/signatures.ts'

const NOW_MS = Date.parse('2026-06-01T12:00:00Z')
const NONE: Signatures = {issuers: new Map(), untried: new Set()}

function root(name: string, more: Partial<Certificate> = {}): Certificate {
  const fingerprint = name.padEnd(64, '0')
  return {
    readable: true,
    fingerprint,
    serial: '01',
    notBeforeMs: NOW_MS - 1000,
    notAfterMs: NOW_MS + 1000_000,
    subject: 'O=cluster.local',
    issuer: 'O=cluster.local',
    sans: [],
    spiffeIds: [],
    isCa: true,
    selfSigned: true,
    key: {type: 'EC', fingerprint: `key of ${name}`},
    position: 'root',
    ...more,
  }
}

const A = root('a')
const B = root('b')
const held = (certificate: Certificate, status: RootHeld['status'] = 'VALID'): RootHeld => ({certificate, status})
const rootca = (...roots: readonly Certificate[]): TrustBundle => ({
  name: 'ROOTCA',
  source: 'envoy-config-dump',
  roots: roots.map((one) => held(one)),
})
const leaf = (signedBy: readonly Certificate[], trustDomain = 'cluster.local') => ({
  trustDomain,
  endsIn: signedBy,
  top: root('leaf', {selfSigned: false}),
})

interface PodSaid extends Partial<PodRoots> {
  readonly namespace?: string
  readonly proxy?: SideState
  readonly verdict?: Verdict
}

function itemOf({namespace = 'shop', proxy = 'read', verdict = 'pass', ...roots}: PodSaid, index: number): RootsItem {
  return {
    pod: {...meshPod(), namespace, name: `p${index}`},
    verdict,
    sides: {agent: {state: 'none', answers: []}, proxy: {state: proxy, answers: []}},
    failures: proxy === 'read' ? [] : [{stage: 'fetch', code: 'port-closed', message: 'Cannot read it'}],
    incomplete: proxy !== 'read',
    findings: [],
    roots: {bundles: [], leaves: [], signingRootEndsMs: [], ...roots},
  }
}

/** What a fleet of pods, called p0, p1, … in their order, concludes. */
function conclude(pods: readonly PodSaid[], questions: RootQuestions = {}, signatures = NONE) {
  const tally = new FleetTally()
  for (const [index, pod] of pods.entries()) tally.take(itemOf(pod, index))
  return concludeRoots(tally.seen(), {questions, signatures, nowMs: NOW_MS})
}

const names = (pods: readonly PodReason[] | undefined): readonly string[] => (pods ?? []).map(({pod}) => pod.name)
const wanted = ({fingerprint = ''}: Certificate) => ({fingerprint})

describe('--expect', () => {
  const ask = (pods: readonly PodSaid[], certificate = B) =>
    conclude(pods, {expect: wanted(certificate)}).answers.find(({question}) => question === 'expect')

  test('passes where every bundle holds the root, in whatever order', () => {
    const answer = ask([{bundles: [rootca(A, B)]}, {bundles: [rootca(B, A)]}, {bundles: [rootca(B)]}])

    expect(answer).toMatchObject({verdict: 'pass', wouldBreak: [], notProven: [], wellCount: 3})
  })

  test('of a root that is nowhere yet names every verifier', () => {
    expect(names(ask([{bundles: [rootca(A)]}, {bundles: [rootca(A)]}])?.wouldBreak)).toEqual(['p0', 'p1'])
  })

  test('is not answered by a root that is not valid where it is held', () => {
    const answer = ask([{bundles: [{...rootca(), roots: [held(B, 'NOT_YET_VALID')]}]}])

    expect(answer?.wouldBreak[0]?.reason).toBe('it holds the root, which is NOT_YET_VALID there')
  })

  test('is refused by a root that has ended, whoever trusts it', () => {
    const ended = root('b', {notAfterMs: NOW_MS - 1000})

    expect(ask([{bundles: [rootca(ended)]}], ended)).toMatchObject({
      verdict: 'fail',
      because: 'it ended at 2026-06-01T11:59:59Z',
    })
  })

  test('says that a root of the same name and key is held in its place', () => {
    const again = root('c', {key: A.key})

    const answer = ask([{bundles: [rootca(A)]}, {bundles: [rootca(again)]}], again)

    expect(answer?.wouldBreak[0]?.reason).toBe('it trusts 1 other root, one of them with the same name and key')
  })

  test('leaves out a mesh of another trust domain that checks nothing of it', () => {
    const other = root('d')
    const pods = [
      {bundles: [rootca(A, B)], leaves: [leaf([A])]},
      {bundles: [rootca(other)], leaves: [leaf([other], 'other.example')]},
    ]

    expect(ask(pods)).toMatchObject({verdict: 'pass', wellCount: 2})
  })

  test('counts who checks certificates of that trust domain from another one', () => {
    const other = root('d')
    const pods = [
      {bundles: [rootca(A, B)], leaves: [leaf([A])]},
      {bundles: [rootca(other, A)], leaves: [leaf([other], 'other.example')]},
    ]

    expect(names(ask(pods)?.wouldBreak)).toEqual(['p1'])
  })

  test('looks into the bundle of the trust domain, where each has one', () => {
    const bundleOf = (trustDomain: string, ...roots: readonly Certificate[]): TrustBundle => ({
      ...rootca(...roots),
      trustDomain,
    })
    const other = root('d')
    const pods = [
      {bundles: [bundleOf('cluster.local', A, B), bundleOf('other.example', other)], leaves: [leaf([A])]},
      {bundles: [bundleOf('cluster.local', A), bundleOf('other.example', other, B)], leaves: [leaf([A])]},
    ]
    const ofOther = {bundles: [bundleOf('other.example', other, B)], leaves: [leaf([other], 'other.example')]}

    expect(names(ask(pods)?.wouldBreak)).toEqual(['p1'])
    expect(names(ask([...pods, ofOther])?.wouldBreak)).toEqual(['p0', 'p1'])
  })

  test.each([
    ['a pod that was not read', {proxy: 'failed'}, 'Cannot read it'],
    ['a pod that was read in part', {proxy: 'partial', bundles: [rootca(A, B)]}, 'Cannot read it'],
    ['a pod that shows an identity and no roots', {leaves: [leaf([])]}, 'it shows no mesh roots'],
    ['a bundle that may be larger', {bundles: [{...rootca(A), untold: 'it may trust more'}]}, 'it may trust more'],
  ] as const)('%s is not proven', (_, pod, reason) => {
    const answer = ask([{bundles: [rootca(A, B)]}, pod])

    expect(answer).toMatchObject({verdict: 'unknown', wouldBreak: [], notProven: [{reason}]})
  })

  test('a bundle that may be larger and shows the root is proven', () => {
    expect(ask([{bundles: [{...rootca(B), untold: 'it may trust more'}]}])?.verdict).toBe('pass')
  })

  test('a skipped pod counts for nothing', () => {
    expect(ask([{bundles: [rootca(B)]}, {verdict: 'skipped'}])).toMatchObject({verdict: 'pass', wellCount: 1})
  })
})

describe('--without', () => {
  const ask = (pods: readonly PodSaid[], certificate = A, signatures = NONE) =>
    conclude(pods, {without: wanted(certificate)}, signatures).answers.find(({question}) => question === 'without')

  test('passes for a root that no chain leads to', () => {
    expect(ask([{bundles: [rootca(A, B)], leaves: [leaf([B])]}])).toMatchObject({verdict: 'pass', wellCount: 1})
  })

  test('names who shows a certificate of it, and who has to check that', () => {
    const pods = [
      {bundles: [rootca(A, B)], leaves: [leaf([A])]},
      {bundles: [rootca(A, B)], leaves: [leaf([B])]},
    ]

    expect(ask(pods)?.wouldBreak.map(({reason}) => reason)).toEqual([
      'its chain ends in it alone; could not check 1 pod',
      'could not check 1 pod',
    ])
  })

  test('lets a root go that another one of the same name and key stands in for', () => {
    const again = root('c', {key: A.key})
    const pods = [{bundles: [rootca(A, again)], leaves: [leaf([A, again])]}]

    expect(ask(pods)?.verdict).toBe('pass')
  })

  test('lets a cross-signed chain go on to its other root, and names who lacks that one', () => {
    const pods = [
      {bundles: [rootca(A, B)], leaves: [leaf([A, B])]},
      {bundles: [rootca(A)], leaves: []},
    ]

    expect(ask(pods)?.wouldBreak).toMatchObject([{pod: {name: 'p1'}, reason: 'could not check 1 pod'}])
  })

  test('does not blame it for what was not checked before', () => {
    const pods = [
      {bundles: [rootca(root('c'))], leaves: []},
      {bundles: [rootca(A, B)], leaves: [leaf([B])]},
    ]

    expect(ask(pods)?.verdict).toBe('pass')
  })

  test('does not count on a root that has ended where it is held', () => {
    const pods = [
      {bundles: [{...rootca(), roots: [held(A), held(B, 'EXPIRED')]}], leaves: []},
      {bundles: [{...rootca(), roots: [held(A), held(B, 'EXPIRED')]}], leaves: [leaf([A, B])]},
    ]

    expect(ask(pods)?.wouldBreak.map(({reason}) => reason)).toEqual([
      'could not check 1 pod',
      'its chain ends in it alone; could not check 1 pod',
    ])
  })

  test('counts a ztunnel as lost where one of its identities is', () => {
    const pods = [
      {bundles: [rootca(A)], leaves: [leaf([A, B])]},
      {bundles: [rootca(A), {...rootca(B), name: 'another identity'}], leaves: []},
      {bundles: [rootca(A, B), {...rootca(A), name: 'another identity'}], leaves: []},
    ]

    expect(names(ask(pods)?.wouldBreak)).toEqual(['p0', 'p1', 'p2'])
  })

  test('counts a pod once whose identities end in the same root', () => {
    const pods = [{bundles: [rootca(A)], leaves: [leaf([A]), {...leaf([A]), top: root('another')}]}]

    expect(conclude(pods).roots.map(({leaves}) => leaves)).toEqual([1])
  })

  test('finds who signed a chain whose own pod holds no root of it', () => {
    const top = root('top', {selfSigned: false})
    const pods = [
      {bundles: [rootca(B)], leaves: [{trustDomain: 'cluster.local', endsIn: [], top}]},
      {bundles: [rootca(A, B)], leaves: [leaf([B])]},
    ]
    const signatures = {...NONE, issuers: new Map([[top.fingerprint ?? '', new Set([A.fingerprint ?? ''])]])}

    expect(names(ask(pods, A, signatures)?.wouldBreak)).toEqual(['p0', 'p1'])
  })

  test('is not proven where a verifier may hold more than it shows', () => {
    const untold = 'it may trust more'
    const pods = [
      {bundles: [{...rootca(A), untold}], leaves: [leaf([A, B])]},
      {bundles: [rootca(A, B)], leaves: []},
    ]

    expect(ask(pods)).toMatchObject({verdict: 'unknown', wouldBreak: [], notProven: [{reason: untold}]})
  })
})

describe('what nobody has to ask for', () => {
  test('pods that cannot check what others of their trust domain show are told', () => {
    const {blind} = conclude([
      {bundles: [rootca(A)], leaves: [leaf([A])]},
      {bundles: [rootca(B)], leaves: [leaf([B])]},
    ])

    expect(blind).toMatchObject([
      {pod: {name: 'p0'}, reason: 'none of its roots checks the certificates of 1 pod'},
      {pod: {name: 'p1'}, reason: 'none of its roots checks the certificates of 1 pod'},
    ])
  })

  test('a pod of an issuer whose root nobody holds is told', () => {
    const top = root('top', {selfSigned: false, issuer: 'O=gone'})

    const {orphans} = conclude([{bundles: [rootca(A)], leaves: [{trustDomain: 'cluster.local', endsIn: [], top}]}])

    expect(orphans).toMatchObject([{pod: {name: 'p0'}, reason: 'nobody holds the root of its issuer O=gone'}])
  })

  test('roots that are only published are listed, and a pod without an identity is of the domain of its roots', () => {
    const {roots} = conclude([
      {bundles: [rootca(A)], leaves: [leaf([A])], published: [A, B]},
      {bundles: [rootca(A)], namespace: 'bank'},
    ])

    expect(roots.map((one) => [one.trustDomain, one.certificate, one.trustedBy, one.verifiers, one.published])).toEqual(
      [
        ['cluster.local', A, 2, 2, {namespaces: 1, of: 1}],
        ['cluster.local', B, 0, 2, {namespaces: 1, of: 1}],
      ],
    )
  })

  test('the root is told that a control plane signs under, by when it ends', () => {
    const later = root('b', {notAfterMs: NOW_MS + 5_000_000})

    const {roots} = conclude([
      {bundles: [rootca(A, later)], leaves: [leaf([A])], signingRootEndsMs: [later.notAfterMs + 1500]},
    ])

    expect(roots.map(({isSigning}) => isSigning)).toEqual([false, true])
  })
})

test('what a run did not come to leaves an answer open, though nobody of the others breaks', () => {
  const fold = foldRoots({expect: wanted(B)}, createCertificateReader({maxEntries: 10}), () => NOW_MS)
  fold.take(itemOf({bundles: [rootca(B)]}, 0))

  expect(fold.conclude(true)).toMatchObject({findings: [], roots: {answers: [{verdict: 'pass'}]}})
  expect(fold.conclude(false)).toMatchObject({findings: [], roots: {answers: [{verdict: 'unknown'}]}})
})
