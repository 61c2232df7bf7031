import type {CertificateBlock} from '../domain/certificate.ts'
import {skewOf} from '../domain/doubt.ts'
import type {Spoken} from '../domain/spoken.ts'
import type {ContextUse} from '../domain/row.ts'
import type {SecretItem, SecretType} from '../domain/secret.ts'

/** One secret as one side holds it, and who said so. */
export interface Held {
  readonly item: SecretItem
  readonly by: Spoken
  /** The moment to judge it by: the source's own clock where it is off by more than the tolerance. */
  readonly clockMs: number
  /** Of its certificates, which ones TLS contexts have loaded; absent where nobody told it. */
  readonly contexts?: ReadonlyMap<CertificateBlock, ContextUse>
  /** Istio's `source`: the pod whose agent holds it; absent on the proxy side. */
  readonly agentPod?: string
}

/** How a secret has to be compared; `unknown` where a source does not say what it is (a warming one, an empty one). */
export type HeldKind = 'chain' | 'bundle' | 'opaque' | 'unknown'

const KINDS = {
  'Cert Chain': 'chain',
  CA: 'bundle',
  'SPIFFE Bundle': 'bundle',
  Generic: 'opaque',
  'Ticket Keys': 'opaque',
  Unknown: 'unknown',
} as const satisfies Record<SecretType, HeldKind>

export function kindOf({item}: Held): HeldKind {
  return KINDS[item.type]
}

/** The leaf of a chain, or the first root of a bundle. */
export function firstOf({item}: Held): CertificateBlock | undefined {
  return item.certificates[0]
}

/** Holds something that can be compared. */
export function isUsable(held: Held): boolean {
  return kindOf(held) === 'opaque' || held.item.certificates.some(({readable}) => readable)
}

/** The proxy asked for it and has nothing yet, or could not take what it got. */
export function isWaiting({item}: Held): boolean {
  return item.state === 'WARMING' || item.state === 'UNINITIALIZED'
}

/** The same, with more to be said of it. */
export function withNotes(held: Held, notes: readonly string[]): Held {
  if (notes.length === 0) return held
  return {...held, item: {...held.item, notes: [...held.item.notes, ...notes]}}
}

/** The moment at the source when it was `nowMs` here. */
export function clockOf(by: Spoken, nowMs: number): number {
  return nowMs + skewOf(by)
}
