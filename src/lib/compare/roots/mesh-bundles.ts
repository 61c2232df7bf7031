import {certificateStatus} from '../../domain/certificate.ts'
import type {RootHeld, TrustBundle} from '../../domain/roots.ts'
import {nameText} from '../../domain/secret.ts'
import {type Held, kindOf} from '../held.ts'
import {ROOT_SECRET} from '../../domain/secret.ts'

const SPIFFE_NAME = /^spiffe:\/\/([^/]+)$/

/**
 * What of a side's secrets it checks other workloads of the mesh with: ROOTCA, the SPIFFE bundle of each trust domain,
 * ztunnel's roots of each of its identities; where there is none of them, roots from files, if the side's `own` chain
 * is of the mesh.
 */
export function meshBundles(held: readonly Held[], own: readonly Held[]): readonly TrustBundle[] {
  const ofZtunnel = held.filter(({by}) => by.source === 'ztunnel-config-dump')
  if (ofZtunnel.length > 0) return eachOnce(own.map(ztunnelBundle))
  const bundles = held.filter((one) => kindOf(one) === 'bundle')
  const ofMesh = bundles.filter(({item}) => item.name === ROOT_SECRET || trustDomainOfBundle(item) !== undefined)
  const used = ofMesh.length > 0 ? ofMesh : bundles.filter(({item}) => own.length > 0 && isFromFile(item.name))
  return used.map(bundleOf)
}

function isFromFile(name: string): boolean {
  return name.startsWith('file-root:') && name !== 'file-root:system'
}

function trustDomainOfBundle({name, trustDomain}: Held['item']): string | undefined {
  return trustDomain ?? SPIFFE_NAME.exec(name)?.[1]
}

function bundleOf(held: Held): TrustBundle {
  const {item, by} = held
  const trustDomain = trustDomainOfBundle(item)
  const untold = whyMore(held)
  return {
    ...(trustDomain !== undefined && {trustDomain}),
    name: nameText(item),
    source: by.source,
    roots: rootsOf(held, () => true),
    ...(untold !== undefined && {untold}),
  }
}

/** Up to 1.25 the roots stood at the end of the chain, and of a bundle only those that its own chain needs. */
function ztunnelBundle(held: Held): TrustBundle {
  const {item, by} = held
  const untold =
    item.rootsApart === true
      ? whyMore(held)
      : 'its ztunnel shows roots within chains only, as up to Istio 1.25, and may trust more'
  return {
    name: nameText(item),
    source: by.source,
    roots: rootsOf(held, ({position}) => position === 'root'),
    ...(untold !== undefined && {untold}),
  }
}

function whyMore({item}: Held): string | undefined {
  if (item.absent?.status === 'UNKNOWN') return item.absent.message
  const unread = item.certificates.filter((block) => !block.readable)
  if (unread.length > 0) return `${unread.length} of the certificates in ${nameText(item)} cannot be read`
  const isWhole = item.certificates.every((block) => block.readable && block.fingerprint !== undefined)
  return isWhole ? undefined : `only facts of the certificates in ${nameText(item)} are known`
}

function rootsOf({item, clockMs}: Held, isRoot: (block: RootHeld['certificate']) => boolean): readonly RootHeld[] {
  const roots = new Map<string, RootHeld>()
  for (const certificate of item.certificates) {
    if (!certificate.readable || certificate.fingerprint === undefined || !isRoot(certificate)) continue
    roots.set(certificate.fingerprint, {certificate, status: certificateStatus(certificate, clockMs)})
  }
  return [...roots.values()]
}

/** A ztunnel holds the same roots with each of hundreds of identities. */
function eachOnce(bundles: readonly TrustBundle[]): readonly TrustBundle[] {
  return [...new Map(bundles.map((bundle) => [bundleKey(bundle), bundle])).values()]
}

/** A text that is equal for bundles that verify alike: the order of roots does not matter. */
export function bundleKey({trustDomain, roots, untold}: TrustBundle): string {
  const fingerprints = roots.map(({certificate, status}) => `${certificate.fingerprint ?? ''} ${status}`).toSorted()
  return [trustDomain ?? '', untold ?? '', ...fingerprints].join('\n')
}
