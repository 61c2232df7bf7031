import type {ProxyState, Rejection, SecretItem} from '../../domain/secret.ts'
import {field, isRecord, type JsonRecord, recordField, recordsField, textField} from '../json/narrow.ts'
import {noCertificates} from '../pem/certificate-set.ts'
import type {CertificateReader} from '../x509/certificate-reader.ts'
import {type Material, readTlsCertificate, readValidationContext} from './tls-material.ts'

/** The lists of `envoy.admin.v3.SecretsConfigDump`, by their proto names. */
export const SECRET_LISTS = ['static_secrets', 'dynamic_active_secrets', 'dynamic_warming_secrets'] as const

export type SecretList = (typeof SECRET_LISTS)[number]

/** Version of a secret that its server has not sent yet (Envoy, `secret_manager_impl.cc`). */
const NEVER_SENT = 'uninitialized'

/**
 * One entry of a secrets dump as items: one, or one for each trust domain of a SPIFFE validator. Where the list is not
 * known (the `resource=` form), an entry without data is warming: that is what Envoy calls warming.
 */
export function readSecretEntry(
  entry: JsonRecord,
  list: SecretList | undefined,
  reader: CertificateReader,
): SecretItem[] {
  const secret = recordField(entry, 'secret') ?? {}
  const name = textField(entry, 'name') ?? textField(secret, 'name') ?? ''
  const version = textField(entry, 'version_info')
  const lastUpdated = textField(entry, 'last_updated')
  const rejected = readRejection(recordField(entry, 'error_state'))
  return readMaterial(secret, reader).map((material) => ({
    name,
    state: stateOf(list, version, material),
    ...material,
    ...(version === undefined || version === '' ? {} : {version}),
    ...(lastUpdated === undefined || lastUpdated === '' ? {} : {lastUpdated}),
    ...(rejected === undefined ? {} : {rejected}),
  }))
}

function stateOf(list: SecretList | undefined, version: string | undefined, material: Material): ProxyState {
  if (list === 'static_secrets') return 'STATIC'
  if (list === 'dynamic_warming_secrets') return 'WARMING'
  if (list === 'dynamic_active_secrets') return version === NEVER_SENT ? 'UNINITIALIZED' : 'ACTIVE'
  return version === NEVER_SENT || material.absent?.status === 'EMPTY' ? 'WARMING' : 'ACTIVE'
}

/** The secret's oneof; generic secrets and ticket keys are counted and never read. */
export function readMaterial(secret: JsonRecord, reader: CertificateReader): Material[] {
  const certificate = recordField(secret, 'tls_certificate')
  if (certificate !== undefined) return [readTlsCertificate(certificate, reader)]
  const context = recordField(secret, 'validation_context')
  if (context !== undefined) return readValidationContext(context, reader, {required: true})
  const tickets = recordField(secret, 'session_ticket_keys')
  if (tickets !== undefined) return [withoutCertificate('Ticket Keys', recordsField(tickets, 'keys').length)]
  const generic = recordField(secret, 'generic_secret')
  if (generic !== undefined) return [withoutCertificate('Generic', countGeneric(generic))]
  return [{type: 'Unknown', ...noCertificates('EMPTY', 'nothing given yet')}]
}

function withoutCertificate(type: 'Ticket Keys' | 'Generic', parts: number): Material {
  return {type, parts, certificates: [], keyFound: false, notes: []}
}

function countGeneric(generic: JsonRecord): number {
  const named = field(generic, 'secrets')
  return (isRecord(generic['secret']) ? 1 : 0) + (isRecord(named) ? Object.keys(named).length : 0)
}

/** `UpdateFailureState`; the configuration that was refused stands in it too, and is not looked at. */
function readRejection(error: JsonRecord | undefined): Rejection | undefined {
  if (error === undefined) return undefined
  const at = textField(error, 'last_update_attempt')
  return {...(at === undefined ? {} : {at}), details: textField(error, 'details') ?? ''}
}
