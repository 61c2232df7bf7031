import type {Answer} from '../../domain/answer.ts'
import type {CertificateBlock} from '../../domain/certificate.ts'
import type {Observation} from '../../domain/observation.ts'
import type {SecretItem} from '../../domain/secret.ts'
import {contentError, type Subject} from '../content-error.ts'
import {readJson} from '../json/read-json.ts'
import {isRecord, type JsonRecord, recordsField, textField} from '../json/narrow.ts'
import {noCertificates} from '../pem/certificate-set.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'
import {ADMIN_HINTS} from './admin-hints.ts'
import {parseTime} from '../text/rfc3339.ts'
import {normaliseHexSerial} from '../x509/serial-number.ts'

const LISTS = [
  {name: 'cert_chain', type: 'Cert Chain', position: 'leaf'},
  {name: 'ca_cert', type: 'CA', position: 'root'},
] as const

const NAMES = [
  {field: 'uri', kind: 'URI'},
  {field: 'dns', kind: 'DNS'},
  {field: 'ip_address', kind: 'IP'},
] as const

/**
 * Certificates from Envoy's `/certs` (`envoy.admin.v3.Certificates`): what is in its TLS contexts, each context with
 * the same ones again, under no secret's name. Items are named by the path that Envoy gives.
 */
export async function decodeCerts(answer: Answer): Promise<readonly Observation[]> {
  const items = new Map<string, SecretItem>()
  const notes: string[] = []
  const {unusable, dated, used} = await readParts(answer, async (part) => {
    const subject: Subject = {name: 'Envoy certificates', part, hints: ADMIN_HINTS}
    const document = await readJson(subject)
    if (!isRecord(document.value) || !('certificates' in document.value || Object.keys(document.value).length === 0)) {
      throw contentError(subject, 'bad-payload', 'no list of certificates')
    }
    notes.push(...document.notes)
    for (const context of recordsField(document.value, 'certificates')) {
      for (const list of LISTS) {
        for (const details of recordsField(context, list.name)) {
          const item = readDetails(details, list)
          items.set(JSON.stringify([item.type, item.name, item.certificates]), item)
        }
      }
    }
  })
  if (used === 0) return unusable
  return [
    {
      type: 'secrets',
      by: spokenBy(answer, dated),
      side: answer.question.side,
      items: [...items.values()],
      complete: false,
      notes: items.size === 0 ? ['no certificates', ...notes] : notes,
    },
    ...unusable,
  ]
}

function readDetails(details: JsonRecord, list: (typeof LISTS)[number]): SecretItem {
  const item = {name: textField(details, 'path') ?? '', type: list.type, state: 'ACTIVE'} as const
  const certificate = readFacts(details, list)
  if (certificate === undefined) return {...item, ...noCertificates('UNKNOWN', 'the answer gives no dates')}
  return {...item, certificates: [certificate], keyFound: false, notes: []}
}

/** `days_until_expiration` is left alone: it was rounded, wrapped and overflowed by one version or another. */
function readFacts(details: JsonRecord, list: (typeof LISTS)[number]): CertificateBlock | undefined {
  const notBeforeMs = parseTime(textField(details, 'valid_from'))
  const notAfterMs = parseTime(textField(details, 'expiration_time'))
  if (notAfterMs === undefined) return undefined
  const serial = normaliseHexSerial(textField(details, 'serial_number') ?? '')
  if (notBeforeMs !== undefined && notBeforeMs > notAfterMs) {
    const known = serial === undefined ? {} : {serial}
    return {readable: false, problem: 'inconsistent dates', ...known, position: list.position}
  }
  const sans = recordsField(details, 'subject_alt_names').flatMap((name) =>
    NAMES.flatMap(({field, kind}) => {
      const value = textField(name, field)
      return value === undefined ? [] : [`${kind}:${value}`]
    }),
  )
  return {
    readable: true,
    ...(serial === undefined ? {} : {serial}),
    ...(notBeforeMs === undefined ? {} : {notBeforeMs}),
    notAfterMs,
    subject: '',
    issuer: '',
    sans,
    spiffeIds: sans.filter((name) => name.startsWith('URI:spiffe://')).map((name) => name.slice('URI:'.length)),
    isCa: list.type === 'CA',
    selfSigned: false,
    key: {type: 'unknown'},
    position: list.position,
  }
}
