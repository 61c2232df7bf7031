import type {Certificate, CertificateBlock} from '../domain/certificate.ts'
import type {ContextUse} from '../domain/row.ts'
import {asLoaded} from './as-loaded.ts'
import {formatTime} from '../domain/format-time.ts'
import {firstOf, type Held, isWaiting, kindOf} from './held.ts'
import {serialNumber} from './same-certificate.ts'

/** What Envoy writes for a certificate that came with its configuration or by SDS, and not from a file. */
const INLINE = '<inline>'
/** Envoy's older dates ran over at 32 bits of seconds (envoyproxy/envoy#6315), so times are compared without the rest. */
const WRAP_S = 2 ** 32

/** Nobody needs more of them to see what is wrong. */
const MAX_OTHERS = 10

/** A proxy's secrets, each with what its TLS contexts have loaded of it. */
export interface JoinedContexts {
  readonly held: readonly Held[]
  /** Certificates that TLS contexts have loaded, that are of no secret's names and in no secret. */
  readonly loose: readonly Held[]
}

/** Certificates that contexts have loaded, of one kind. */
interface Loaded {
  readonly keys: ReadonlySet<string>
  /** Serials of those whose dates are of no use. */
  readonly serials: ReadonlySet<string>
  /** Each told its serial, so that a certificate that is not among them is not loaded. */
  readonly isWhole: boolean
}

/**
 * Holds what a proxy's secrets are against what is in its TLS contexts (Envoy's `/certs`), by serial and both dates:
 * nothing else is told there. Contexts list the leaf of a chain and the first root of a bundle.
 */
export function joinContexts(held: readonly Held[], contexts: readonly Held[]): JoinedContexts {
  const loose = contexts.filter(isLooseAmong(held))
  const looseOf = Map.groupBy(
    loose.flatMap((one) => namesOf(firstOf(one)).map((name) => ({name, one}))),
    ({name}) => name,
  )
  const chains = loadedOf(contexts.filter((one) => kindOf(one) === 'chain'))
  const bundles = loadedOf(contexts.filter((one) => kindOf(one) === 'bundle'))
  const claimed = new Set<string>()
  const unused = unusedBundles(held, bundles)
  const joined = held.map((one): Held => {
    if (isWaiting(one)) return one
    if (kindOf(one) === 'bundle') return {...one, contexts: rootUses(one, bundles, unused)}
    const leaf = firstOf(one)
    const isIn = kindOf(one) === 'chain' && leaf?.readable === true ? isLoaded(leaf, chains) : undefined
    if (leaf === undefined || isIn === undefined) return one
    const names = namesOf(leaf)
    for (const name of names) claimed.add(name)
    const namesakes = names.flatMap((name) => (looseOf.get(name) ?? []).slice(0, MAX_OTHERS))
    const others = [...new Set(namesakes.map((entry) => entry.one))].slice(0, MAX_OTHERS).flatMap(readableOf)
    const kept = isIn ? undefined : asLoaded(one, others)
    return kept ?? {...one, contexts: new Map([[leaf, {loaded: isIn, others}]])}
  })
  return {
    held: joined,
    loose: loose
      .filter((one) => !namesOf(firstOf(one)).some((name) => claimed.has(name)))
      .map((one) => ({...one, item: {...one.item, name: '', origin: 'TLS context'}})),
  }
}

/** What is worth saying of it: nothing where contexts have loaded this certificate and no other. */
export function textOfUse({loaded, others}: ContextUse): readonly string[] {
  const told = others.map(
    ({serial, notAfterMs}) =>
      `TLS contexts have loaded serial ${serial ?? '?'}, not after ${formatTime(notAfterMs)}, ${loaded ? 'as well' : 'instead'}`,
  )
  return loaded || told.length > 0 ? told : ['no TLS context has loaded it']
}

/** In no secret of the proxy: neither in one that can not be read here, nor in a file. */
function isLooseAmong(held: readonly Held[]): (one: Held) => boolean {
  const known = loadedOf(held)
  const blind = new Set(
    held
      .filter(({item}) => item.absent?.status === 'UNKNOWN' || item.certificates.some(({readable}) => !readable))
      .map(kindOf),
  )
  return (one) => {
    const [certificate] = one.item.certificates
    if (certificate?.readable !== true || certificate.serial === undefined) return false
    if (one.item.name !== INLINE || blind.has(kindOf(one))) return false
    return isLoaded(certificate, {...known, isWhole: true}) === false
  }
}

function loadedOf(holdings: readonly Held[]): Loaded {
  const keys = new Set<string>()
  const serials = new Set<string>()
  let isWhole = true
  for (const {item} of holdings) {
    if (item.certificates.length === 0) isWhole = false
    for (const block of item.certificates) {
      const key = block.readable ? keyOf(block) : undefined
      if (key !== undefined) keys.add(key)
      else if (block.serial === undefined) isWhole = false
      else serials.add(serialNumber(block.serial))
    }
  }
  return {keys, serials, isWhole}
}

/** Undefined where that cannot be told. */
function isLoaded(certificate: Certificate, {keys, serials, isWhole}: Loaded): boolean | undefined {
  const key = keyOf(certificate)
  if (key === undefined || certificate.serial === undefined) return undefined
  if (keys.has(key) || serials.has(serialNumber(certificate.serial))) return true
  return isWhole ? false : undefined
}

function keyOf({serial, notBeforeMs, notAfterMs}: Certificate): string | undefined {
  if (serial === undefined || notBeforeMs === undefined) return undefined
  return [serialNumber(serial), wrapped(notBeforeMs), wrapped(notAfterMs)].join(' ')
}

function wrapped(ms: number): number {
  return ((Math.floor(ms / 1000) % WRAP_S) + WRAP_S) % WRAP_S
}

/** First bundles of names of which no root is loaded. */
function unusedBundles(held: readonly Held[], loaded: Loaded): ReadonlySet<Held> {
  const bundles = held.filter((one) => kindOf(one) === 'bundle' && !isWaiting(one))
  const unused = [...Map.groupBy(bundles, ({item}) => item.name).values()].flatMap((group) => {
    const roots = group.flatMap(({item}) => item.certificates)
    const isOut = roots.length > 0 && roots.every((root) => root.readable && isLoaded(root, loaded) === false)
    return isOut ? group.slice(0, 1) : []
  })
  return new Set(unused)
}

/** Only one root of a bundle is listed, so of the others nothing is said; of one that nobody uses, the first says it. */
function rootUses(one: Held, loaded: Loaded, unused: ReadonlySet<Held>): ReadonlyMap<CertificateBlock, ContextUse> {
  const uses = new Map<CertificateBlock, ContextUse>()
  for (const [index, root] of one.item.certificates.entries()) {
    if (!root.readable) continue
    if (isLoaded(root, loaded) === true) uses.set(root, {loaded: true, others: []})
    else if (index === 0 && unused.has(one)) uses.set(root, {loaded: false, others: []})
  }
  return uses
}

/** By what a renewed certificate is known: its SPIFFE ids, else all of its names together; a CA has none. */
function namesOf(block: CertificateBlock | undefined): readonly string[] {
  if (block?.readable !== true || block.position === 'root' || block.sans.length === 0) return []
  return block.spiffeIds.length > 0 ? block.spiffeIds : [block.sans.toSorted().join('\n')]
}

function readableOf({item}: Held): readonly Certificate[] {
  return item.certificates.filter((block) => block.readable)
}
