import type {Finding} from '../domain/finding.ts'
import type {ReadinessSeen} from '../domain/health-seen.ts'
import type {Side} from '../domain/question.ts'
import type {RuleInfo} from '../domain/rule.ts'
import {readContainerStatus} from './container-status.ts'
import {oneLine} from './describe-row.ts'
import {missingSource} from './missing-evidence.ts'
import type {Judged, PodSeen} from './rule.ts'

/** How the kubelet's word stands beside the side's own. */
type Kubelet = 'of this side' | 'of the other side'

/**
 * Whether one side is ready: by its own endpoint, and by what the cluster says of its container. Where nobody could ask
 * the endpoint, the kubelet did; where it should have answered and did not, nothing is known.
 */
export function judgeReadiness(side: Side, rule: RuleInfo, seen: PodSeen, kubelet: Kubelet): Judged {
  const {pod, agent, observations} = seen
  if (pod.deletedAt !== undefined) return {cause: 'scope', reason: 'it is going away, and gives up being ready'}
  const said = observations.find((one) => one.type === 'readiness' && one.side === side)
  const status = kubelet === 'of this side' ? readContainerStatus(pod, agent.container) : undefined
  const find = (text: string, severity: Finding['severity'], values: Finding['values']): readonly Finding[] => [
    {
      rule: rule.name,
      severity,
      message: oneLine(text),
      subject: `${side} in container ${agent.container}`,
      values: {...status?.values, ...values},
      hint: rule.action,
    },
  ]
  if (status?.state === 'not-running') return find(status.text, rule.severity, {})
  if (said?.type === 'readiness') {
    const values = {status: said.status, ...(said.text !== undefined && {answer: said.text})}
    if (!said.ready) return find(`the ${side} is not ready: ${wordsOf(said)}`, rule.severity, values)
    if (status?.state !== 'not-ready') return []
    return find(`the ${side} says that it is ready, but ${status.text}`, 'warn', values)
  }
  if (status?.state === 'not-ready') return find(status.text, rule.severity, {})
  const source = side === 'agent' ? 'agent-ready' : 'proxy-ready'
  const missing = missingSource(source, seen)
  // Where it could not even be asked, the kubelet's probe is a word that counts.
  if (status?.state === 'ready' && (missing === undefined || couldNotAsk(source, seen))) return []
  return missing ?? {cause: 'scope', reason: `its ${side} was not asked whether it is ready`}
}

function wordsOf({status, text}: ReadinessSeen): string {
  return `HTTP ${status}, ${text ?? 'no reason given'}`
}

/** What keeps a question from reaching the pod at all, and says nothing of the pod. */
const NEVER_ASKED: ReadonlySet<string> = new Set(['forbidden', 'no-source', 'command-missing'])

function couldNotAsk(source: 'agent-ready' | 'proxy-ready', {failures}: PodSeen): boolean {
  return failures.some((one) => one.source === source && NEVER_ASKED.has(one.code))
}
