import type {Certificate} from './certificate.ts'

/** istiod puts notBefore back by this much, so that clocks may differ; the agent counts without it. */
const START_PUT_BACK_MS = 120_000

/** Istio's SECRET_GRACE_PERIOD_RATIO_JITTER: renewals are spread by this share of the life. */
const RATIO_JITTER = 0.01

/** The life of a certificate (ms) as its agent counts it; undefined where its start is not known. */
export function countedLifeMs({
  notBeforeMs,
  notAfterMs,
}: Pick<Certificate, 'notBeforeMs' | 'notAfterMs'>): number | undefined {
  if (notBeforeMs === undefined) return undefined
  const lifeMs = Math.max(notAfterMs - notBeforeMs, 0)
  return lifeMs > START_PUT_BACK_MS ? lifeMs - START_PUT_BACK_MS : lifeMs
}

/**
 * The moment (ms since 1970) by which an agent has renewed this certificate if all is well: the last `graceRatio` of
 * its life has begun, jitter included. Undefined where its start is not known.
 */
export function renewalDueMs(certificate: Certificate, graceRatio: number): number | undefined {
  const lifeMs = countedLifeMs(certificate)
  return lifeMs === undefined ? undefined : certificate.notAfterMs - Math.max(graceRatio - RATIO_JITTER, 0) * lifeMs
}
