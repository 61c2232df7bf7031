import type {CertificateBlock} from '../../domain/certificate.ts'
import type {SecretShowItem} from '../../domain/report.ts'
import type {SecretShowRow} from '../../domain/row.ts'
import {nameText} from '../../domain/secret.ts'
import {escapeText} from '../escape-text.ts'
import {timeText} from '../certificate-text.ts'

interface Standing {
  readonly block: CertificateBlock
  /** `default leaf` */
  readonly what: string
  readonly sides: Set<string>
}

/**
 * The certificates of a pod as PEM: chains before bundles, each leaf first and then in order of trust. What both sides
 * hold stands once. A comment before each says whose it is; programs that read PEM pass over it.
 */
export function secretsAsPem({pod, rows}: SecretShowItem): string {
  const standing = new Map<string, Standing>()
  for (const row of rows.toSorted((a, b) => Number(isBundle(a)) - Number(isBundle(b)))) {
    for (const block of blocksOf(row)) {
      const what = `${nameText(row)} ${block.position}`
      const key = JSON.stringify([what, block.readable ? (block.pem ?? block.serial) : block.problem])
      const known = standing.get(key) ?? {block, what, sides: new Set<string>()}
      standing.set(key, {...known, sides: known.sides.add(row.side)})
    }
  }
  return [...standing.values()].map((one) => `${comment(pod.name, one)}\n${pemOf(one.block)}`).join('')
}

function isBundle({type}: SecretShowRow): boolean {
  return type === 'CA' || type === 'SPIFFE Bundle'
}

function blocksOf({certificate, chain}: SecretShowRow): readonly CertificateBlock[] {
  return [...(certificate === undefined ? [] : [certificate]), ...chain.map((entry) => entry.certificate)]
}

/** One line that no reader takes for the beginning of a block, whatever the names in it. */
function comment(pod: string, {block, what, sides}: Standing): string {
  const facts = block.readable
    ? [
        ...(block.serial === undefined ? [] : [`serial ${block.serial}`]),
        `until ${timeText(block.notAfterMs)}`,
        ...(block.subject === '' ? [] : [block.subject]),
        ...(block.pem === undefined ? ['the certificate itself is not in the answer'] : []),
      ]
    : [block.problem]
  const text = `${pod} ${what}, held by ${[...sides].join(' and ')}: ${facts.join(', ')}`
  return `# ${escapeText(text).replaceAll('-----', '- - -')}`
}

function pemOf(block: CertificateBlock): string {
  return block.readable ? (block.pem ?? '') : ''
}
