import type {CertificateAuthority, IssuedCertificate} from '../pki/certificate-authority.ts'

/** A certificate whose dates are known and that is issued when somebody first asks for it. */
export interface LazyCertificate {
  readonly notBeforeMs: number
  readonly notAfterMs: number
  readonly issue: () => Promise<IssuedCertificate>
}

/** The two sides of a workload as they stand now; a test may move either. */
export interface WorkloadCertificates {
  /** What the agent has. */
  agent: LazyCertificate
  /** What the proxy has; absent while its secret is warming. */
  proxy: LazyCertificate | undefined
  /** The proxy lists what it waits for as active. */
  readonly isListedActive?: boolean
  /** Roots that the proxy has. */
  roots: readonly IssuedCertificate[]
}

const hourMs = 3_600_000

/** Life of a workload certificate where nothing else is said (istio `SECRET_TTL`). */
export const workloadLifetimeMs = 24 * hourMs

/** A workload certificate as istiod issues it: two minutes back-dated, for a day. */
export function workloadCertificate(
  authority: CertificateAuthority,
  namespace: string,
  serviceAccount: string,
  issuedMs: number,
): LazyCertificate {
  return lazyCertificate(issuedMs - 120_000, issuedMs + workloadLifetimeMs, async (notBeforeMs, notAfterMs) => {
    const uris = [spiffeId(namespace, serviceAccount)]
    return await authority.issue({subject: '', uris, notBeforeMs, notAfterMs})
  })
}

/** Issues at the first question, once. Dates are cut to whole seconds, as a certificate has them. */
export function lazyCertificate(
  notBeforeMs: number,
  notAfterMs: number,
  issue: (notBeforeMs: number, notAfterMs: number) => Promise<IssuedCertificate>,
): LazyCertificate {
  const from = Math.floor(notBeforeMs / 1000) * 1000
  const to = Math.floor(notAfterMs / 1000) * 1000
  let issued: Promise<IssuedCertificate> | undefined
  return {notBeforeMs: from, notAfterMs: to, issue: async () => await (issued ??= issue(from, to))}
}

export function spiffeId(namespace: string, serviceAccount: string): string {
  return `spiffe://cluster.local/ns/${namespace}/sa/${serviceAccount}`
}
