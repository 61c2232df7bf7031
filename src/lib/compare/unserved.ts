import type {PodRef} from '../domain/pod.ts'
import type {SecretDiffRow} from '../domain/row.ts'
import type {Held} from './held.ts'
import {waitingRow} from './waiting.ts'

/** Reason of a secret that the proxy waits for and that istiod, which should send it, does not have for it. */
const UNSERVED = 'istiod does not serve it'

/**
 * The row of a secret that the proxy waits for and istiod does not serve: it drops, without a word to the proxy, what it
 * cannot find, read or allow. A note says which object to look at.
 */
export function unservedRow(proxy: Held, pod: PodRef): SecretDiffRow {
  const row = waitingRow(proxy)
  if (row.reason !== '') return row
  return {
    ...row,
    reason: UNSERVED,
    agentSource: 'istiod-config-dump',
    notes: [...row.notes, ...whereToLook(proxy, pod)],
  }
}

function whereToLook({item: {name}}: Held, pod: PodRef): readonly string[] {
  const [, scheme = '', path = ''] = /^([a-z-]+):\/\/(.+)$/.exec(name) ?? []
  const slash = path.indexOf('/')
  const namespace = slash === -1 ? pod.namespace : path.slice(0, slash)
  const object = path.slice(slash + 1)
  if (object === '') return []
  if (scheme === 'configmap') return [`see that ConfigMap ${namespace}/${object} exists and has ca.crt`]
  const secret = `see that Secret ${namespace}/${object} exists and has ${object.endsWith('-cacert') ? 'ca.crt' : 'tls.crt and tls.key'}`
  const isForeign = scheme === 'kubernetes-gateway' && namespace !== pod.namespace
  if (isForeign) return [`${secret}, and that a ReferenceGrant in ${namespace} allows it`]
  return [`${secret}, and that the gateway's service account may read it`]
}
