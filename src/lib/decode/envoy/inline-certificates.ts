import type {SecretItem} from '../../domain/secret.ts'
import {type JsonRecord, recordField, recordsField, textField} from '../json/narrow.ts'
import type {CertificateReader} from '../x509/certificate-reader.ts'
import {type Material, readTlsCertificate, readValidationContext} from './tls-material.ts'

/** Certificates that stand in listeners and clusters themselves, and the SDS secrets that these wait for. */
export class InlineCertificates {
  readonly #reader: CertificateReader
  readonly #items = new Map<string, {readonly material: Material; readonly owners: Set<string>}>()
  /** Name of an SDS secret, and who asks for it first. */
  readonly #awaited = new Map<string, string>()

  constructor(reader: CertificateReader) {
    this.#reader = reader
  }

  /** Takes one `CommonTlsContext` of `owner` (`listener virtualInbound`). */
  add(context: JsonRecord, owner: string): void {
    for (const material of readTlsContext(context, this.#reader)) this.#addMaterial(material, owner)
    for (const name of awaitedSecrets(context)) if (!this.#awaited.has(name)) this.#awaited.set(name, owner)
  }

  /** One item for each distinct certificate; a mesh's sidecar may hold the same one in thousands of clusters. */
  items(): SecretItem[] {
    return [...this.#items.values()].map(({material, owners}) => {
      const [origin = '', ...others] = owners
      return {name: '', state: 'STATIC', ...material, origin, notes: [...material.notes, ...alsoIn(others)]}
    })
  }

  /** Secrets that are asked for and not among `known`, each with who asks. */
  missing(known: ReadonlySet<string>): {readonly name: string; readonly owner: string}[] {
    return [...this.#awaited].filter(([name]) => !known.has(name)).map(([name, owner]) => ({name, owner}))
  }

  #addMaterial(material: Material, owner: string): void {
    const {certificates, ...rest} = material
    const identities = certificates.map((block) => (block.readable ? block.fingerprint : block.problem))
    const key = JSON.stringify([rest, identities])
    const known = this.#items.get(key)
    if (known === undefined) this.#items.set(key, {material, owners: new Set([owner])})
    else known.owners.add(owner)
  }
}

function readTlsContext(context: JsonRecord, reader: CertificateReader): Material[] {
  const combined = recordField(context, 'combined_validation_context')
  const validation = [
    recordField(context, 'validation_context'),
    combined === undefined ? undefined : recordField(combined, 'default_validation_context'),
  ]
  return [
    ...recordsField(context, 'tls_certificates').map((certificate) => readTlsCertificate(certificate, reader)),
    ...validation
      .filter((candidate) => candidate !== undefined)
      .flatMap((candidate) => readValidationContext(candidate, reader, {required: false})),
  ]
}

function awaitedSecrets(context: JsonRecord): string[] {
  const combined = recordField(context, 'combined_validation_context') ?? {}
  const configs = [
    ...recordsField(context, 'tls_certificate_sds_secret_configs'),
    recordField(context, 'validation_context_sds_secret_config'),
    recordField(combined, 'validation_context_sds_secret_config'),
  ]
  return configs.flatMap((config) => {
    const name = config === undefined ? undefined : textField(config, 'name')
    return name === undefined ? [] : [name]
  })
}

function alsoIn(owners: readonly string[]): string[] {
  const [first] = owners
  if (first === undefined) return []
  if (owners.length === 1) return [`also in ${first}`]
  return [`also in ${owners.length} other listeners and clusters`]
}
