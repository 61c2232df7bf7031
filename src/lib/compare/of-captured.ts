import type {Observation} from '../domain/observation.ts'
import type {Evidence} from './evidence.ts'
import {trustDomainOf} from './trust-domain.ts'

const DEFAULT_TRUST_DOMAIN = 'cluster.local'

/**
 * Of what a node's ztunnel says, that which is of one captured pod: what it holds under the pod's identity, which is
 * expected of it. Of other kinds of pods everything stays.
 */
export function ofCaptured(own: readonly Observation[], {pod, agent}: Evidence): readonly Observation[] {
  if (agent.capturedAs === undefined) return own
  const expected = own.find((one) => one.type === 'identities-expected')
  const listed = expected?.workloads.find(({namespace, name}) => namespace === pod.namespace && name === pod.name)
  const identity = listed?.identity ?? identityOf(pod.namespace, agent.capturedAs, own)
  // What the answer says beside that is of the node's other pods.
  const notes = expected !== undefined && listed === undefined ? ['the ztunnel of its node does not list this pod'] : []
  return own.flatMap((one): readonly Observation[] => {
    if (one.type === 'identities-expected') return []
    if (one.type !== 'secrets') return [one]
    const items = one.items.filter(({name}) => name === identity)
    const workloads = listed === undefined ? [] : [listed]
    return [
      {...one, items, notes},
      {type: 'identities-expected', by: one.by, identities: [identity], workloads},
    ]
  })
}

/** The identity of a pod that its ztunnel does not list; the trust domain is that of the others there. */
function identityOf(namespace: string, serviceAccount: string, own: readonly Observation[]): string {
  const ids = own.flatMap((one) => {
    if (one.type === 'identities-expected') return one.identities
    return one.type === 'secrets' ? one.items.map(({name}) => name) : []
  })
  const trustDomain = ids.map(trustDomainOf).find((domain) => domain !== undefined) ?? DEFAULT_TRUST_DOMAIN
  return `spiffe://${trustDomain}/ns/${namespace}/sa/${serviceAccount}`
}
