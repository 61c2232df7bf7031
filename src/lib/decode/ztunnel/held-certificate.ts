import type {CertificateBlock, Position} from '../../domain/certificate.ts'
import type {ProxyState, SecretItem} from '../../domain/secret.ts'
import {field, type JsonRecord, recordsField, textField} from '../json/narrow.ts'
import {fromBase64} from '../envoy/data-source.ts'
import {noCertificates, type CertificateSet} from '../pem/certificate-set.ts'
import {type CertificateOrProblem, readPem} from '../pem/read-pem.ts'
import {parseTime} from '../text/rfc3339.ts'
import type {CertificateReader} from '../x509/certificate-reader.ts'
import {orderChain} from '../x509/order-chain.ts'
import {normaliseDecimalSerial} from '../x509/serial-number.ts'

/** Reason of a certificate that ztunnel has let go because its last workload left. */
const NO_LONGER_NEEDED = /no longer needed/

/**
 * One entry of `certificates` (ztunnel, `src/admin.rs`): an identity and what is held for it. The leaf is in
 * `ca_cert` in the oldest form, in `certChain` since; the roots are at the end of the chain up to 1.25, in `rootCerts`
 * since. `undefined` for an identity that is no longer needed.
 */
export function readHeldCertificate(entry: JsonRecord, reader: CertificateReader): SecretItem | undefined {
  const said = textField(entry, 'state')?.trim()
  const set = readCertificates(entry, reader)
  const {state, reason} = readState(said, set)
  if (state === 'UNAVAILABLE' && NO_LONGER_NEEDED.test(reason)) return undefined
  return {
    name: textField(entry, 'identity') ?? '',
    type: 'Cert Chain',
    state,
    ...set,
    ...(Array.isArray(field(entry, 'root_certs')) && {rootsApart: true}),
    ...(reason === '' ? {} : {stateReason: reason}),
  }
}

function readState(
  said: string | undefined,
  set: CertificateSet,
): {readonly state: ProxyState; readonly reason: string} {
  // The oldest dumps give no state.
  if (said === undefined || said === '') return {state: set.certificates.length > 0 ? 'ACTIVE' : 'WARMING', reason: ''}
  const colon = said.indexOf(':')
  const word = colon < 0 ? said : said.slice(0, colon)
  const reason = colon < 0 ? '' : said.slice(colon + 1).trim()
  if (word === 'Available') return {state: 'ACTIVE', reason}
  if (word === 'Initializing') return {state: 'WARMING', reason}
  return {state: 'UNAVAILABLE', reason: word === 'Unavailable' ? reason : said}
}

function readCertificates(entry: JsonRecord, reader: CertificateReader): CertificateSet {
  const roots = recordsField(entry, 'root_certs')
  const entries = [...recordsField(entry, 'ca_cert'), ...recordsField(entry, 'cert_chain')]
  const pems = [...entries, ...roots].map((certificate) => readPemField(certificate, reader))
  const keyFound = pems.some((pem) => pem.keyFound)
  const parsed = pems.flatMap(({certificates}) => certificates)
  const facts = [
    ...entries.map((certificate, index) => readFields(certificate, index === 0 ? 'leaf' : 'intermediate')),
    ...roots.map((certificate) => readFields(certificate, 'root')),
  ].filter((block) => block !== undefined)
  const chain = parsed.length > 0 ? orderChain(parsed, reader) : {certificates: facts, notes: []}
  if (chain.certificates.length === 0) return {...noCertificates('EMPTY', 'no certificate'), keyFound}
  const noRoots = Array.isArray(field(entry, 'root_certs')) && roots.length === 0
  return {...chain, keyFound, notes: noRoots ? [...chain.notes, 'no roots known'] : chain.notes}
}

/** `pem` is base64 of a PEM text, in old dumps the text itself, and empty where there is no certificate. */
function readPemField(
  certificate: JsonRecord,
  reader: CertificateReader,
): {readonly certificates: readonly CertificateOrProblem[]; readonly keyFound: boolean} {
  const pem = textField(certificate, 'pem') ?? ''
  if (pem.includes('-----')) return readPem(pem, reader)
  const source = fromBase64(pem)
  if (source.type === 'text') return readPem(source.text, reader)
  return {certificates: source.type === 'problem' ? [source.problem] : [], keyFound: false}
}

/** The fields beside the PEM, which say less: ztunnel clamps dates before 1970. */
function readFields(certificate: JsonRecord, position: Position): CertificateBlock | undefined {
  const notBeforeMs = parseTime(textField(certificate, 'valid_from'))
  const notAfterMs = parseTime(textField(certificate, 'expiration_time'))
  if (notAfterMs === undefined) return undefined
  const number = field(certificate, 'serial_number')
  const serial =
    typeof number === 'string' || typeof number === 'number' ? normaliseDecimalSerial(String(number)) : undefined
  return {
    readable: true,
    ...(serial === undefined ? {} : {serial}),
    ...(notBeforeMs === undefined ? {} : {notBeforeMs}),
    notAfterMs,
    subject: '',
    issuer: '',
    sans: [],
    spiffeIds: [],
    isCa: position !== 'leaf',
    selfSigned: false,
    key: {type: 'unknown'},
    position,
  }
}
