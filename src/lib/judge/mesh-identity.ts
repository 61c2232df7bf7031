import type {Agent} from '../domain/agent.ts'
import type {SecretRow, SecretShowRow} from '../domain/row.ts'
import {WORKLOAD_SECRET} from '../domain/secret.ts'
import type {PodSeen} from './rule.ts'

/** Who hands out certificates that the agent itself asks for, and renews. */
const ASKED_BY_AGENT: ReadonlySet<string> = new Set(['istiod', 'another CA'])

/** Whether a chain is an identity of the mesh: it has a SPIFFE id, or is the workload's own. */
export function isMeshIdentity({name, type, certificate}: SecretRow): boolean {
  if (type !== 'Cert Chain') return false
  return name === WORKLOAD_SECRET || (certificate?.readable === true && certificate.spiffeIds.length > 0)
}

/**
 * Whether an agent or a ztunnel renews this leaf by itself: the workload's own, or an identity in a ztunnel. Not the
 * certificates of a gateway, nor what SPIRE, files or a node agent bring.
 */
export function isRenewedByAgent({name, type}: SecretRow, {dialect, trustSource}: Agent): boolean {
  if (type !== 'Cert Chain' || !ASKED_BY_AGENT.has(trustSource)) return false
  return dialect === 'ztunnel' ? name.startsWith('spiffe://') : name === WORKLOAD_SECRET
}

/** Each chain that the pod holds, once: as the proxy has it where both do. */
export function chainsOf({held}: PodSeen): readonly SecretShowRow[] {
  const chains = new Map<string, SecretShowRow>()
  for (const row of held) {
    if (row.type !== 'Cert Chain' || row.certificate?.readable !== true) continue
    const key = `${row.name} ${row.certificate.fingerprint ?? `at the ${row.side}`}`
    if (row.side === 'proxy' || !chains.has(key)) chains.set(key, row)
  }
  return [...chains.values()]
}
