import type {CertificateBlock} from '../../domain/certificate.ts'
import {rowSeverity} from '../../domain/rank.ts'
import type {ChainCheck, SecretShowRow} from '../../domain/row.ts'
import {nameText, refusedText} from '../../domain/secret.ts'
import {asVerdict} from '../severity.ts'
import type {Cell, Field, Section} from '../view.ts'
import {certificateSection} from './certificate-section.ts'
import {toneOf} from './pod-columns.ts'

/** The secrets of one pod: what each is, then each of its certificates; a bundle is one secret. */
export function secretSections(rows: readonly SecretShowRow[]): readonly Section[] {
  return [...Map.groupBy(rows, bundleKey).values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    return [secretSection(first, group), ...group.flatMap(certificateSections)]
  })
}

/** The roots of one bundle have one key; anything else is a secret of its own. */
function bundleKey(row: SecretShowRow): unknown {
  const isBundle = row.type === 'CA' || row.type === 'SPIFFE Bundle'
  if (!isBundle) return row
  return JSON.stringify([row.side, row.name, row.type, row.type === 'SPIFFE Bundle' ? row.trustDomain : ''])
}

function secretSection(row: SecretShowRow, group: readonly SecretShowRow[]): Section {
  const {side, source, type, state, check} = row
  const isOut = state !== undefined && state !== 'ACTIVE' && state !== 'STATIC'
  return {
    head: {text: `${nameText(row)} at the ${side}`},
    fields: [
      textField(
        'type',
        [group.length > 1 ? `${type}, ${group.length} certificates` : type, `from ${source}`].join(', '),
      ),
      ...(state === undefined
        ? []
        : [{label: 'state', cells: [{text: stateText(row), ...(isOut ? toneOf(asVerdict(rowSeverity(row))) : {})}]}]),
      ...(row.trustDomain === undefined ? [] : [textField('trust domain', row.trustDomain)]),
      ...(row.destination === undefined ? [] : [textField('node id', row.destination)]),
      ...(row.contexts?.loaded === true ? [textField('loaded', 'by a TLS context')] : []),
      ...(row.origin === undefined ? [] : [textField('stands in', row.origin)]),
      ...(row.parts === undefined ? [] : [textField('parts', String(row.parts))]),
      ...statusFields(row),
      ...(check === undefined ? [] : [...chainFields(row, check), trustField(check)]),
      ...(row.rejected === undefined ? [] : [badField('rejected', refusedText(row.rejected))]),
      ...(row.keyFound ? [badField('key', 'a private key stands in place of a certificate')] : []),
      ...(row.notes.length === 0 ? [] : [{label: 'notes', cells: row.notes.map((text) => ({text}))}]),
    ],
  }
}

function stateText({state, lastUpdated}: SecretShowRow): string {
  return lastUpdated === undefined ? (state ?? '') : `${state}, since ${lastUpdated}`
}

/** Of a certificate that can be read, its own section tells the status; here is what that cannot tell. */
function statusFields(row: SecretShowRow): readonly Field[] {
  if (row.status === undefined) return []
  const {certificate, status, statusReason} = row
  if (certificate?.readable === true && statusReason === undefined) return []
  const word = certificate?.readable === true && status === 'VALID' ? 'the chain is not well' : status
  const text = statusReason === undefined ? word : `${word}: ${statusReason}`
  return [{label: 'status', cells: [{text, ...toneOf(asVerdict(rowSeverity(row)))}]}]
}

/** Nothing where only facts of one certificate are known. */
function chainFields({certificate, chain}: SecretShowRow, {signedByNext, end}: ChainCheck): readonly Field[] {
  const blocks = [certificate, ...chain.map((entry) => entry.certificate)]
  if (blocks.length === 1 && end === undefined) return []
  const isLinked = signedByNext.every((isSigned, index) => isSigned === true || isSelfSigned(blocks[index]))
  const isBroken = signedByNext.includes(false)
  const text = [
    `${blocks.length} certificate${blocks.length === 1 ? '' : 's'}`,
    ...(isBroken ? ['not each is signed by the next'] : []),
    ...(isLinked && blocks.length > 1 ? ['each signed by the next'] : []),
    ...(end === 'self-signed' ? ['ends in a self-signed one'] : []),
    ...(end === 'issuer-not-included'
      ? [`${blocks.length === 1 ? 'its' : "the last one's"} issuer is not included`]
      : []),
  ].join(', ')
  return [{label: 'chain', cells: [{text, ...(isBroken ? {tone: 'bad'} : {})}]}]
}

function isSelfSigned(block: CertificateBlock | undefined): boolean {
  return block?.readable === true && block.selfSigned
}

function trustField({verified, reason}: ChainCheck): Field {
  if (verified === undefined) return {label: 'trust', cells: [{text: `not checked: ${reason}`, tone: 'dim'}]}
  const cell: Cell = verified
    ? {text: `verified: ${reason}`, tone: 'good'}
    : {text: `NOT VERIFIED: ${reason}`, tone: 'bad'}
  return {label: 'trust', cells: [cell]}
}

function certificateSections(row: SecretShowRow): readonly Section[] {
  const {certificate, chain, check, secondsLeft} = row
  if (certificate === undefined) return []
  const nowS =
    certificate.readable && secondsLeft !== undefined
      ? Math.floor(certificate.notAfterMs / 1000) - secondsLeft
      : undefined
  const blocks: readonly CertificateBlock[] = [certificate, ...chain.map((entry) => entry.certificate)]
  return blocks.map((block, index) => {
    const isLast = index === blocks.length - 1
    return certificateSection(block, {
      nowS,
      // A root beside a valid one of its domain is not as bad as it looks alone.
      tone: index === 0 ? toneOf(asVerdict(rowSeverity(row))) : {tone: block.position === 'root' ? 'warn' : 'bad'},
      ...(check === undefined || isLast ? {} : {signedByNext: check.signedByNext[index] ?? 'unknown'}),
    })
  })
}

function textField(label: string, text: string): Field {
  return {label, cells: [{text}]}
}

function badField(label: string, text: string): Field {
  return {label, cells: [{text, tone: 'bad'}]}
}
