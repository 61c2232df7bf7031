import type {Certificate} from '../domain/certificate.ts'
import {refusedText} from '../domain/secret.ts'
import {firstOf, type Held} from './held.ts'
import {isSameExpiry, serialNumber} from './same-certificate.ts'
import {trustDomainOf} from './trust-domain.ts'

/** Why the two certificates of one secret differ: the most telling cause first. */
export function mismatchReason(agent: Held, proxy: Held): string {
  if (proxy.item.rejected !== undefined) return refusedText(proxy.item.rejected)
  const ours = firstOf(agent)
  const theirs = firstOf(proxy)
  if (theirs === undefined) return 'empty at the proxy'
  if (ours === undefined) return 'empty at the agent'
  if (!theirs.readable) return `unreadable at the proxy: ${theirs.problem}`
  if (!ours.readable) return `unreadable at the agent: ${ours.problem}`
  return differingReason(ours, theirs)
}

function differingReason(agent: Certificate, proxy: Certificate): string {
  if (differ(trustDomainOf(agent), trustDomainOf(proxy))) return 'other trust domain'
  if (differ(issuerOf(agent), issuerOf(proxy))) return 'other issuer'
  if (
    agent.serial !== undefined &&
    proxy.serial !== undefined &&
    serialNumber(agent.serial) === serialNumber(proxy.serial)
  )
    return 'same serial, other certificate'
  const newer = newerSide(agent, proxy)
  return newer === undefined
    ? 'other certificate of the same dates'
    : `${newer === 'agent' ? 'proxy' : 'agent'} is stale`
}

function newerSide(agent: Certificate, proxy: Certificate): 'agent' | 'proxy' | undefined {
  const starts = [agent.notBeforeMs, proxy.notBeforeMs] as const
  if (starts[0] !== undefined && starts[1] !== undefined && starts[0] !== starts[1])
    return starts[0] > starts[1] ? 'agent' : 'proxy'
  if (isSameExpiry(agent.notAfterMs, proxy.notAfterMs)) return undefined
  return agent.notAfterMs > proxy.notAfterMs ? 'agent' : 'proxy'
}

/** Differ, where both are known. */
function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b
}

/** The issuer's name; undefined where the source gave only facts (a metric, a list of serials). */
function issuerOf({issuer, fingerprint}: Certificate): string | undefined {
  return fingerprint === undefined && issuer === '' ? undefined : issuer
}
