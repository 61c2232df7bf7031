import type {MeshLeaf, PodRoots} from '../../domain/roots.ts'
import {nameText} from '../../domain/secret.ts'
import {isSignedBy, type Signatures} from '../../domain/signatures.ts'
import {anchorsOf, isMeshIdentity} from '../anchors.ts'
import {chainPath, leadsTo} from '../chain-path.ts'
import type {GatheredEvidence} from '../gather.ts'
import {type Held, isWaiting, kindOf} from '../held.ts'
import {trustDomainOf} from '../trust-domain.ts'
import {distinctCertificates} from './distinct-certificates.ts'
import {meshBundles} from './mesh-bundles.ts'

/**
 * The mesh roots of one pod: what its proxy trusts, where it has none what its agent wrote to files, and what the chains
 * of its own identities lead to. A gateway's certificates for the outside, and what it trusts there, are not of the mesh.
 */
export function readPodRoots(evidence: GatheredEvidence, signatures: Signatures): PodRoots {
  const {agent, proxy, published} = evidence.gathered
  const held = proxy.held.length > 0 ? proxy.held : agent.held.filter(({by}) => by.source === 'agent-files')
  const shown = held.filter((one) => kindOf(one) === 'chain' && isInUse(one) && isOfMesh(one))
  const untoldLeaf = shown.flatMap((one) => whyUntold(one) ?? [])[0]
  return {
    bundles: meshBundles(held, shown),
    leaves: leavesOf(shown, held, signatures),
    ...(untoldLeaf !== undefined && {untoldLeaf}),
    ...(published !== undefined && {published: published.roots}),
    signing: evidence.observations.filter((one) => one.type === 'signing'),
  }
}

/** ztunnel names what it holds by its identity, which tells it where the certificate cannot. */
function isOfMesh(held: Held): boolean {
  return isMeshIdentity(held) || trustDomainOf(held.item.name) !== undefined
}

function isInUse(held: Held): boolean {
  return !isWaiting(held) && held.item.state !== 'UNAVAILABLE'
}

/** A block that cannot be read hides who signed what stands before it. */
function whyUntold({item}: Held): string | undefined {
  const [leaf] = item.certificates
  const name = nameText(item)
  if (leaf === undefined) return item.absent?.status === 'UNKNOWN' ? item.absent.message : undefined
  if (item.certificates.some(({readable}) => !readable)) return `not all of its chain ${name} can be read`
  const isWhole = leaf.readable && leaf.fingerprint !== undefined
  return isWhole ? undefined : `only facts of its chain ${name} are known`
}

/** Each identity once: a gateway shows its own under other names too. */
function leavesOf(shown: readonly Held[], all: readonly Held[], signatures: Signatures): readonly MeshLeaf[] {
  const leaves = new Map<string, MeshLeaf>()
  for (const one of shown) {
    const path = chainPath(one, signatures)
    const [leaf, ...issuers] = path
    const last = path.at(-1)
    if (leaf?.fingerprint === undefined || last === undefined || leaves.has(leaf.fingerprint)) continue
    const roots = [...anchorsOf(one, all).map(({root}) => root), ...path.filter(({selfSigned}) => selfSigned)]
    const endsIn = roots.filter((root) => path.some((subject) => leadsTo(subject, root, signatures)))
    // An intermediate that is trusted as a root leaves open who signed it.
    const isOpen = !last.selfSigned && !roots.some((root) => isSignedBy(last, root, signatures) === true)
    leaves.set(leaf.fingerprint, {
      trustDomain: trustDomainOf(leaf) ?? '',
      endsIn: distinctCertificates(endsIn),
      issuers,
      ...(isOpen && {top: last}),
    })
  }
  return [...leaves.values()]
}
