import {type CertificateBlock, certificateStatus} from '../../domain/certificate.ts'
import type {Cell, Field, Section} from '../view.ts'
import {keyText, timeText, validityText} from '../certificate-text.ts'

interface Surroundings {
  /** The moment it is judged as of, seconds since 1970; undefined where nothing says. */
  readonly nowS: number | undefined
  /** Of its status, where that is not VALID. */
  readonly tone: Pick<Cell, 'tone'>
  /** Absent where nothing follows it. */
  readonly signedByNext?: boolean | 'unknown'
}

/** One certificate in full, under the word for its place in the chain. */
export function certificateSection(block: CertificateBlock, {nowS, tone, signedByNext}: Surroundings): Section {
  if (!block.readable) return {fields: [{label: block.position, cells: [{text: `INVALID: ${block.problem}`, ...tone}]}]}
  const isWhole = block.fingerprint !== undefined
  const isValid = nowS !== undefined && certificateStatus(block, nowS * 1000) === 'VALID'
  const validity = nowS === undefined ? '' : validityText(block, nowS)
  return {
    fields: [
      {label: block.position, cells: [{text: validity, ...(isValid ? {tone: 'good'} : tone)}]},
      ...textFields('subject', isWhole && block.subject === '' ? '(none)' : block.subject),
      ...textFields('issuer', isWhole && block.issuer === '' ? '(none)' : block.issuer),
      ...(isWhole ? [{label: 'signed by', cells: [signerCell(block.selfSigned, signedByNext)]}] : []),
      ...(block.sans.length === 0 ? [] : [{label: 'SANs', cells: block.sans.map((text) => ({text}))}]),
      ...textFields('serial', block.serial ?? ''),
      ...textFields('from', timeText(block.notBeforeMs)),
      ...textFields('until', timeText(block.notAfterMs)),
      ...textFields('key', keyText(block.key)),
      ...(block.usages === undefined ? [] : textFields('usages', block.usages.join(', ') || '(no limit)')),
      ...textFields('fingerprint', block.fingerprint ?? ''),
      ...textFields('key sha256', block.key.fingerprint ?? ''),
    ],
  }
}

function signerCell(selfSigned: boolean, signedByNext: Surroundings['signedByNext']): Cell {
  if (selfSigned) return {text: 'itself'}
  if (signedByNext === undefined) return {text: 'an issuer that is not included'}
  if (signedByNext === 'unknown') return {text: 'not checked'}
  return signedByNext ? {text: 'the next one'} : {text: 'NOT the next one', tone: 'bad'}
}

function textFields(label: string, text: string): readonly Field[] {
  return text === '' ? [] : [{label, cells: [{text}]}]
}
