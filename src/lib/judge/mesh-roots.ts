import type {SecretShowRow} from '../domain/row.ts'
import type {CertificateBlock, CertificateStatus} from '../domain/certificate.ts'
import {ROOT_SECRET} from '../domain/secret.ts'
import {isMeshIdentity} from './mesh-identity.ts'
import type {PodSeen} from './rule.ts'

/** Roots that one side of a pod trusts for the mesh. */
export interface MeshRoots {
  /** The row that they stand in, or the first one of their bundle. */
  readonly row: SecretShowRow
  readonly roots: readonly {readonly certificate: CertificateBlock; readonly status: CertificateStatus}[]
}

/**
 * What a pod trusts for the mesh: its ROOTCA and SPIFFE bundles or mounted roots together, and in a ztunnel those of
 * each identity, where it shows them (1.26 and later do).
 */
export function meshRootsOf({held, agent}: PodSeen): readonly MeshRoots[] {
  const side = agent.dialect === 'none' ? 'agent' : 'proxy'
  const own = held.filter((row) => row.side === side)
  if (agent.dialect === 'ztunnel') {
    return own.filter(isMeshIdentity).flatMap((row) => {
      const roots = row.chain.filter(({certificate}) => certificate.position === 'root')
      return roots.length === 0 ? [] : [{row, roots}]
    })
  }
  const rows = own.filter(isMeshBundle)
  const [first] = rows
  if (first === undefined) return []
  const roots = rows.flatMap(({certificate, status}) =>
    certificate === undefined || status === undefined ? [] : [{certificate, status}],
  )
  return [{row: first, roots}]
}

function isMeshBundle({name, type}: SecretShowRow): boolean {
  if (type === 'SPIFFE Bundle') return true
  return (
    type === 'CA' &&
    (name === ROOT_SECRET ||
      name.startsWith('spiffe://') ||
      (name.startsWith('file-root:') && name !== 'file-root:system'))
  )
}
