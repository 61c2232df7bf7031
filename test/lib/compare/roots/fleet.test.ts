import {describe, expect, test} from '@jest/globals'
import {concludeRoots} from '../../../../src/lib/compare/roots/conclude-roots.ts'
import {FleetTally} from '../../../../src/lib/compare/roots/fleet-tally.ts'
import type {Certificate} from '../../../../src/lib/domain/certificate.ts'
import type {
  MeshLeaf,
  PodReason,
  PodRoots,
  RootHeld,
  RootQuestions,
  TrustBundle,
} from '../../../../src/lib/domain/roots.ts'
import {createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import {foldRoots} from '../../../../src/lib/flow/look-at-roots.ts'
import {meshPod} from '../../../support/mesh-pods.ts'
import type {Source} from '../../../../src/lib/domain/question.ts'
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
const leaf = (
  signedBy: readonly Certificate[],
  trustDomain = 'cluster.local',
  issuers: readonly Certificate[] = [],
) => ({
  trustDomain,
  endsIn: signedBy,
  issuers,
  ...(signedBy.length === 0 && {top: root('leaf', {selfSigned: false})}),
})
const openLeaf = (top: Certificate, more: Partial<MeshLeaf> = {}): MeshLeaf => ({...leaf([]), top, ...more})
/** What of an intermediate is not as a root is. */
const INTERMEDIATE = {selfSigned: false, issuer: 'O=cluster.local'} as const

interface PodSaid extends Partial<PodRoots> {
  readonly namespace?: string
  readonly proxy?: SideState
  readonly proxySource?: Source
  readonly verdict?: Verdict
}

function itemOf(said: PodSaid, index: number): RootsItem {
  const {namespace = 'shop', proxy = 'read', proxySource = 'envoy-config-dump', verdict = 'pass', ...roots} = said
  return {
    pod: {...meshPod(), namespace, name: `p${index}`},
    verdict,
    sides: {
      agent: {state: 'none', answers: []},
      proxy: {state: proxy, answers: [{source: proxySource, route: 'port-forward'}]},
    },
    failures: proxy === 'read' ? [] : [{stage: 'fetch', code: 'port-closed', message: 'Cannot read it'}],
    incomplete: proxy !== 'read',
    findings: [],
    roots: {bundles: [], leaves: [], signing: [], ...roots},
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

    expect(ask(pods)).toMatchObject({verdict: 'pass', wellCount: 1})
  })

  test('is asked of a trust domain, too, whose certificates are checked where the root is held already', () => {
    const other = root('d')
    const pods = [
      {bundles: [rootca(A)], leaves: [leaf([A])]},
      {bundles: [rootca(other, A, B)], leaves: [leaf([other], 'other.example')]},
    ]

    expect(names(ask(pods)?.wouldBreak)).toEqual(['p0'])
  })

  test('names a pod that holds no bundle at all for its own trust domain', () => {
    const pods = [
      {bundles: [rootca(A, B)], leaves: [leaf([A])]},
      {bundles: [{...rootca(A), trustDomain: 'other.example'}], leaves: [leaf([A])]},
    ]

    expect(ask(pods)?.wouldBreak).toMatchObject([
      {pod: {name: 'p1'}, reason: 'it holds no roots for its own trust domain'},
    ])
  })

  test('is not proven where a pod lacks the root and shows no identity that tells its trust domain', () => {
    const pods = [{bundles: [rootca(A, B)], leaves: [leaf([A])]}, {bundles: [rootca(root('stale'))]}]

    expect(ask(pods)).toMatchObject({verdict: 'unknown', wouldBreak: [], notProven: [{pod: {name: 'p1'}}]})
  })

  test('names a pod for the bundle that is known to lack the root, not for one that may be larger', () => {
    const untold = {...rootca(A), untold: 'it may trust more'}

    expect(ask([{bundles: [untold, rootca(A)]}])).toMatchObject({
      verdict: 'fail',
      wouldBreak: [{reason: 'it trusts 1 other root'}],
    })
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
    ['a pod that was read and shows nothing yet', {}, 'it shows no mesh roots'],
    ['a bundle that may be larger', {bundles: [{...rootca(A), untold: 'it may trust more'}]}, 'it may trust more'],
  ] as const)('%s is not proven', (_, pod, reason) => {
    const answer = ask([{bundles: [rootca(A, B)]}, pod])

    expect(answer).toMatchObject({verdict: 'unknown', wouldBreak: [], notProven: [{reason}]})
  })

  test('a ztunnel that has no identity yet has nobody to check for', () => {
    expect(ask([{bundles: [rootca(B)]}, {proxySource: 'ztunnel-config-dump'}])?.verdict).toBe('pass')
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
    const pods = [{bundles: [rootca(A)], leaves: [leaf([A]), leaf([A], 'cluster.local', [root('another')])]}]

    expect(conclude(pods).roots.map(({leaves}) => leaves)).toEqual([1])
  })

  test('finds who signed a chain whose own pod holds no root of it', () => {
    const top = root('top', {selfSigned: false})
    const pods = [
      {bundles: [rootca(B)], leaves: [openLeaf(top)]},
      {bundles: [rootca(A, B)], leaves: [leaf([B])]},
    ]
    const signatures = {...NONE, issuers: new Map([[top.fingerprint ?? '', new Set([A.fingerprint ?? ''])]])}

    expect(names(ask(pods, A, signatures)?.wouldBreak)).toEqual(['p0', 'p1'])
  })

  test('names who checks by a root a chain that its own pod checks by the intermediate', () => {
    const middle = root('m', INTERMEDIATE)
    const pods = [
      {bundles: [rootca(middle)], leaves: [openLeaf(middle, {endsIn: [middle], issuers: [middle]})]},
      {bundles: [rootca(A)], leaves: [leaf([A])]},
      {bundles: [rootca(A, middle)], leaves: []},
    ]
    const signatures = {...NONE, issuers: new Map([[middle.fingerprint ?? '', new Set([A.fingerprint ?? ''])]])}

    const {answers, blind} = conclude(pods, {without: wanted(A)}, signatures)

    expect(answers[0]?.wouldBreak).toMatchObject([
      {pod: {name: 'p1'}, reason: 'its chain ends in it alone; could not check 2 pods'},
      {pod: {name: 'p2'}, reason: 'could not check 1 pod'},
    ])
    expect(blind.map(({pod, reason}) => `${pod.name} ${reason}`)).toEqual([
      'p0 none of its roots checks the certificates of 1 pod',
    ])
  })

  test('names who checks by the old root what was cross-signed, though the pod that shows it trusts the new one alone', () => {
    const crossed = root('crossed', {...INTERMEDIATE, subject: B.subject, key: B.key})
    const pods = [
      {bundles: [rootca(B)], leaves: [openLeaf(crossed, {endsIn: [B], issuers: [crossed]})]},
      {bundles: [rootca(A)], leaves: []},
    ]
    const signatures = {...NONE, issuers: new Map([[crossed.fingerprint ?? '', new Set([A.fingerprint ?? ''])]])}

    const {answers, blind, roots} = conclude(pods, {without: wanted(A)}, signatures)

    expect(answers[0]?.wouldBreak).toMatchObject([{pod: {name: 'p1'}, reason: 'could not check 1 pod'}])
    expect(blind).toEqual([])
    expect(roots.map((one) => `${one.trustDomain} ${one.leaves}`)).toEqual([' 0', 'cluster.local 1', 'cluster.local 1'])
  })

  test.each([
    ['a bundle that its proxy still waits for', rootca()],
    ['the bundle of another identity that checks nothing of it', rootca(root('c'))],
  ])('%s hides nothing of what the other one would lose', (_, more) => {
    const pods = [
      {bundles: [rootca(A), more], leaves: []},
      {bundles: [rootca(A, B)], leaves: [leaf([A, B])]},
    ]

    expect(names(ask(pods)?.wouldBreak)).toEqual(['p0'])
  })

  test('is not proven where a verifier may check by it what it shows no other root for', () => {
    const pods = [
      {bundles: [{...rootca(root('c')), untold: 'it may trust more'}], leaves: []},
      {bundles: [rootca(A, B)], leaves: [leaf([A, B])]},
    ]

    expect(ask(pods)).toMatchObject({verdict: 'unknown', notProven: [{pod: {name: 'p0'}, reason: 'it may trust more'}]})
  })

  test('is not proven where it is not known what a pod shows', () => {
    const pods = [
      {bundles: [rootca(A, B)], leaves: [leaf([B])]},
      {bundles: [rootca(A, B)], untoldLeaf: 'cut off'},
    ]

    expect(ask(pods)).toMatchObject({
      verdict: 'unknown',
      notProven: [{pod: {name: 'p1'}, reason: 'cut off'}],
      wellCount: 1,
    })
  })

  test('is not proven where not every root of the issuer’s name was tried', () => {
    const top = root('top', {selfSigned: false})
    const pods = [{bundles: [rootca(A, B)], leaves: [openLeaf(top), leaf([B])]}]
    const signatures = {issuers: new Map(), untried: new Set([top.fingerprint ?? ''])}

    const {answers, orphans} = conclude(pods, {without: wanted(A)}, signatures)

    expect(answers).toMatchObject([
      {verdict: 'unknown', notProven: [{reason: 'it is not known what its chain ends in'}]},
    ])
    expect(orphans).toEqual([])
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

    const {orphans} = conclude([{bundles: [rootca(A)], leaves: [openLeaf(top)]}])

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
      {bundles: [rootca(A, later)], leaves: [leaf([A])], signing: [{of: 'root', notAfterMs: later.notAfterMs + 1500}]},
    ])

    expect(roots.map(({isSigning}) => isSigning)).toEqual([false, true])
  })

  test('where an issuer of its own signs, the root is told that chains with it lead to, and not the first published', () => {
    // It ends by chance when the issuer does.
    const first = root('first', {notAfterMs: NOW_MS + 3_000_000, subject: 'O=first'})
    const issuer = root('issuer', {...INTERMEDIATE, notAfterMs: NOW_MS + 3_000_000})

    const {roots} = conclude([
      {
        bundles: [rootca(first, A)],
        leaves: [leaf([A], 'cluster.local', [issuer])],
        signing: [{of: 'issuer', notAfterMs: issuer.notAfterMs + 500}],
      },
    ])

    expect(roots.filter(({isSigning}) => isSigning).map(({certificate}) => certificate)).toEqual([A])
  })

  test('an issuer that nobody shows points to no root', () => {
    const {roots} = conclude([
      {bundles: [rootca(A)], leaves: [leaf([A])], signing: [{of: 'issuer', notAfterMs: NOW_MS + 3_000_000}]},
    ])

    expect(roots.map(({isSigning}) => isSigning)).toEqual([false])
  })
})

test('what a run did not come to leaves an answer open, though nobody of the others breaks', () => {
  const fold = foldRoots({expect: wanted(B)}, createCertificateReader({maxEntries: 10}), () => NOW_MS)
  fold.take(itemOf({bundles: [rootca(B)]}, 0))

  expect(fold.conclude(true)).toMatchObject({findings: [], roots: {answers: [{verdict: 'pass'}]}})
  expect(fold.conclude(false)).toMatchObject({findings: [], roots: {answers: [{verdict: 'unknown'}]}})
})
