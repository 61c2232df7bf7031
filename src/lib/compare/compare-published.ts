import type {Certificate} from '../domain/certificate.ts'
import type {PublishedRoots} from '../domain/observation.ts'
import type {ComparedBy, SecretDiffRow, SecretRow} from '../domain/row.ts'
import {missingAtProxy, unreadable} from './compare-bundles.ts'
import {diffRow} from './diff-row.ts'
import {formatTime} from '../domain/format-time.ts'
import {firstOf, type Held} from './held.ts'
import {stateOf} from './joined-row.ts'
import {renewalDueMs} from '../domain/renewal.ts'
import {hasRoot, rootBasis, rootSet} from './root-set.ts'
import {bundleRows} from './secret-row.ts'

/** Note of a root that the proxy holds beside those that are published. */
export const NOT_PUBLISHED = 'not among the published roots'

/** What comparing with the published roots needs beside them. */
export interface PublishedComparison {
  readonly published: PublishedRoots
  /** The workload's own certificate at the proxy, whose renewal brings new roots along. */
  readonly leaf: Held | undefined
  readonly graceRatio: number
}

/**
 * Compares the proxy's mesh roots (one bundle, or one for each trust domain) with those that the control plane hands
 * out now. They reach a proxy with its next certificate, so until that is due a missing one is PENDING. Published
 * roots are a reference and no agent: these rows have no agent side.
 */
export function comparePublished(
  proxies: readonly Held[],
  {published, leaf, graceRatio}: PublishedComparison,
): readonly SecretDiffRow[] {
  const held = proxies.flatMap(({item}) => item.certificates)
  const basis = rootBasis(held, published.roots)
  const [ours, theirs] = [rootSet(published.roots, basis), rootSet(held, basis)]
  const seen = {agentSource: published.by.source, comparedBy: 'published' satisfies ComparedBy} as const
  const rows = proxies.flatMap((proxy) =>
    bundleRows(proxy).flatMap((row) => {
      if (row.certificate === undefined) return []
      if (!row.certificate.readable) return [diffRow(row, unreadable(proxy, row.certificate.problem))]
      const note = hasRoot(ours, row.certificate, basis) ? [] : [NOT_PUBLISHED]
      const outcome = {...seen, proxy: stateOf(proxy), proxySource: proxy.by.source, result: 'MATCH'} as const
      return [diffRow({...row, notes: [...row.notes, ...note]}, outcome)]
    }),
  )
  const missing = [...ours.values()].filter((root) => !hasRoot(theirs, root, basis))
  const [proxy] = proxies
  if (missing.length === 0 || proxy === undefined) return rows
  const outcome = {...seen, proxySource: proxy.by.source, ...lack(proxy, leaf, graceRatio)}
  return [...rows, ...missingRows(missing, published, proxy).map((row) => diffRow(row, outcome))]
}

/** Rows of published roots, judged beside all the others that are published. */
function missingRows(missing: readonly Certificate[], {roots, by}: PublishedRoots, proxy: Held): readonly SecretRow[] {
  const item = {name: proxy.item.name, type: 'CA', certificates: roots, keyFound: false, notes: []} as const
  const wanted = new Set<unknown>(missing)
  return bundleRows({item, by, clockMs: proxy.clockMs}).filter(({certificate}) => wanted.has(certificate))
}

function lack(proxy: Held, leaf: Held | undefined, graceRatio: number): Pick<SecretDiffRow, 'result' | 'reason'> {
  const missing = missingAtProxy(proxy)
  const certificate = leaf === undefined ? undefined : firstOf(leaf)
  const dueMs = certificate?.readable === true ? renewalDueMs(certificate, graceRatio) : undefined
  if (leaf === undefined || dueMs === undefined) return {result: 'PENDING', reason: `${missing} until its next renewal`}
  if (leaf.clockMs > dueMs) return {result: 'MISMATCH', reason: missing}
  return {result: 'PENDING', reason: `${missing} until its renewal at ${formatTime(dueMs)}`}
}
