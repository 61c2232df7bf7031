import type {Finding} from '../../domain/finding.ts'
import {podKey} from '../../domain/pod.ts'
import {defineRule} from '../define-rule.ts'
import {oneLine} from '../describe-row.ts'
import {findConnection} from '../find-connection.ts'
import type {NotEvaluated, PodRule, PodSeen} from '../rule.ts'

/** A proxy that no istiod knows. */
export const agentDisconnected: PodRule = defineRule<PodRule>({
  name: 'agent-disconnected',
  scope: 'pod',
  severity: 'fail',
  settles: true,
  summary: 'Every proxy is connected to an istiod',
  meaning: `All istiods of the control plane's namespace answered, at two readings, and none has a connection of this proxy.
Pods of another revision, another control plane or another CA are not judged.`,
  importance:
    'It gets no new routes, endpoints and, in the end, no new certificate; a restart would leave it with nothing.',
  sources: ['istiod-syncz'],
  action: `See the agent's log for its connection to istiod: kubectl logs POD -c istio-proxy; network policies, a full istiod
and an expired token are usual causes`,
  judge(seen) {
    const connection = findConnection(seen)
    if (connection === undefined) return undefined
    if (connection !== 'none') return 'sync' in connection ? [] : connection
    return whyOfOthers(seen) ?? [finding(seen)]
  },
})

function finding({observations}: PodSeen): Finding {
  const asked = observations.flatMap((one) => (one.type === 'sync-states' ? [podKey(one.istiod)] : []))
  const who = asked.length === 1 ? asked.join('') : `any of ${asked.length} istiods (${asked.slice(0, 3).join(', ')})`
  return {
    rule: agentDisconnected.name,
    severity: agentDisconnected.severity,
    message: oneLine(`its proxy is not connected to ${who}`),
    subject: 'connection to istiod',
    values: {istiods: asked.length},
    hint: agentDisconnected.action,
  }
}

/** Why a proxy that the istiods do not know may be none of theirs. */
function whyOfOthers({agent, observations}: PodSeen): NotEvaluated | undefined {
  const istiods = observations.flatMap((one) =>
    one.type === 'speakers' && one.by.source === 'istiod-syncz' ? one.pods : [],
  )
  const {trustSource, dialect, discovery, revision} = agent
  // Its agent connects once the application does.
  if (dialect === 'none')
    return scope('a proxyless agent is connected only while its application asks for configuration')
  if (trustSource !== 'istiod')
    return scope(`it may be of another control plane: its certificates are of ${trustSource}`)
  const host = hostOf(discovery?.address)
  if (host !== undefined && !istiods.some(({namespace}) => isIn(host, namespace)))
    return scope(`its istiod is another one: ${host}`)
  const revisions = istiods.flatMap((one) => one.revision ?? [])
  if (revision !== undefined && revisions.length > 0 && !revisions.includes(revision))
    return scope(`no istiod that was asked is of its revision ${revision}`)
  return undefined
}

/** `istiod.istio-system.svc` of `https://istiod.istio-system.svc:15012`. */
function hostOf(address: string | undefined): string | undefined {
  return address?.replace(/^\w+:\/\//, '').replace(/:\d+$/, '')
}

/** Services are called `NAME.NAMESPACE.svc…`; of any other host nothing is known. */
function isIn(host: string, namespace: string): boolean {
  const [, at, kind] = host.split('.')
  return at === namespace && (kind === undefined || kind === 'svc')
}

function scope(reason: string): NotEvaluated {
  return {cause: 'scope', reason}
}
