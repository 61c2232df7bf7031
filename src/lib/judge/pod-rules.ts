import type {PodRule} from './rule.ts'
import {agentDisconnected} from './rules/agent-disconnected.ts'
import {agentStale} from './rules/agent-stale.ts'
import {certExpired} from './rules/cert-expired.ts'
import {certNotYetValid} from './rules/cert-not-yet-valid.ts'
import {certUnreadable} from './rules/cert-unreadable.ts'
import {clockSkew} from './rules/clock-skew.ts'
import {keyInCertificate} from './rules/key-in-certificate.ts'
import {proxyStale} from './rules/proxy-stale.ts'
import {rootMissing} from './rules/root-missing.ts'
import {secretMissing} from './rules/secret-missing.ts'
import {secretRejected} from './rules/secret-rejected.ts'
import {secretUnavailable} from './rules/secret-unavailable.ts'
import {secretUninitialized} from './rules/secret-uninitialized.ts'
import {secretWarming} from './rules/secret-warming.ts'
import {trustDomainMismatch} from './rules/trust-domain-mismatch.ts'
import {xdsRejected} from './rules/xds-rejected.ts'
import {xdsStale} from './rules/xds-stale.ts'

/** The rules on each pod, in the order in which they are told. */
export const POD_RULES: readonly PodRule[] = [
  certExpired,
  certNotYetValid,
  certUnreadable,
  keyInCertificate,
  proxyStale,
  agentStale,
  secretMissing,
  secretWarming,
  secretUninitialized,
  secretRejected,
  secretUnavailable,
  trustDomainMismatch,
  rootMissing,
  agentDisconnected,
  xdsStale,
  xdsRejected,
  clockSkew,
]
