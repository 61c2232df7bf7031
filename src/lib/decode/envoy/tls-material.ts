import type {SecretItem, SecretType} from '../../domain/secret.ts'
import {type JsonRecord, recordField, recordsField, textField} from '../json/narrow.ts'
import {bundleSet, type CertificateSet, chainSet, noCertificates} from '../pem/certificate-set.ts'
import {readPem} from '../pem/read-pem.ts'
import type {CertificateReader} from '../x509/certificate-reader.ts'
import {isGiven, readDataSource, type SourceText} from './data-source.ts'
import {readTrustBundleMap} from './trust-bundle-map.ts'

/** What an item says of its secret, without the name and state that the list around it gives. */
export type Material = CertificateSet & Pick<SecretItem, 'parts' | 'trustDomain'> & {readonly type: SecretType}

/** `envoy.extensions.transport_sockets.tls.v3.TlsCertificate`; its private key is never looked at. */
export function readTlsCertificate(certificate: JsonRecord, reader: CertificateReader): Material {
  const chain = recordField(certificate, 'certificate_chain')
  const type = 'Cert Chain'
  if (!isGiven(chain) && recordField(certificate, 'pkcs12') !== undefined) {
    return {type, ...noCertificates('UNKNOWN', 'the certificate is in a PKCS #12 file, which the answer does not show')}
  }
  return {type, ...readSource(readDataSource(chain), reader, (pem) => chainSet(pem, reader))}
}

/**
 * `CertificateValidationContext`: one bundle, or one for each trust domain of a SPIFFE validator. None where the
 * context trusts nobody by itself (only names to match) and `required` is not set.
 */
export function readValidationContext(
  context: JsonRecord,
  reader: CertificateReader,
  {required}: {readonly required: boolean},
): Material[] {
  const [first, ...others] = readTrusted(context, reader, required)
  if (first === undefined) return []
  return [{...first, notes: [...first.notes, ...crlNotes(recordField(context, 'crl'))]}, ...others]
}

function readTrusted(context: JsonRecord, reader: CertificateReader, required: boolean): Material[] {
  const trusted = recordField(context, 'trusted_ca')
  const spiffe = readSpiffeValidator(context, reader)
  if (isGiven(trusted)) {
    const bundle = readSource(readDataSource(trusted), reader, bundleSet)
    // An empty CA beside a SPIFFE validator is how SPIRE writes it.
    if (bundle.absent?.status !== 'EMPTY' || spiffe.length === 0) return [{type: 'CA', ...bundle}, ...spiffe]
  }
  if (spiffe.length > 0) return spiffe
  if (recordField(context, 'system_root_certs') !== undefined) {
    return [{type: 'CA', ...noCertificates('UNKNOWN', "the system's own roots, which the answer does not show")}]
  }
  return required ? [{type: 'CA', ...noCertificates('EMPTY', 'no certificate')}] : []
}

/** Where the revocation lists are that the roots are used with; they are not read. */
function crlNotes(crl: JsonRecord | undefined): readonly string[] {
  if (!isGiven(crl)) return []
  const source = readDataSource(crl)
  // An agent of Istio 1.31 sends an empty one beside the roots of a sidecar.
  if (source.type === 'absent' && source.status === 'EMPTY') return []
  const filename = textField(crl, 'filename')
  return [
    filename === undefined ? 'used with a revocation list (CRL)' : `used with the revocation list (CRL) in ${filename}`,
  ]
}

/** `SPIFFECertValidatorConfig`: bundles by trust domain, in the newer form as one SPIFFE bundle map. */
function readSpiffeValidator(context: JsonRecord, reader: CertificateReader): Material[] {
  const config = recordField(recordField(context, 'custom_validator_config') ?? {}, 'typed_config')
  if (config === undefined || !(textField(config, '@type') ?? '').endsWith('SPIFFECertValidatorConfig')) return []
  const type = 'SPIFFE Bundle'
  const bundles = recordField(config, 'trust_bundles')
  // Envoy takes `trust_bundles` where both are given.
  if (isGiven(bundles)) {
    const source = readDataSource(bundles)
    if (source.type !== 'text') return [{type, ...readSource(source, reader, bundleSet)}]
    return readTrustBundleMap(source.text, reader).map((bundle) => ({type, ...bundle}))
  }
  return recordsField(config, 'trust_domains').map((domain) => {
    const trustDomain = textField(domain, 'name')
    const bundle = readSource(readDataSource(recordField(domain, 'trust_bundle')), reader, bundleSet)
    return {type, ...bundle, ...(trustDomain === undefined ? {} : {trustDomain})}
  })
}

function readSource(
  source: SourceText,
  reader: CertificateReader,
  set: (pem: ReturnType<typeof readPem>) => CertificateSet,
): CertificateSet {
  if (source.type === 'absent') return noCertificates(source.status, source.message)
  if (source.type === 'problem') return set({certificates: [source.problem], keyFound: false})
  return set(readPem(source.text, reader))
}
