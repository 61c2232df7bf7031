import type {Certificate} from '../../domain/certificate.ts'
import type {RootAnswer, WantedRoot} from '../../domain/roots.ts'

/** A root that is asked about, and the certificate if anybody knows it. */
export interface Known {
  readonly wanted: WantedRoot
  readonly certificate: Certificate | undefined
  /** The moment that is judged as of, ms since 1970. */
  readonly nowMs: number
}

export function isWanted({fingerprint}: Certificate, wanted: WantedRoot): boolean {
  return fingerprint?.startsWith(wanted.fingerprint) === true
}

/** Who is known to break is never counted as not proven. */
export function concludeAnswer(found: Omit<RootAnswer, 'verdict'>): RootAnswer {
  const breaking = new Set(found.wouldBreak.map(({pod}) => pod))
  const notProven = found.notProven.filter(({pod}) => !breaking.has(pod))
  const fails = found.because !== undefined || found.wouldBreak.length > 0
  // Of no pod at all nothing is proven.
  const isProven = notProven.length === 0 && found.wellCount > 0
  return {...found, notProven, verdict: fails ? 'fail' : isProven ? 'pass' : 'unknown'}
}
