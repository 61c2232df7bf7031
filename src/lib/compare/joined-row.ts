import type {SecretRow} from '../domain/row.ts'
import type {ProxyState} from '../domain/secret.ts'
import type {Held} from './held.ts'

/** State that a proxy holds a secret in; a source that names none lists what is in use. */
export function stateOf({item}: Held): ProxyState {
  return item.state ?? 'ACTIVE'
}

/** A row of the proxy's, with what the agent says of the same secret. */
export function joinedRow(row: SecretRow, agent: Held, proxy: Held): SecretRow {
  const destination = agent.item.destination ?? proxy.item.destination
  return {
    ...row,
    keyFound: agent.item.keyFound || proxy.item.keyFound,
    ...(agent.agentPod !== undefined && {agentPod: agent.agentPod}),
    ...(destination !== undefined && {destination}),
    notes: [...new Set([...row.notes, ...agent.item.notes])],
  }
}
