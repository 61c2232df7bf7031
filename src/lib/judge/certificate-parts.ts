import type {CertificateBlock, CertificateStatus} from '../domain/certificate.ts'
import type {Row} from './describe-row.ts'

/** A certificate of a row, and how it stands. */
export interface CertificatePart {
  readonly certificate: CertificateBlock
  readonly status: CertificateStatus
  /**
   * Only worth a warning where it is not valid: a root beside a valid one, and a root that a chain carries along, since
   * whoever verifies uses his own.
   */
  readonly isMild: boolean
}

/** The certificates of a row: its first, and the rest of its chain. */
export function certificateParts(row: Row): readonly CertificatePart[] {
  const {certificate, status} = row
  const first =
    certificate === undefined || status === undefined ? [] : [{certificate, status, isMild: row.besideValid === true}]
  const links = row.chain.map((link) => ({
    ...link,
    isMild: link.certificate.position === 'root' && link.certificate.readable,
  }))
  return [...first, ...links]
}
