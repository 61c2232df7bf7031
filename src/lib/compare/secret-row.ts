import {type CertificateBlock, type CertificateStatus, certificateStatus} from '../domain/certificate.ts'
import type {SecretRow} from '../domain/row.ts'
import {formatTime} from '../domain/format-time.ts'
import {skewOf} from '../domain/doubt.ts'
import {type Held, kindOf} from './held.ts'
import {textOfUse} from './join-contexts.ts'
import {trustDomainOf} from './trust-domain.ts'

/** A start no further ahead than this is likely made by clocks that differ (istiod puts it 2 min back for that). */
const LIKELY_SKEW_S = 300

/** The one row of a secret that is no bundle: a chain told by its leaf, or a secret without a certificate. */
export function secretRow(held: Held): SecretRow {
  const [leaf, ...rest] = held.item.certificates
  const chain = rest.map((certificate) => ({certificate, status: certificateStatus(certificate, held.clockMs)}))
  return describe(held, leaf, chain)
}

/** The rows of a bundle, one for each root as it came; one row where there is none. */
export function bundleRows(held: Held): readonly SecretRow[] {
  const {certificates} = held.item
  if (certificates.length === 0) return [describe(held, undefined, [])]
  const hasValid = certificates.some((root) => certificateStatus(root, held.clockMs) === 'VALID')
  const seen = new Set<string>()
  return certificates.map((root, index) => {
    // What is said of the bundle is said once, with its first root.
    const row = describe(index === 0 ? held : {...held, item: {...held.item, notes: []}}, root, [])
    const isRepeated = root.readable && root.fingerprint !== undefined && seen.has(root.fingerprint)
    if (root.readable && root.fingerprint !== undefined) seen.add(root.fingerprint)
    return {
      ...row,
      ...(hasValid && row.status !== 'VALID' && {besideValid: true}),
      ...(isRepeated && {notes: [...row.notes, 'repeated in the bundle']}),
    }
  })
}

/** All rows of a held secret. */
export function rowsOf(held: Held): readonly SecretRow[] {
  return kindOf(held) === 'bundle' ? bundleRows(held) : [secretRow(held)]
}

function describe(held: Held, first: CertificateBlock | undefined, chain: SecretRow['chain']): SecretRow {
  const {item, by, clockMs, agentPod} = held
  const status = statusOf(held, first)
  const reason = statusReason(held, first, chain)
  const use = first === undefined ? undefined : held.contexts?.get(first)
  const trustDomain = item.trustDomain ?? trustDomainOf(first)
  return {
    name: item.name,
    type: item.type,
    ...(item.state !== undefined && {state: item.state}),
    ...(first !== undefined && {certificate: first}),
    chain,
    ...(status !== undefined && {status}),
    ...(reason !== undefined && {statusReason: reason}),
    ...(first?.readable === true && {secondsLeft: wholeSeconds(first.notAfterMs) - wholeSeconds(clockMs)}),
    ...(skewOf(by) !== 0 && {clockSkewMs: skewOf(by)}),
    ...(trustDomain !== undefined && {trustDomain}),
    ...(item.destination !== undefined && {destination: item.destination}),
    ...(agentPod !== undefined && {agentPod}),
    ...(item.parts !== undefined && {parts: item.parts}),
    ...(item.rejected !== undefined && {rejected: item.rejected}),
    keyFound: item.keyFound,
    ...(item.origin !== undefined && {origin: item.origin}),
    ...(item.lastUpdated !== undefined && {lastUpdated: item.lastUpdated}),
    ...(use !== undefined && {contexts: use}),
    notes: [...item.notes, ...startNotes(status, first, clockMs), ...(use === undefined ? [] : textOfUse(use))],
  }
}

function statusOf(held: Held, first: CertificateBlock | undefined): CertificateStatus | undefined {
  if (kindOf(held) === 'opaque') return undefined
  return first === undefined ? (held.item.absent?.status ?? 'EMPTY') : certificateStatus(first, held.clockMs)
}

function statusReason(
  {item}: Held,
  first: CertificateBlock | undefined,
  chain: SecretRow['chain'],
): string | undefined {
  if (item.stateReason !== undefined) return item.stateReason
  if (first === undefined) return item.absent?.message
  if (!first.readable) return first.problem
  if (first.notBeforeMs !== undefined && first.notBeforeMs > first.notAfterMs) return 'it ends before it starts'
  const [broken] = chain.filter(({status}) => status !== 'VALID')
  return broken === undefined ? undefined : brokenLink(broken)
}

function brokenLink({certificate, status}: SecretRow['chain'][number]): string {
  if (!certificate.readable) return `${certificate.position} in the chain: ${certificate.problem}`
  const name = `${certificate.position} ${certificate.serial ?? certificate.subject}`
  if (status === 'NOT_YET_VALID' && certificate.notBeforeMs !== undefined)
    return `${name} starts at ${formatTime(certificate.notBeforeMs)}`
  return `${name} ended at ${formatTime(certificate.notAfterMs)}`
}

function startNotes(
  status: CertificateStatus | undefined,
  first: CertificateBlock | undefined,
  clockMs: number,
): string[] {
  if (status !== 'NOT_YET_VALID' || first?.readable !== true || first.notBeforeMs === undefined) return []
  const aheadS = wholeSeconds(first.notBeforeMs) - wholeSeconds(clockMs)
  const isSkew = aheadS <= LIKELY_SKEW_S
  return [isSkew ? `starts in ${aheadS} s: do the clocks differ?` : `starts at ${formatTime(first.notBeforeMs)}`]
}

function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}
