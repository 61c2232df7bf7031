import {parseCredential} from '../domain/credential.ts'
import type {ManagedSecret} from '../domain/managed-secret.ts'
import type {CertificatesManaged, ManagedCertificate} from '../domain/kubernetes-seen.ts'
import type {Spoken} from '../domain/spoken.ts'
import type {Evidence} from './evidence.ts'
import {knownByExpiry} from './expiry-item.ts'
import {formatDuration} from '../domain/format-duration.ts'
import {formatTime} from '../domain/format-time.ts'
import type {GatheredEvidence} from './gather.ts'
import {clockOf, type Held} from './held.ts'
import {isSameExpiry} from './same-certificate.ts'

/** A renewal that is due is done within minutes, or fails and is tried again after an hour (cert-manager's backoff). */
const RENEWAL_TOLERANCE_MS = 3_600_000

/** What cert-manager tells of the secrets of one proxy, by their names there. */
export interface ManagedSecrets {
  readonly held: readonly Held[]
  /** Why nothing can be told of the certificate of a secret that cert-manager looks after. */
  readonly untold: ReadonlyMap<string, string>
  readonly notes: ReadonlyMap<string, readonly string[]>
}

interface Managed {
  readonly certificate: ManagedCertificate
  readonly by: Spoken
  readonly namespace: string
  /** `Certificate shop/shop-cert`. */
  readonly title: string
}

/** Finds the Certificates behind the Secrets that a proxy's secrets are made from. */
export function managedSecrets(
  names: Iterable<string>,
  pages: readonly CertificatesManaged[],
  evidence: Evidence,
): ManagedSecrets {
  const held: Held[] = []
  const untold = new Map<string, string>()
  const notes = new Map<string, readonly string[]>()
  for (const name of pages.length === 0 ? [] : names) {
    const managed = certificatesOf(name, pages, evidence)
    const [first, ...others] = managed
    if (first === undefined) continue
    const clockMs = clockOf(first.by, evidence.nowMs)
    notes.set(name, [...sharedBy(managed), ...managed.flatMap((one) => remarksOf(one, clockMs))])
    const {notAfterMs} = first.certificate
    const isClear = others.every(({certificate}) => isSameEnd(certificate.notAfterMs, notAfterMs))
    if (notAfterMs !== undefined && isClear) {
      const item = knownByExpiry(name, notAfterMs, [])
      held.push({item, by: first.by, clockMs, agentPod: evidence.pod.name})
    } else {
      untold.set(name, isClear ? whyUntold(first) : `${titlesOf(managed)} write the same Secret and differ`)
    }
  }
  return {held, untold, notes}
}

/** The Certificates behind the secrets that a proxy holds, each with the secret. */
export function managedBehind({gathered, observations, ...evidence}: GatheredEvidence): readonly ManagedSecret[] {
  const pages = observations.filter((one) => one.type === 'certificates-managed')
  if (pages.length === 0) return []
  const names = new Set(gathered.proxy.held.map(({item}) => item.name))
  return [...names].flatMap((secret) =>
    certificatesOf(secret, pages, evidence).map(({certificate, by, namespace}) => ({
      secret,
      namespace,
      certificate,
      clockMs: clockOf(by, evidence.nowMs),
    })),
  )
}

function certificatesOf(
  secretName: string,
  pages: readonly CertificatesManaged[],
  {pod}: Pick<Evidence, 'pod'>,
): readonly Managed[] {
  const credential = parseCredential(secretName, pod.namespace)
  if (credential === undefined || credential.isCaOnly || credential.scheme === 'configmap') return []
  return pages
    .filter(({namespace}) => namespace === credential.namespace)
    .flatMap(({certificates, by, namespace}) =>
      certificates
        .filter((certificate) => certificate.secretName === credential.name)
        .map((certificate) => ({certificate, by, namespace, title: `Certificate ${namespace}/${certificate.name}`})),
    )
}

function isSameEnd(one: number | undefined, other: number | undefined): boolean {
  return one === undefined || other === undefined ? one === other : isSameExpiry(one, other)
}

function whyUntold({certificate: {problems}, title}: Managed): string {
  const [problem] = problems
  return problem === undefined ? `${title} has not been issued` : `${title}: ${problem}`
}

function sharedBy(managed: readonly Managed[]): readonly string[] {
  return managed.length > 1 ? [`${titlesOf(managed)} write the same Secret`] : []
}

function titlesOf(managed: readonly Managed[]): string {
  return managed.map(({title}) => title).join(' and ')
}

/** All that is wrong with a Certificate, in one line; none where it is well. */
function remarksOf({certificate, title}: Managed, clockMs: number): readonly string[] {
  const {ready, isIssuing, problems, renewalMs} = certificate
  const overdueMs = renewalMs === undefined ? 0 : clockMs - renewalMs
  const remarks = [
    ...problems,
    ...readiness(ready),
    ...(isIssuing ? ['the next one is being issued'] : []),
    ...(renewalMs !== undefined && overdueMs > RENEWAL_TOLERANCE_MS
      ? [`its renewal was due at ${formatTime(renewalMs)}, ${formatDuration(overdueMs)} ago`]
      : []),
  ]
  return remarks.length === 0 ? [] : [`${title}: ${remarks.join('; ')}`]
}

function readiness(ready: ManagedCertificate['ready']): readonly string[] {
  if (ready === undefined) return ['it has no Ready condition: is cert-manager running?']
  if (ready.isTrue) return []
  return [['not Ready', ready.reason, ready.message].filter((text) => text !== '').join(': ')]
}
