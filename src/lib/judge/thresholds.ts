/**
 * What has to be left of a certificate's life: a time (ms), or a share of the whole, from 0 to 1; of both the smaller
 * one.
 */
export interface Left {
  readonly ms?: number
  readonly share?: number
}

/** A limit, and the flag that it was given with: `--fail-before 30d`; absent for a default. */
export interface Limit extends Left {
  readonly flag?: string
}

/** When a certificate is about to end. Absent: as the defaults of its kind say. */
export interface Limits {
  readonly warn?: Limit
  readonly fail?: Limit
}

/** `--warn-before` and `--fail-before`, by the certificate's place in its chain. */
export interface Thresholds {
  readonly leaf: Limits
  readonly intermediate: Limits
  readonly root: Limits
}

/** None given: the defaults hold. */
export const DEFAULT_THRESHOLDS: Thresholds = {leaf: {}, intermediate: {}, root: {}}

const DAY_MS = 86_400_000

/** Of leaves that no agent renews: a person has to, or a controller that says nothing of it here. */
const OTHER_LEAF: Limits = {warn: {share: 0.3, ms: 30 * DAY_MS}, fail: {share: 0.1, ms: 7 * DAY_MS}}
const INTERMEDIATE: Limits = {warn: {share: 0.3, ms: 60 * DAY_MS}, fail: {share: 0.1, ms: 14 * DAY_MS}}
const ROOT: Limits = {warn: {share: 0.3, ms: 90 * DAY_MS}, fail: {share: 0.1, ms: 30 * DAY_MS}}

/** Share of its life below which a leaf that an agent renews fails, whatever the agent's grace ratio is. */
const ROTATED_SHARE = 0.1

/** What holds where no flag says otherwise. `renewedAt`: the share that is left when an agent renews the leaf. */
export function defaultLimits(position: keyof Thresholds, renewedAt?: number): Limits {
  if (position === 'intermediate') return INTERMEDIATE
  if (position === 'root') return ROOT
  return renewedAt === undefined ? OTHER_LEAF : {fail: {share: Math.min(ROTATED_SHARE, renewedAt / 2)}}
}

/** A limit in ms; undefined where it is a share of a life that is not known. */
export function limitMs({ms, share}: Left, lifeMs: number | undefined): number | undefined {
  if (share === undefined) return ms
  return lifeMs === undefined ? undefined : Math.min(ms ?? Number.POSITIVE_INFINITY, share * lifeMs)
}
