import type {Certificate, CertificateBlock} from '../domain/certificate.ts'
import {firstOf, type Held, kindOf} from './held.ts'
import {basisOf, identityKey, isSame} from './same-certificate.ts'
import {WORKLOAD_SECRET} from '../domain/secret.ts'

/**
 * Envoy's `/certs` tells the certificates of TLS contexts without the names of their secrets. Each chain gets the name
 * under which the agent holds the same certificate, or one of the same SPIFFE id; roots become one bundle by the name
 * of the agent's that holds them. The rest stay as they are.
 */
export function nameContexts(proxy: readonly Held[], agent: readonly Held[]): readonly Held[] {
  if (proxy.every(({by}) => by.source !== 'envoy-certs')) return proxy
  const nameOfChain = chainNames(agent.filter((one) => kindOf(one) === 'chain'))
  const nameOfRoot = rootNames(agent.filter((one) => kindOf(one) === 'bundle'))
  const bundles = new Map<string, CertificateBlock[]>()
  return proxy.flatMap((one) => {
    const [first] = one.item.certificates
    const isBundle = kindOf(one) === 'bundle'
    const name = isBundle ? nameOfRoot(first) : nameOfChain(first)
    if (name === undefined || first === undefined) return [one]
    const known = isBundle ? bundles.get(name) : undefined
    known?.push(first)
    if (known !== undefined) return []
    const certificates = [first]
    if (isBundle) bundles.set(name, certificates)
    return [{...one, item: {...one.item, name, certificates}}]
  })
}

type NameOf = (block: CertificateBlock | undefined) => string | undefined

/** The agent's chain of the same certificate, else of the same SPIFFE id. */
function chainNames(chains: readonly Held[]): NameOf {
  const leaves = chains.flatMap((one): [string, Certificate][] => {
    const leaf = firstOf(one)
    return leaf?.readable === true ? [[one.item.name, leaf]] : []
  })
  const byKey = firstOfEach(leaves.map(([name, leaf]) => [identityKey(leaf, 'serial'), name]))
  const byId = firstOfEach(leaves.flatMap(([name, {spiffeIds}]) => spiffeIds.slice(0, 1).map((id) => [id, name])))
  const bare = leaves.filter(([, leaf]) => identityKey(leaf, 'serial') === undefined)
  // A workload has one mesh identity, so where the agent tells none (a metric) any SPIFFE id at the proxy is it.
  const isAny = leaves.some(([name, {spiffeIds}]) => name === WORKLOAD_SECRET && spiffeIds.length === 0)
  return (block) => {
    if (block?.readable !== true) return undefined
    const same = byKey.get(identityKey(block, 'serial')) ?? bare.find(([, leaf]) => isAlike(leaf, block))?.[0]
    const [id] = block.spiffeIds.filter((one) => byId.has(one))
    return same ?? byId.get(id) ?? (isAny && block.spiffeIds.length > 0 ? WORKLOAD_SECRET : undefined)
  }
}

function rootNames(bundles: readonly Held[]): NameOf {
  const names = firstOfEach(
    bundles.flatMap(({item}) =>
      item.certificates.map((root) => [root.readable ? identityKey(root, 'serial') : undefined, item.name]),
    ),
  )
  return (block) => (block?.readable === true ? names.get(identityKey(block, 'serial')) : undefined)
}

function isAlike(ours: Certificate, theirs: Certificate): boolean {
  return isSame(ours, theirs, basisOf(ours, theirs))
}

function firstOfEach(entries: readonly (readonly (string | undefined)[])[]): ReadonlyMap<string | undefined, string> {
  const first = new Map<string | undefined, string>()
  for (const [key, name] of entries) {
    if (key !== undefined && name !== undefined && !first.has(key)) first.set(key, name)
  }
  return first
}
