import {parseCredential} from '../domain/credential.ts'
import type {PodRef} from '../domain/pod.ts'
import type {Source} from '../domain/question.ts'
import type {SecretDiffRow} from '../domain/row.ts'
import type {Held} from './held.ts'
import {waitingRow} from './waiting.ts'

/** Reason of a secret that the proxy waits for and that is not there for it, by who knows that. */
const UNSERVED = {
  'istiod-config-dump': 'istiod does not serve it',
  'kubernetes-secret': 'its Secret does not exist',
} as const satisfies Partial<Record<Source, string>>

/** Whether it is this source that would know of what istiod serves a proxy. */
export function isUnservedBy(source: Source | undefined): source is keyof typeof UNSERVED {
  return source !== undefined && Object.hasOwn(UNSERVED, source)
}

/**
 * The row of a secret that the proxy waits for and istiod does not serve: it drops, without a word to the proxy, what it
 * cannot find, read or allow. A note says which object to look at.
 */
export function unservedRow(proxy: Held, pod: PodRef, source: keyof typeof UNSERVED): SecretDiffRow {
  const row = waitingRow(proxy)
  if (row.reason !== '') return row
  return {
    ...row,
    reason: UNSERVED[source],
    agentSource: source,
    notes: [...row.notes, ...whereToLook(proxy, pod)],
  }
}

function whereToLook({item}: Held, pod: PodRef): readonly string[] {
  const credential = parseCredential(item.name, pod.namespace)
  if (credential === undefined) return []
  const {scheme, namespace, name, isCaOnly} = credential
  if (scheme === 'configmap') return [`see that ConfigMap ${namespace}/${name} exists and has ca.crt`]
  const secret = `see that Secret ${namespace}/${name} exists and has ${isCaOnly ? 'ca.crt' : 'tls.crt and tls.key'}`
  const isForeign = scheme === 'kubernetes-gateway' && namespace !== pod.namespace
  if (isForeign) return [`${secret}, and that a ReferenceGrant in ${namespace} allows it`]
  return [`${secret}, and that the gateway's service account may read it`]
}
