import type {Certificate} from '../../domain/certificate.ts'
import {rowSeverity} from '../../domain/rank.ts'
import type {SecretDiffRow, SecretListRow, SecretRow} from '../../domain/row.ts'
import {nameText, refusedText} from '../../domain/secret.ts'
import {durationText} from '../time-text.ts'
import type {Cell} from '../view.ts'
import {keyText, timeText} from '../certificate-text.ts'
import {type Column, toneOf} from './pod-columns.ts'
import type {SecretLine} from './secret-lines.ts'

type OfSecret = SecretLine<SecretDiffRow | SecretListRow>

export const resourceNameColumn: Column<OfSecret> = {
  header: 'RESOURCE NAME',
  cut: 'middle',
  cell: ({secret}) => ({text: secret === undefined ? '' : nameText(secret)}),
}

export const typeColumn: Column<OfSecret> = {
  header: 'TYPE',
  loseAs: 3,
  cell: ({secret}) => ({text: secret?.type ?? ''}),
}

export const validCertColumn: Column<OfSecret> = {
  header: 'VALID CERT',
  cut: 'after-word',
  cutFirst: true,
  cell: ({secret, verdict}) => ({text: validity(secret), ...(secret?.status === 'VALID' ? {} : toneOf(verdict))}),
}

export const leftColumn: Column<OfSecret> = {
  header: 'LEFT',
  cell: ({secondsLeft, verdict}): Cell => ({
    text: secondsLeft === undefined ? '' : durationText(secondsLeft),
    ...(secondsLeft !== undefined && secondsLeft < 0 ? toneOf(verdict) : {}),
  }),
}

export const dateColumns: readonly Column<OfSecret>[] = [
  {header: 'SERIAL NUMBER', loseAs: 2, cell: (line) => ({text: certificateOf(line)?.serial ?? ''})},
  {header: 'NOT AFTER', loseAs: 4, loseAfterWrap: true, cell: ({secret}) => ({text: notAfter(secret)})},
  {header: 'NOT BEFORE', loseAs: 1, cell: (line) => ({text: timeText(certificateOf(line)?.notBeforeMs)})},
]

export const wideColumns: readonly Column<OfSecret>[] = [
  {header: 'ISSUER', wide: true, cell: (line) => ({text: certificateOf(line)?.issuer ?? ''})},
  {header: 'SPIFFE ID', wide: true, cell: (line) => ({text: certificateOf(line)?.spiffeIds[0] ?? ''})},
  {header: 'KEY', wide: true, cell: (line) => ({text: keyText(certificateOf(line)?.key)})},
  {header: 'FINGERPRINT', wide: true, cell: (line) => ({text: certificateOf(line)?.fingerprint ?? ''})},
]

/**
 * Things that a table must say of a secret besides its columns and what it was `told` already; of one that is not well,
 * or that nobody has loaded, its notes too.
 */
export function remarks(secret: SecretDiffRow | SecretListRow, told = ''): readonly string[] {
  const {rejected, keyFound, contexts, notes} = secret
  const isTold = rejected === undefined || told.includes(refusedText(rejected))
  return [
    ...(keyFound ? ['a private key stands in place of a certificate'] : []),
    ...(isTold ? [] : [refusedText(rejected)]),
    ...(rowSeverity(secret) === 'ok' && contexts?.loaded !== false ? [] : notes),
  ]
}

/** A folded bundle has no one certificate of its own. */
function certificateOf({secret, bundle}: OfSecret): Certificate | undefined {
  return bundle === undefined && secret?.certificate?.readable === true ? secret.certificate : undefined
}

function validity(secret: SecretRow | undefined): string {
  if (secret?.status === undefined) return ''
  const isChainBroken = secret.chain.some(({status}) => status !== 'VALID')
  if (secret.status === 'VALID') return isChainBroken ? `true (${secret.statusReason ?? 'its chain is not'})` : 'true'
  const isSaid = secret.statusReason !== undefined && secret.status !== 'EMPTY' && secret.status !== 'UNKNOWN'
  return `false (${secret.status}${isSaid ? `: ${secret.statusReason}` : ''})`
}

function notAfter(secret: SecretRow | undefined): string {
  return secret?.certificate?.readable === true ? timeText(secret.certificate.notAfterMs) : ''
}
