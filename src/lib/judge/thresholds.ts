/** What is left of a certificate's life: a time (ms), or a share of the whole, from 0 to 1. */
type Left = {readonly ms: number} | {readonly share: number}

/** When a certificate is about to end. Absent: as the defaults of its kind say. */
interface Limits {
  readonly warn?: Left
  readonly fail?: Left
}

/** `--warn-before` and `--fail-before`, by the certificate's place in its chain. */
export interface Thresholds {
  readonly leaf: Limits
  readonly intermediate: Limits
  readonly root: Limits
}

/** None given: the defaults hold. */
export const DEFAULT_THRESHOLDS: Thresholds = {leaf: {}, intermediate: {}, root: {}}
