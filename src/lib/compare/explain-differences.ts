import type {Certificate} from '../domain/certificate.ts'
import type {Difference, DifferingSide, SecretDiffRow} from '../domain/row.ts'
import {OTHER_REST} from './compare-chains.ts'
import {NOT_PUBLISHED} from './compare-published.ts'
import {formatDuration} from '../domain/format-duration.ts'
import {rowUnits} from './row-units.ts'

/** The rows of a pod that are two certificates where one should be, or a root that a side lacks, each once. */
export function explainDifferences(rows: readonly SecretDiffRow[]): readonly Difference[] {
  const told = new Set<SecretDiffRow>()
  // Of each bundle, name and side; the first one is taken from the end.
  const lacking = Map.groupBy(
    rows.filter((row) => isLacking(row) || row.notes.includes(NOT_PUBLISHED)).toReversed(),
    (row) => namesakeKey(row, isAtProxy(row)),
  )
  return rowUnits(rows).flatMap(([row, other]) => {
    if (row === undefined || told.has(row)) return []
    if (other !== undefined) return [difference(row, row, other)]
    if (row.agentChain !== undefined) return [otherRest(row, row.agentChain)]
    if (!isLacking(row)) return []
    // A root of the same bundle and name that only the other side holds: the one before a rotation, or after it.
    const namesake = takeUntold(lacking.get(namesakeKey(row, !isAtProxy(row))), told)
    told.add(row)
    if (namesake !== undefined) told.add(namesake)
    return isAtProxy(row) ? [difference(row, namesake, row)] : [difference(row, row, namesake)]
  })
}

/** A root that one side holds and the other lacks. */
function isLacking({type, result, certificate}: SecretDiffRow): boolean {
  const isRoot = type === 'CA' || type === 'SPIFFE Bundle'
  return isRoot && certificate?.readable === true && (result === 'MISMATCH' || result === 'PENDING')
}

function takeUntold(rows: SecretDiffRow[] = [], told: ReadonlySet<SecretDiffRow>): SecretDiffRow | undefined {
  let row = rows.pop()
  while (row !== undefined && told.has(row)) row = rows.pop()
  return row
}

function namesakeKey({name, certificate}: SecretDiffRow, atProxy: boolean): string {
  return JSON.stringify([name, certificate?.readable === true ? certificate.subject : undefined, atProxy])
}

function isAtProxy({proxy}: SecretDiffRow): boolean {
  return proxy !== ''
}

function difference(
  {name, reason, confirmed}: SecretDiffRow,
  agent: SecretDiffRow | undefined,
  proxy: SecretDiffRow | undefined,
): Difference {
  return {
    name,
    reason: reasonText(reason, readableOf(agent), readableOf(proxy)),
    confirmed,
    ...(agent !== undefined && {agent: sideOf(agent, agent.agentSource)}),
    ...(proxy !== undefined && {proxy: sideOf(proxy, proxy.proxySource)}),
  }
}

function otherRest(row: SecretDiffRow, agentChain: NonNullable<SecretDiffRow['agentChain']>): Difference {
  const proxy = sideOf(row, row.proxySource)
  const certificates = [...proxy.certificates.slice(0, 1), ...agentChain]
  const agent = {certificates, ...(row.agentSource !== undefined && {source: row.agentSource})}
  return {name: row.name, reason: OTHER_REST, confirmed: row.confirmed, agent, proxy}
}

function sideOf({certificate, chain}: SecretDiffRow, source: DifferingSide['source']): DifferingSide {
  const rest = chain.map((entry) => entry.certificate)
  return {
    certificates: certificate === undefined ? rest : [certificate, ...rest],
    ...(source !== undefined && {source}),
  }
}

function readableOf(row: SecretDiffRow | undefined): Certificate | undefined {
  return row?.certificate?.readable === true ? row.certificate : undefined
}

function reasonText(reason: string, agent: Certificate | undefined, proxy: Certificate | undefined): string {
  if (agent === undefined || proxy === undefined) return reason
  const ageMs = ageDifferenceMs(agent, proxy)
  const isStale = reason === 'proxy is stale' || reason === 'agent is stale'
  const older = ageMs > 0 ? 'proxy' : 'agent'
  const age = formatDuration(ageMs)
  const isSameKey = agent.key.fingerprint !== undefined && agent.key.fingerprint === proxy.key.fingerprint
  return [
    isStale ? `${reason} by ${age}` : reason,
    ...(isStale || Math.abs(ageMs) < 1000 ? [] : [`the ${older}'s is ${age} older`]),
    ...(isSameKey ? ['same key renewed'] : []),
  ].join(', ')
}

/** Ms that the agent's certificate is newer than the proxy's: by their starts, else by their ends. */
function ageDifferenceMs(agent: Certificate, proxy: Certificate): number {
  if (agent.notBeforeMs !== undefined && proxy.notBeforeMs !== undefined && agent.notBeforeMs !== proxy.notBeforeMs)
    return agent.notBeforeMs - proxy.notBeforeMs
  return agent.notAfterMs - proxy.notAfterMs
}
