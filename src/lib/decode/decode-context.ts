import type {CertificateReader} from './x509/certificate-reader.ts'

/** What decoders need besides the answer. */
export interface DecodeContext {
  /** Shared by all answers of a run, so that a certificate seen before is not parsed again. */
  readonly certificates: CertificateReader
  /** `--now`, where given: what a metric in a file without a date counts from. Ms since 1970. */
  readonly nowMs?: number
  /** Name of the secret that a PEM or DER file holds, where it was given (`--secret`). */
  readonly fileSecretName?: string
  /** What agents count is wanted too: their metrics are then read to the last of their own. */
  readonly wantsCounters?: boolean
}
