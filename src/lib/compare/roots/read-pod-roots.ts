import type {Certificate} from '../../domain/certificate.ts'
import type {MeshLeaf, PodRoots} from '../../domain/roots.ts'
import type {Signatures} from '../../domain/signatures.ts'
import {anchorsOf, isMeshIdentity} from '../anchors.ts'
import {chainPath, leadsTo} from '../chain-path.ts'
import type {Evidence} from '../evidence.ts'
import {gather} from '../gather.ts'
import {type Held, isWaiting, kindOf} from '../held.ts'
import {trustDomainOf} from '../trust-domain.ts'
import {meshBundles} from './mesh-bundles.ts'

/**
 * The mesh roots of one pod: what its proxy trusts, where it has none what its agent wrote to files, and what the chains
 * of its own identities lead to. A gateway's certificates for the outside, and what it trusts there, are not of the mesh.
 */
export function readPodRoots(evidence: Evidence, signatures: Signatures): PodRoots {
  const {agent, proxy, published} = gather(evidence)
  const held = proxy.held.length > 0 ? proxy.held : agent.held.filter(({by}) => by.source === 'agent-files')
  const shown = held.filter((one) => kindOf(one) === 'chain' && isInUse(one) && isMeshIdentity(one))
  return {
    bundles: meshBundles(held, shown),
    leaves: leavesOf(shown, held, signatures),
    ...(published !== undefined && {published: published.roots}),
    signingRootEndsMs: evidence.observations.flatMap((one) => (one.type === 'signing-root' ? [one.notAfterMs] : [])),
  }
}

function isInUse(held: Held): boolean {
  return !isWaiting(held) && held.item.state !== 'UNAVAILABLE'
}

/** Each identity once: a gateway shows its own under other names too. */
function leavesOf(shown: readonly Held[], all: readonly Held[], signatures: Signatures): readonly MeshLeaf[] {
  const leaves = new Map<string, MeshLeaf>()
  for (const one of shown) {
    const path = chainPath(one, signatures)
    const [leaf] = path
    const top = path.findLast(({selfSigned}) => !selfSigned) ?? leaf
    if (leaf?.fingerprint === undefined || top === undefined || leaves.has(leaf.fingerprint)) continue
    const roots = [...anchorsOf(one, all).map(({root}) => root), ...path.filter(({selfSigned}) => selfSigned)]
    const endsIn = roots.filter((root) => path.some((subject) => leadsTo(subject, root, signatures)))
    leaves.set(leaf.fingerprint, {trustDomain: trustDomainOf(leaf) ?? '', endsIn: distinct(endsIn), top})
  }
  return [...leaves.values()]
}

function distinct(certificates: readonly Certificate[]): readonly Certificate[] {
  return [...new Map(certificates.map((one) => [one.fingerprint, one])).values()]
}
