import type {Certificate} from '../../domain/certificate.ts'
import type {PodRef} from '../../domain/pod.ts'
import type {RootsItem} from '../../domain/report.ts'
import type {MeshLeaf, PodReason, SigningEnd, TrustBundle} from '../../domain/roots.ts'
import {authorityOf} from './authority.ts'
import {distinctCertificates} from './distinct-certificates.ts'
import {bundleKey} from './mesh-bundles.ts'
import {placeNameless} from './place-nameless.ts'

/** Chains without a known root whose signer is looked for once all roots are known: more are left `unknown`. */
const MAX_TOPS = 1000

/** Said of a pod whose signer was not looked for, or not among all. */
export const NOT_KNOWN = 'it is not known what its chain ends in'

/** A pod, and its place in the list. */
export interface Place {
  readonly ref: PodRef
  readonly index: number
}

/** A pod, and something to say of it. */
export interface Reason extends Place {
  readonly reason: string
}

/** Pods that trust the same roots for the same things. */
export interface Verifiers {
  readonly bundles: readonly TrustBundle[]
  /** Trust domains of their own identities; one empty text where they show none. */
  readonly domains: readonly string[]
  readonly pods: readonly Place[]
}

/** Pods whose chains of one trust domain lead to the same issuers. */
export interface LeafClass {
  readonly trustDomain: string
  /** Issuers as `authorityOf` names them, those within the chain among them. */
  readonly authorities: ReadonlySet<string>
  /** When the certificates end that signed those below them, ms since 1970. */
  readonly issuersEndMs: ReadonlySet<number>
  /** Where whoever signed its last certificate is not at hand: that one, to look for who did. */
  readonly top?: Certificate
  readonly pods: readonly Place[]
}

/** What was seen of mesh roots over all pods. */
export interface FleetSeen {
  readonly verifiers: readonly Verifiers[]
  readonly leaves: readonly LeafClass[]
  /** Pods of which roots may be missing, and why. */
  readonly unread: readonly Reason[]
  /** Pods of which it is not known what a chain of theirs leads to, and why. */
  readonly untold: readonly Reason[]
  /** What is published for each namespace, and the trust domains of its pods. */
  readonly published: readonly {readonly domains: ReadonlySet<string>; readonly roots: readonly Certificate[]}[]
  /** What control planes say that they sign with. */
  readonly signing: readonly SigningEnd[]
  /** Every root that anybody trusts, publishes, or shows at the end of a chain; each once. */
  readonly roots: readonly Certificate[]
}

/** Gathers it pod by pod; memory grows by a name a pod, and by what differs. */
export class FleetTally {
  readonly #verifiers = new Map<string, Verifiers & {readonly pods: Place[]}>()
  readonly #leaves = new Map<string, LeafClass & {readonly pods: Place[]; readonly issuersEndMs: Set<number>}>()
  readonly #unread: Reason[] = []
  readonly #published = new Map<string, {readonly domains: Set<string>; readonly roots: readonly Certificate[]}>()
  readonly #signing = new Map<string, SigningEnd>()
  readonly #untold: Reason[] = []
  readonly #shown = new Map<string, Certificate>()
  #tops = 0
  #index = 0

  /** Takes the next pod in list order. */
  take({pod, roots, verdict, incomplete, sides, failures}: RootsItem): void {
    const place = {ref: pod, index: this.#index}
    this.#index += 1
    if (verdict === 'skipped') return
    const domains = [...new Set(roots.leaves.map(({trustDomain}) => trustDomain))]
    const isPartial = sides.proxy.state === 'partial' || sides.proxy.state === 'failed'
    // A ztunnel without identities has nothing to check with, nor anybody to check for.
    const isIdle = sides.proxy.answers.some(({source}) => source === 'ztunnel-config-dump')
    const isBare = roots.bundles.length === 0 && !(isIdle && !incomplete && roots.leaves.length === 0)
    if (isPartial || isBare) {
      this.#unread.push({...place, reason: failures[0]?.message ?? 'it shows no mesh roots'})
    }
    if (roots.bundles.length > 0) this.#takeBundles(roots.bundles, domains.length === 0 ? [''] : domains, place)
    for (const leaf of roots.leaves) this.#takeLeaf(leaf, place)
    if (roots.untoldLeaf !== undefined) this.#untold.push({...place, reason: roots.untoldLeaf})
    if (roots.published !== undefined) this.#takePublished(pod, domains, roots.published)
    for (const {of, notAfterMs} of roots.signing) this.#signing.set(`${of} ${notAfterMs}`, {of, notAfterMs})
  }

  /** All of it so far. */
  seen(): FleetSeen {
    const verifiers = placeNameless([...this.#verifiers.values()])
    const published = [...this.#published.values()]
    const held = verifiers.flatMap(({bundles}) => bundles.flatMap(({roots}) => roots))
    const all = [
      ...held.map(({certificate}) => certificate),
      ...published.flatMap(({roots}) => roots),
      ...this.#shown.values(),
    ]
    return {
      verifiers,
      leaves: [...this.#leaves.values()],
      unread: this.#unread,
      untold: this.#untold,
      published,
      signing: [...this.#signing.values()],
      roots: distinctCertificates(all),
    }
  }

  #takeBundles(bundles: readonly TrustBundle[], domains: readonly string[], place: Place): void {
    const key = [...domains, '', ...bundles.map(bundleKey)].join('\n\n')
    const known = this.#verifiers.get(key)
    if (known === undefined) this.#verifiers.set(key, {bundles, domains, pods: [place]})
    else known.pods.push(place)
  }

  #takeLeaf({trustDomain, endsIn, issuers, top}: MeshLeaf, place: Place): void {
    const authorities = new Set([...endsIn, ...issuers].map(authorityOf))
    const key = [trustDomain, top?.fingerprint ?? '', ...[...authorities].toSorted()].join('\n')
    const known = this.#leaves.get(key)
    if (known !== undefined) {
      for (const {notAfterMs} of issuers) known.issuersEndMs.add(notAfterMs)
      if (known.pods.at(-1)?.index !== place.index) known.pods.push(place)
      return
    }
    if (top !== undefined && this.#tops >= MAX_TOPS) {
      this.#untold.push({...place, reason: NOT_KNOWN})
      return
    }
    if (top !== undefined) this.#tops += 1
    for (const root of endsIn) if (root.fingerprint !== undefined) this.#shown.set(root.fingerprint, root)
    this.#leaves.set(key, {
      trustDomain,
      authorities,
      issuersEndMs: new Set(issuers.map(({notAfterMs}) => notAfterMs)),
      ...(top !== undefined && {top}),
      pods: [place],
    })
  }

  #takePublished({context, namespace}: PodRef, domains: readonly string[], roots: readonly Certificate[]): void {
    const key = `${context ?? ''}/${namespace}`
    const known = this.#published.get(key) ?? {domains: new Set<string>(), roots}
    for (const domain of domains) known.domains.add(domain)
    this.#published.set(key, known)
  }
}

/** Pods in list order, each once, with all that is said of it. */
export function inListOrder(said: readonly Reason[]): readonly PodReason[] {
  const byPod = Map.groupBy(said, ({index}) => index)
  return [...byPod]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([, reasons]) => {
      const [first] = reasons
      const texts = [...new Set(reasons.map(({reason}) => reason))]
      return first === undefined ? [] : [{pod: first.ref, reason: texts.join('; ')}]
    })
}
