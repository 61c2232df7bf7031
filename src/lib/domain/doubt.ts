import type {Spoken} from './spoken.ts'
import type {SecretItem} from './secret.ts'

/** Clock skew up to this is within what HTTP dates and networks can tell (spec: above 5 s is a finding). */
const SKEW_TOLERANCE_MS = 5000

/** How far the answerer's clock is off; 0 within the tolerance, and where it is not told. */
export function skewOf({skewMs = 0}: Spoken): number {
  return Math.abs(skewMs) > SKEW_TOLERANCE_MS ? skewMs : 0
}

/**
 * By our clock, when the proxy took up what it has of this secret, in ms since 1970. Of an update that it refuses Envoy
 * shows the content, and not the time (1.40; `sds_api.cc` sets the time last).
 */
export function takenUpMs({lastUpdated}: SecretItem, by: Spoken): number | undefined {
  const ms = Date.parse(lastUpdated ?? '')
  return Number.isNaN(ms) ? undefined : ms - skewOf(by)
}

/**
 * Whether a chain that is shown as active may not be what the proxy serves: it is younger than what was taken up, or
 * the proxy itself says that it refused something.
 */
export function isDoubtful(item: SecretItem, by: Spoken): boolean {
  if (item.state !== 'ACTIVE' || item.type !== 'Cert Chain') return false
  return item.rejected !== undefined || isYoungerThanTaken(item, by)
}

/** The leaf begins only after the proxy is said to have taken it up. */
export function isYoungerThanTaken(item: SecretItem, by: Spoken): boolean {
  const [leaf] = item.certificates
  const takenMs = takenUpMs(item, by)
  return (
    leaf?.readable === true && leaf.notBeforeMs !== undefined && takenMs !== undefined && leaf.notBeforeMs > takenMs
  )
}
