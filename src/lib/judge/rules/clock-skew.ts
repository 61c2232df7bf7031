import type {Finding} from '../../domain/finding.ts'
import type {Observation} from '../../domain/observation.ts'
import type {Source} from '../../domain/question.ts'
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
  sources: ['envoy-config-dump', 'ztunnel-config-dump', 'agent-metrics'],
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

/** Clocks that are off, each once; where the API server and all sources of the pod agree, it is ours that is. */
export function judgeClocks(observations: readonly Observation[]): readonly Finding[] {
  const skews = new Map<Source, number>()
  const told = new Map<Source, number>()
  for (const observation of observations) {
    if (observation.type === 'unusable') continue
    const {source, route, skewMs} = observation.by
    if (skewMs === undefined) continue
    // The proxy of the API server passes on the date of who answers.
    if (route !== 'file') told.set(source, skewMs)
    if (Math.abs(skewMs) > TOLERANCE_MS) skews.set(source, skewMs)
  }
  const ours = ourSkew(told)
  if (ours !== undefined)
    return [finding('the clock here', 'clock here', -ours, 'that of API server and pod, which agree', 'here')]
  return groupBySkew([...skews]).map((group) => {
    const [[first, skewMs]] = group
    const sources = group.map(([source]) => source).join(', ')
    return finding(`the clock behind ${sources}`, `clock behind ${first}`, skewMs, 'ours', sources)
  })
}

type Skew = readonly [Source, number]
type Group = [Skew, ...Skew[]]

/** Sources that one clock stands behind, as they are off alike: those of the API server apart from the pod's own. */
function groupBySkew(skews: readonly Skew[]): readonly Group[] {
  const groups: Group[] = []
  for (const skew of skews) {
    const [source, skewMs] = skew
    const known = groups.find(
      ([[other, otherMs]]) => isOfApi(other) === isOfApi(source) && Math.abs(otherMs - skewMs) <= TOLERANCE_MS,
    )
    if (known === undefined) groups.push([skew])
    else known.push(skew)
  }
  return groups
}

/** How far all others are from us, ms, where an API server is among them and they agree; undefined where we are not off. */
function ourSkew(told: ReadonlyMap<Source, number>): number | undefined {
  const all = [...told]
  const isApart = all.some(([source]) => isOfApi(source)) && all.some(([source]) => !isOfApi(source))
  const skews = all.map(([, skewMs]) => skewMs)
  const [least, most] = [Math.min(...skews), Math.max(...skews)]
  if (!isApart || most - least > TOLERANCE_MS || Math.min(Math.abs(least), Math.abs(most)) <= TOLERANCE_MS)
    return undefined
  return (least + most) / 2
}

/** Whether the API server itself dates what this source says. */
function isOfApi(source: Source): boolean {
  return source === 'published-root' || source === 'cert-manager' || source === 'kubernetes-secret'
}

function finding(clock: string, subject: string, skewMs: number, than: string, source: string): Finding {
  const seconds = Math.round(skewMs / 1000)
  return {
    rule: clockSkew.name,
    severity: 'warn',
    message: `${clock} is ${Math.abs(seconds)} s ${skewMs > 0 ? 'ahead of' : 'behind'} ${than}`,
    subject,
    values: {source, skew_seconds: seconds},
    hint: clockSkew.action,
  }
}
