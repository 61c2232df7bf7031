import type {Finding} from '../../domain/finding.ts'
import type {Observation} from '../../domain/observation.ts'
import {isReference} from '../../domain/source-side.ts'
import type {PodRule} from '../rule.ts'

/** Above this a clock is off; below, it is the grain of HTTP dates and the way there. */
const TOLERANCE_MS = 5000

/** A source whose clock differs from ours. */
export const clockSkew: PodRule = {
  name: 'clock-skew',
  scope: 'pod',
  severity: 'warn',
  summary: 'The clocks of pod and API server go as ours',
  meaning: 'An answer was dated more than 5 s before or after the moment at which it came.',
  importance: 'Certificates look older or younger there than here: one that is valid here may be refused there.',
  action: "Have the node's time set (chrony, timesyncd), or this machine's",
  judge({observations}) {
    // The API server's clock is held against ours too, and says nothing of the pod's.
    const findings = judgeClocks(observations)
    const isTold = observations.some(
      (one) => one.type !== 'unusable' && one.by.skewMs !== undefined && !isReference(one.by.source),
    )
    return findings.length > 0 || isTold ? findings : {cause: 'scope', reason: 'no answer told its time'}
  },
}

/** Clocks that are off, once a source. */
export function judgeClocks(observations: readonly Observation[]): readonly Finding[] {
  const skews = new Map<string, number>()
  for (const observation of observations) {
    if (observation.type === 'unusable') continue
    const {source, skewMs = 0} = observation.by
    if (Math.abs(skewMs) > TOLERANCE_MS) skews.set(source, skewMs)
  }
  return [...skews].map(([source, skewMs]) => ({
    rule: clockSkew.name,
    severity: 'warn',
    message: `the clock behind ${source} is ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} ours`,
    subject: `clock behind ${source}`,
    values: {source, skew_seconds: Math.round(skewMs / 1000)},
    hint: clockSkew.action,
  }))
}
