import type {Certificate} from '../../domain/certificate.ts'
import type {RootAnswer, WantedRoot} from '../../domain/roots.ts'
import type {Place} from './fleet-tally.ts'

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

/** What was found of pods, of one in several ways: it may check what others show, and show what it is not known of. */
interface Found extends Omit<RootAnswer, 'verdict' | 'wellCount'> {
  readonly well: readonly Place[]
}

/** Each pod counts once: who is known to break is not unproven, and neither is well. */
export function concludeAnswer({well, ...found}: Found): RootAnswer {
  const breaking = new Set(found.wouldBreak.map(({pod}) => pod))
  const notProven = found.notProven.filter(({pod}) => !breaking.has(pod))
  const open = new Set(notProven.map(({pod}) => pod))
  const wellCount = well.filter(({ref}) => !breaking.has(ref) && !open.has(ref)).length
  const fails = found.because !== undefined || found.wouldBreak.length > 0
  // Of no pod at all nothing is proven.
  const isProven = notProven.length === 0 && wellCount > 0
  return {...found, notProven, wellCount, verdict: fails ? 'fail' : isProven ? 'pass' : 'unknown'}
}
