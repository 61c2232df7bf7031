import type {SecretDiffRow} from '../domain/row.ts'
import {refusedText} from '../domain/secret.ts'
import {diffRow} from './diff-row.ts'
import type {Held} from './held.ts'
import {joinedRow, stateOf} from './joined-row.ts'
import {hasRoot, rootBasis, rootSet} from './root-set.ts'
import {bundleRows} from './secret-row.ts'

/** Why a root of the other side is not at the proxy: not taken up, or refused. */
export function missingAtProxy({item}: Held): string {
  return item.rejected === undefined ? 'root missing at the proxy' : refusedText(item.rejected)
}

/** Compares two bundles as sets: the proxy's roots as they came, then those that only the agent holds, each once. */
export function compareBundles(agent: Held, proxy: Held): readonly SecretDiffRow[] {
  const basis = rootBasis(agent.item.certificates, proxy.item.certificates)
  const ours = rootSet(agent.item.certificates, basis)
  const theirs = rootSet(proxy.item.certificates, basis)
  const sources = {agentSource: agent.by.source, proxySource: proxy.by.source, comparedBy: basis} as const
  const rows = bundleRows(proxy).flatMap((row) => {
    // An empty bundle has no root to show; what it lacks follows below.
    if (row.certificate === undefined) return []
    if (!row.certificate.readable) return [diffRow(row, unreadable(proxy, row.certificate.problem))]
    return hasRoot(ours, row.certificate, basis)
      ? [diffRow(joinedRow(row, agent, proxy), {...sources, agent: 'PRESENT', proxy: stateOf(proxy), result: 'MATCH'})]
      : [diffRow(row, {...sources, proxy: stateOf(proxy), result: 'MISMATCH', reason: 'root missing at the agent'})]
  })
  // Contexts list one root of each bundle, so what they do not list is not missing.
  if (proxy.by.source === 'envoy-certs') return rows
  const once = new Set<unknown>(ours.values())
  const missing = bundleRows(agent).filter(
    ({certificate}) => certificate?.readable === true && once.has(certificate) && !hasRoot(theirs, certificate, basis),
  )
  const lacking = {...sources, agent: 'PRESENT', result: 'MISMATCH', reason: missingAtProxy(proxy)} as const
  return [...rows, ...missing.map((row) => diffRow(row, lacking))]
}

/** What is found of a root that cannot be read: nothing, and its status says why. */
export function unreadable(proxy: Held, problem: string): Parameters<typeof diffRow>[1] {
  return {
    proxy: stateOf(proxy),
    result: 'NOT_COMPARABLE',
    reason: `unreadable: ${problem}`,
    comparedBy: 'none',
    proxySource: proxy.by.source,
  }
}
