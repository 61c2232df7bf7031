import type {Certificate, CertificateBlock, CertificateStatus, KeyInfo} from '../../domain/certificate.ts'
import type {ContextUse, SecretRow} from '../../domain/row.ts'
import {dropAbsent} from '../drop-absent.ts'
import {rfc3339} from '../time-text.ts'
import type {ChainEntryWire, SecretPartWire} from './secret-row.schema.ts'

/** What rows of either kind say of their secret, as it is written; the name and the type come first there. */
export function writeSecret(row: SecretRow, withCert: boolean): Omit<SecretPartWire, 'resource_name' | 'type'> {
  const certificate = row.certificate?.readable === true ? row.certificate : undefined
  return dropAbsent({
    state: row.state ?? '',
    cert_valid: row.status === 'VALID',
    cert_status: row.status,
    cert_status_reason: row.statusReason,
    serial_number: certificate?.serial ?? '',
    not_before: certificate?.notBeforeMs === undefined ? '' : rfc3339(certificate.notBeforeMs),
    not_after: certificate === undefined ? '' : rfc3339(certificate.notAfterMs),
    seconds_left: row.secondsLeft,
    trust_domain: row.trustDomain ?? '',
    source: row.agentPod ?? '',
    destination: row.destination ?? '',
    ...(certificate === undefined ? {} : writeCertificate(certificate)),
    chain: row.chain.map(({certificate: block, status}) => writeChainEntry(block, status)),
    parts: row.parts,
    rejected: row.rejected === undefined ? undefined : dropAbsent({at: row.rejected.at, details: row.rejected.details}),
    key_found: row.keyFound ? true : undefined,
    origin: row.origin,
    loaded: row.contexts?.loaded,
    other_loaded: writeOthers(row.contexts),
    last_updated: row.lastUpdated,
    notes: row.notes.length === 0 ? undefined : [...row.notes],
    cert: withCert ? writePem(row) : undefined,
  })
}

function writeOthers(contexts: ContextUse | undefined): SecretPartWire['other_loaded'] {
  if (contexts === undefined || contexts.others.length === 0) return undefined
  return contexts.others.map(({serial, notBeforeMs, notAfterMs}) =>
    dropAbsent({
      serial_number: serial,
      not_before: notBeforeMs === undefined ? undefined : rfc3339(notBeforeMs),
      not_after: rfc3339(notAfterMs),
    }),
  )
}

type CertificateFields = Pick<
  ChainEntryWire,
  'subject' | 'issuer' | 'sans' | 'spiffe_id' | 'key' | 'usages' | 'fingerprint_sha256'
>

/** Where only facts were given, a text that is empty says that it is not known. */
function writeCertificate(certificate: Certificate): CertificateFields {
  const isWhole = certificate.fingerprint !== undefined
  return dropAbsent({
    subject: isWhole || certificate.subject !== '' ? certificate.subject : undefined,
    issuer: isWhole || certificate.issuer !== '' ? certificate.issuer : undefined,
    sans: isWhole || certificate.sans.length > 0 ? [...certificate.sans] : undefined,
    spiffe_id: certificate.spiffeIds[0],
    key: isWhole || certificate.key.type !== 'unknown' ? writeKey(certificate.key) : undefined,
    usages: certificate.usages === undefined ? undefined : [...certificate.usages],
    fingerprint_sha256: certificate.fingerprint,
  })
}

/** A public key, as it is written. */
export function writeKey({type, size, curve, fingerprint}: KeyInfo): NonNullable<ChainEntryWire['key']> {
  return dropAbsent({type, size, curve, fingerprint_sha256: fingerprint})
}

function writeChainEntry(block: CertificateBlock, status: CertificateStatus): ChainEntryWire {
  if (!block.readable) {
    return {position: block.position, cert_status: status, cert_status_reason: block.problem}
  }
  return dropAbsent({
    position: block.position,
    cert_status: status,
    serial_number: block.serial,
    not_before: block.notBeforeMs === undefined ? undefined : rfc3339(block.notBeforeMs),
    not_after: rfc3339(block.notAfterMs),
    ...writeCertificate(block),
  })
}

/** As Istio's `cert`: the whole chain, here in order of trust. */
function writePem(row: SecretRow): string {
  const blocks = [row.certificate, ...row.chain.map(({certificate}) => certificate)]
  return blocks.map((block) => (block?.readable === true ? (block.pem ?? '') : '')).join('')
}
