import type {Certificate} from '../domain/certificate.ts'
import {nameText} from '../domain/secret.ts'
import {type Held, kindOf} from './held.ts'
import {ROOT_SECRET, WORKLOAD_SECRET} from '../domain/secret.ts'
import {trustDomainOf} from './trust-domain.ts'

/** A certificate that a side trusts, and the secret it stands in. */
export interface Anchor {
  readonly name: string
  readonly root: Certificate
}

/** Whether a chain is an identity of the mesh: it has a SPIFFE id, or is the workload's own. */
export function isMeshIdentity({item}: Held): boolean {
  const [leaf] = item.certificates
  return item.name === WORKLOAD_SECRET || trustDomainOf(leaf) !== undefined
}

/**
 * What a side trusts for the trust domain of this chain, among all that it holds: its mesh roots and the SPIFFE bundle
 * of that domain; where it has neither, the roots that are mounted as files. ztunnel holds roots with each identity.
 */
export function anchorsOf(chain: Held, all: readonly Held[]): readonly Anchor[] {
  const trustDomain = chain.item.trustDomain ?? trustDomainOf(chain.item.certificates[0])
  if (chain.by.source === 'ztunnel-config-dump') {
    return chain.item.certificates.flatMap((root) =>
      root.readable && root.position === 'root' ? [{name: 'its own roots', root}] : [],
    )
  }
  const bundles = all.filter((one) => kindOf(one) === 'bundle')
  const own = bundles.filter(({item}) => {
    if (item.trustDomain !== undefined && trustDomain !== undefined) return item.trustDomain === trustDomain
    return item.name === ROOT_SECRET || item.name === `spiffe://${trustDomain}`
  })
  const used = own.length > 0 ? own : bundles.filter(({item}) => item.name.startsWith('file-root:'))
  return used.flatMap(({item}) =>
    item.certificates.flatMap((root) => (root.readable ? [{name: nameText(item), root}] : [])),
  )
}
