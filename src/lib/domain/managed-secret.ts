import type {ManagedCertificate} from './kubernetes-seen.ts'

/** A Certificate of cert-manager behind one of a proxy's secrets. */
export interface ManagedSecret {
  /** The secret, as the proxy names it. */
  readonly secret: string
  readonly namespace: string
  readonly certificate: ManagedCertificate
  /** When it is looked at by the clock of the API server, ms since 1970. */
  readonly clockMs: number
}
