import type {Certificate} from '../../domain/certificate.ts'
import type {SecretShowRow} from '../../domain/row.ts'
import {WORKLOAD_SECRET} from '../../domain/secret.ts'
import {defineRule} from '../define-rule.ts'
import {missingCertificates} from '../missing-evidence.ts'
import {rowFinding} from '../row-finding.ts'
import type {PodRule, PodSeen} from '../rule.ts'

/** How Istio names a workload; SPIRE and others may name it as they like. */
const ISTIO_ID = /^spiffe:\/\/[^/]+\/ns\/([^/]+)\/sa\/([^/]+)$/

/** A certificate that is of another workload. */
export const identityMismatch: PodRule = defineRule<PodRule>({
  name: 'identity-mismatch',
  scope: 'pod',
  severity: 'fail',
  summary: "Every workload's certificate names its namespace and service account",
  meaning: `The SPIFFE id in the workload's own certificate has another namespace or service account than the pod, or there
is none. The trust domain is not compared here. Ids of another form than /ns/NAMESPACE/sa/ACCOUNT are left alone.`,
  importance:
    'Authorization policies take the pod for another workload: it is refused, or let in where it should not be.',
  action:
    'Look who issues to this pod: a token of another service account, mounted files, or a node agent that mixes pods up',
  sources: ['envoy-config-dump', 'ztunnel-config-dump', 'agent-files'],
  lasts: true,
  judge(seen) {
    const {agent} = seen
    // A ztunnel holds the identities of the pods on its node, and each of those is an item of its own.
    if (agent.dialect === 'ztunnel' && agent.capturedAs === undefined) return undefined
    if (seen.pod.isNamespaceAssumed === true)
      return {cause: 'scope', reason: 'the file names no pod, and so no namespace: give -n'}
    const own = ownLeaves(seen)
    const findings = own.flatMap(({row, leaf}) => {
      const text = whyOther(leaf, seen)
      return text === undefined ? [] : [rowFinding(identityMismatch, row, {text, values: {expected: expectedOf(seen)}})]
    })
    if (findings.length > 0) return findings
    const lost = missingCertificates(seen)
    if (lost !== undefined) return lost
    if (own.length === 0) return {cause: 'scope', reason: 'it holds no identity of its own'}
    if (own.every(({leaf}) => readIds(leaf).length === 0))
      return {cause: 'scope', reason: 'its SPIFFE id tells no namespace and no service account'}
    return []
  },
})

function ownLeaves({held, agent}: PodSeen): readonly {readonly row: SecretShowRow; readonly leaf: Certificate}[] {
  const isCaptured = agent.capturedAs !== undefined
  return held.flatMap((row) => {
    const isOwn = row.type === 'Cert Chain' && (isCaptured ? row.side === 'proxy' : row.name === WORKLOAD_SECRET)
    // Where only the end of a certificate is known, nobody told whose it is.
    return isOwn && row.certificate?.readable === true && row.certificate.fingerprint !== undefined
      ? [{row, leaf: row.certificate}]
      : []
  })
}

function readIds({spiffeIds}: Certificate): readonly {readonly namespace: string; readonly account: string}[] {
  return spiffeIds.flatMap((id) => {
    const [, namespace, account] = ISTIO_ID.exec(id) ?? []
    return namespace === undefined || account === undefined ? [] : [{namespace, account}]
  })
}

/** Why the certificate is not of this pod; undefined where it is, or may be. */
function whyOther(leaf: Certificate, seen: PodSeen): string | undefined {
  const {pod, agent} = seen
  if (leaf.spiffeIds.length === 0)
    return agent.trustSource === 'istiod' ? `names no SPIFFE id, and the pod is ${expectedOf(seen)}` : undefined
  const ids = readIds(leaf)
  const isOwn = ids.some(
    ({namespace, account}) =>
      namespace === pod.namespace && (pod.serviceAccount === undefined || account === pod.serviceAccount),
  )
  if (ids.length === 0 || isOwn) return undefined
  return `is of ${leaf.spiffeIds.join(' and ')}, and the pod is ${expectedOf(seen)}`
}

/** `ns/shop/sa/cart`, as it ends a SPIFFE id. */
function expectedOf({pod: {namespace, serviceAccount}}: PodSeen): string {
  return `ns/${namespace}${serviceAccount === undefined ? '' : `/sa/${serviceAccount}`}`
}
