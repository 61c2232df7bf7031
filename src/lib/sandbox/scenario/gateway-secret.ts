import type {IssuedCertificate} from '../pki/certificate-authority.ts'
import {bundle} from './mesh.ts'
import type {LazyCertificate} from './workload-certificates.ts'

/** A secret that an Envoy has from istiod; with neither a certificate nor roots, it waits for it. */
export interface GatewaySecret {
  readonly name: string
  readonly certificate?: LazyCertificate
  /** What the Envoy goes on with, where it has refused the certificate. */
  readonly before?: LazyCertificate
  /** Of a `-cacert`. */
  readonly roots?: readonly IssuedCertificate[]
}

/** What it holds in PEM; absent while it is waited for. */
export function pemOf({certificate, roots}: GatewaySecret): (() => Promise<string>) | undefined {
  if (certificate !== undefined) return async () => (await certificate.issue()).pem
  return roots === undefined ? undefined : async () => await Promise.resolve(bundle(roots))
}

export function holdsOf({roots}: GatewaySecret): 'certificate' | 'roots' {
  return roots === undefined ? 'certificate' : 'roots'
}
