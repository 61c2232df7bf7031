import type {Counters} from '../counters.ts'
import {makeCertificateAuthority} from '../pki/certificate-authority.ts'
import type {CertificateAuthority, IssuedCertificate} from '../pki/certificate-authority.ts'
import type {World} from '../world.ts'

const dayMs = 86_400_000

/** What a scenario builds with. */
export interface Mesh {
  readonly world: World
  readonly nowMs: () => number
  /** When the sandbox was started; dates of certificates and pods are counted from it. */
  readonly startedMs: number
  /** The mesh CA, which signs all workloads. */
  readonly authority: CertificateAuthority
  /** The CA of certificates that a gateway shows to the outside. */
  readonly publicAuthority: CertificateAuthority
  /** Says that somebody tried to change something. */
  readonly onMutation: (path: string) => void
}

/** Makes the CAs of a mesh. */
export async function makeMesh(world: World, nowMs: () => number, counters: Counters): Promise<Mesh> {
  const startedMs = nowMs()
  const from = startedMs - 30 * dayMs
  return {
    world,
    nowMs,
    startedMs,
    authority: await makeCertificateAuthority('O=cluster.local', from, startedMs + 3620 * dayMs),
    publicAuthority: await makeCertificateAuthority('CN=Example Public CA', from, startedMs + 3620 * dayMs),
    onMutation: (path) => counters.mutations.push(path),
  }
}

/** Roots as one PEM text. */
export function bundle(roots: readonly IssuedCertificate[]): string {
  return roots.map(({pem}) => pem).join('')
}
