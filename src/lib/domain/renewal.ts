import type {Certificate} from './certificate.ts'

/** istiod puts notBefore back by this much, so that clocks may differ; the agent counts without it. */
const START_PUT_BACK_MS = 120_000

/** Istio's SECRET_GRACE_PERIOD_RATIO_JITTER: renewals are spread by this share of the life. */
const RATIO_JITTER = 0.01

/**
 * The moment (ms since 1970) by which an agent has renewed this certificate if all is well: the last `graceRatio` of
 * its life has begun, jitter included. Undefined where its start is not known.
 */
export function renewalDueMs({notBeforeMs, notAfterMs}: Certificate, graceRatio: number): number | undefined {
  if (notBeforeMs === undefined) return undefined
  const lifeMs = Math.max(notAfterMs - notBeforeMs - START_PUT_BACK_MS, 0)
  return notAfterMs - Math.max(graceRatio - RATIO_JITTER, 0) * lifeMs
}
