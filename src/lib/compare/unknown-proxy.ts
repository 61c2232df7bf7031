import type {Failure} from '../domain/failure.ts'
import type {Observation} from '../domain/observation.ts'
import {podKey, type PodRef} from '../domain/pod.ts'

/** Names of istiods that a message lists. */
const MAX_NAMED = 3

/** The failure that no istiod knows a pod's proxy; where one does, or could not be asked, that is told instead. */
export function unknownProxy(
  pod: PodRef,
  own: readonly Observation[],
  failures: readonly Failure[],
): Failure | undefined {
  const unknown = own.filter((one) => one.type === 'proxy-unknown')
  const [first] = unknown
  if (first === undefined) return undefined
  const {source, route} = first.by
  const isTold =
    failures.some((failure) => failure.source === source) ||
    own.some((one) => one.type === 'secrets' && one.by.source === source)
  if (isTold) return undefined
  const about = {side: 'agent', source, route, stage: 'decode'} as const
  const other = unknown.find(({instead}) => instead !== undefined)
  if (other?.instead !== undefined) {
    return {
      ...about,
      code: 'wrong-pod',
      message: `Cannot use the answer of ${podKey(other.at)} for ${podKey(pod)}: it is of ${other.instead}`,
      hint: 'istiod takes any connection whose name holds what was asked for; this pod itself is connected to none: istioctl proxy-status',
    }
  }
  const names = unknown.map(({at}) => podKey(at))
  const listed = names.length > MAX_NAMED ? `${names.length} istiods` : names.join(', ')
  return {
    ...about,
    code: 'no-source',
    message: `Cannot tell what istiod serves ${podKey(pod)}: its proxy is not connected to ${listed}`,
    hint: 'See who serves it: istioctl proxy-status; another control plane is named with --istio-namespace, one outside this cluster left out with --no-source istiod-config-dump',
  }
}
