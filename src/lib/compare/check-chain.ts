import {type Certificate, certificateStatus} from '../domain/certificate.ts'
import type {ChainCheck} from '../domain/row.ts'
import {isSignedBy, type Signatures} from '../domain/signatures.ts'
import {type Anchor, anchorsOf, isMeshIdentity} from './anchors.ts'
import {chainPath, leadsTo} from './chain-path.ts'
import {formatTime} from '../domain/format-time.ts'
import type {Held} from './held.ts'

type Trust = Pick<ChainCheck, 'verified' | 'reason' | 'trustedBy'>

/** Follows the signatures of one chain, up to a root among `all` that the same side holds. */
export function checkChain(held: Held, all: readonly Held[], signatures: Signatures): ChainCheck {
  const {certificates} = held.item
  const signedByNext = certificates.slice(0, -1).map((block, index) => {
    const next = certificates[index + 1]
    if (!block.readable || block.selfSigned || next?.readable !== true) return undefined
    return isSignedBy(block, next, signatures)
  })
  const path = chainPath(held, signatures)
  const top = path.at(-1)
  return {signedByNext, end: endOf(top), ...trustIn(path, held, all, signatures)}
}

function endOf(top: Certificate | undefined): ChainCheck['end'] {
  if (top?.fingerprint === undefined) return undefined
  return top.selfSigned ? 'self-signed' : 'issuer-not-included'
}

function trustIn(path: readonly Certificate[], held: Held, all: readonly Held[], signatures: Signatures): Trust {
  const [leaf] = path
  const top = path.at(-1)
  if (leaf === undefined || top === undefined) return untold('there is no certificate that could be verified')
  if (leaf.fingerprint === undefined) return untold('only facts of the certificate are known, not the certificate')
  if (!isMeshIdentity(held)) return untold('it is no identity of the mesh, so the mesh roots do not count for it')
  const anchors = anchorsOf(held, all)
  if (anchors.length === 0) return untold(`no roots are known that the ${sideOf(held)} trusts for it`)
  // As a verifier does, who looks for another way where one ends in what is over.
  const ways = path.flatMap((subject, index) => {
    const anchor = findAnchor(subject, anchors, held.clockMs, signatures)
    return anchor === undefined ? [] : [throughTo(anchor, path.slice(0, index + 1), anchors, held)]
  })
  const way = ways.find(({verified}) => verified === true) ?? ways[0]
  if (way !== undefined) return way
  if (path.some((one) => isUntried(one, signatures))) return untold(UNTRIED)
  return {verified: false, reason: whyNot(top, anchors)}
}

const UNTRIED = 'too many certificates have the name of its issuer to try each'

function untold(reason: string): Trust {
  return {verified: undefined, reason}
}

function sideOf({agentPod}: Held): string {
  return agentPod === undefined ? 'proxy' : 'agent'
}

function isUntried({fingerprint}: Certificate, {untried}: Signatures): boolean {
  return fingerprint !== undefined && untried.has(fingerprint)
}

/** A trusted certificate that this one is, or that signed it; one that is valid before one that is not. */
function findAnchor(
  subject: Certificate,
  anchors: readonly Anchor[],
  clockMs: number,
  signatures: Signatures,
): Anchor | undefined {
  const fits = anchors.filter(({root}) => leadsTo(subject, root, signatures))
  return fits.find(({root}) => certificateStatus(root, clockMs) === 'VALID') ?? fits[0]
}

/** The signatures lead to a trusted root; dates and CA bits on the way decide whether a verifier takes them. */
function throughTo(anchor: Anchor, path: readonly Certificate[], anchors: readonly Anchor[], {clockMs}: Held): Trust {
  const {name, root} = anchor
  const issuers = path.slice(1).filter(({fingerprint}) => fingerprint !== root.fingerprint)
  const problem =
    [path[0], ...issuers, root].flatMap((one) => (one === undefined ? [] : (dateProblem(one, clockMs) ?? []))).at(0) ??
    [...issuers, root].flatMap((one) => (one.isCa ? [] : [`${nameOf(one)} is no CA certificate`])).at(0)
  if (problem !== undefined) return {verified: false, reason: problem, trustedBy: anchor}
  const isAlone = anchors.every((one) => one.root.subject !== root.subject || one.root.fingerprint === root.fingerprint)
  const serial = isAlone || root.serial === undefined ? '' : ` (serial ${root.serial})`
  const through = issuers.length === 0 ? '' : ` through ${issuers.map(nameOf).join(', ')}`
  return {verified: true, reason: `signed by ${nameOf(root)}${serial} in ${name}${through}`, trustedBy: anchor}
}

function dateProblem(certificate: Certificate, clockMs: number): string | undefined {
  const status = certificateStatus(certificate, clockMs)
  if (status === 'EXPIRED') return `${nameOf(certificate)} ended at ${formatTime(certificate.notAfterMs)}`
  if (status !== 'NOT_YET_VALID' || certificate.notBeforeMs === undefined) return undefined
  return `${nameOf(certificate)} starts at ${formatTime(certificate.notBeforeMs)}`
}

function whyNot(top: Certificate, anchors: readonly Anchor[]): string {
  const names = [...new Set(anchors.map(({name}) => name))].join(', ')
  if (top.selfSigned) return `${nameOf(top)}, which it ends in, is not in ${names}`
  const namesake = anchors.find(({root}) => root.subject === top.issuer)
  return namesake === undefined
    ? `its issuer ${top.issuer === '' ? 'without a name' : top.issuer} is not in ${names}`
    : `${top.issuer} in ${namesake.name} has another key than the issuer of the same name`
}

/** What a person calls a certificate: its subject, else its SPIFFE id or serial. */
function nameOf({subject, spiffeIds, serial, position}: Certificate): string {
  if (subject !== '') return subject
  return spiffeIds[0] ?? `${position} ${serial ?? 'without a name'}`
}
