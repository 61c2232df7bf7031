import type {Observation} from '../../domain/observation.ts'
import type {Finding} from '../../domain/report.ts'

/** Above this a clock is off; below, it is the grain of HTTP dates and the way there. */
const TOLERANCE_MS = 5000

/** A source whose clock differs from ours: certificates look older or younger to it than to us. Once a source. */
export function judgeClocks(observations: readonly Observation[]): readonly Finding[] {
  const skews = new Map<string, number>()
  for (const observation of observations) {
    if (observation.type === 'unusable') continue
    const {source, skewMs = 0} = observation.by
    if (Math.abs(skewMs) > TOLERANCE_MS) skews.set(source, skewMs)
  }
  return [...skews].map(([source, skewMs]) => ({
    rule: 'clock-skew',
    severity: 'warn',
    message: `the clock behind ${source} is ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} ours`,
  }))
}
