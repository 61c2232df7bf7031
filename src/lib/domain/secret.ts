import type {CertificateBlock} from './certificate.ts'

/** Name of the workload's own certificate at agent and proxy (Istio). */
export const WORKLOAD_SECRET = 'default'
/** Name of the mesh's roots at agent and proxy (Istio). */
export const ROOT_SECRET = 'ROOTCA'

export type SecretType = 'Cert Chain' | 'CA' | 'SPIFFE Bundle' | 'Ticket Keys' | 'Generic' | 'Unknown'

/** How a proxy holds a secret. `STATIC` also stands for certificates inside listeners and clusters. */
export type ProxyState = 'ACTIVE' | 'WARMING' | 'UNINITIALIZED' | 'UNAVAILABLE' | 'STATIC'

/** An update that the proxy refused while it kept what it had. */
export interface Rejection {
  /** RFC 3339, as the proxy wrote it. */
  readonly at?: string
  readonly details: string
}

/** `update refused at 2026-05-31T22:40:11.532Z: Failed to load …`: what the proxy itself said of it. */
export function refusedText({at, details}: Rejection): string {
  return `update refused${at === undefined ? '' : ` at ${at}`}${details === '' ? '' : `: ${details}`}`
}

/** What a secret is called: its name, or where it stands that has none. */
export function nameText({name, origin}: {readonly name: string; readonly origin?: string}): string {
  if (name !== '') return name
  return origin === undefined ? '(no name)' : `(${origin})`
}

/** One secret, as one side holds it. */
export interface SecretItem {
  /** As the side names it; may be empty, and is foreign text. */
  readonly name: string
  readonly type: SecretType
  /** Absent on the agent side, where being listed is all there is. */
  readonly state?: ProxyState
  /** Why `UNAVAILABLE`, in the source's words, whole. */
  readonly stateReason?: string
  /** Set where the secret is a bundle of one trust domain (SPIFFE validators, SPIRE). */
  readonly trustDomain?: string
  /** Chain: leaf first, then in order of trust, whatever order it came in. Bundle: each root, as it came. */
  readonly certificates: readonly CertificateBlock[]
  /** Why there are no certificates: nothing given, or given as something not in the answer (a file name). */
  readonly absent?: {readonly status: 'EMPTY' | 'UNKNOWN'; readonly message: string}
  /** ztunnel: its roots stood in a field of their own, so that all of them are told. */
  readonly rootsApart?: boolean
  /** Number of parts of a generic or ticket-key secret. */
  readonly parts?: number
  /** A private key stood where a certificate belongs (the scrubber took it out). */
  readonly keyFound: boolean
  readonly rejected?: Rejection
  /** RFC 3339, the proxy's clock. */
  readonly lastUpdated?: string
  readonly version?: string
  /** Where a certificate stands that is no SDS secret: `listener virtualInbound`. */
  readonly origin?: string
  /** Envoy node id of the proxy that holds it, where the answer says so. */
  readonly destination?: string
  /** Name of the agent pod, for a node agent. */
  readonly agentPod?: string
  /** Ms since 1970, where an agent says when it made the secret; decides which of duplicates is newest. */
  readonly createdMs?: number
  /** Things worth saying that are no fault: a root twice in a chain, noise around JSON. */
  readonly notes: readonly string[]
}
