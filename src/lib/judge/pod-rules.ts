import type {PodRule} from './rule.ts'
import {agentDisconnected} from './rules/agent-disconnected.ts'
import {agentBroadRbac} from './rules/agent-broad-rbac.ts'
import {agentConfigInvalid} from './rules/agent-config-invalid.ts'
import {agentNotReady} from './rules/agent-not-ready.ts'
import {agentStale} from './rules/agent-stale.ts'
import {certExpired} from './rules/cert-expired.ts'
import {certNotYetValid} from './rules/cert-not-yet-valid.ts'
import {certUnreadable} from './rules/cert-unreadable.ts'
import {clockSkew} from './rules/clock-skew.ts'
import {csrFailing} from './rules/csr-failing.ts'
import {keyInCertificate} from './rules/key-in-certificate.ts'
import {proxyNotReady} from './rules/proxy-not-ready.ts'
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
import {certExpiring} from './rules/cert-expiring.ts'
import {chainBroken} from './rules/chain-broken.ts'
import {chainUntrusted} from './rules/chain-untrusted.ts'
import {identityMismatch} from './rules/identity-mismatch.ts'
import {notCompared} from './rules/not-compared.ts'
import {renewalFailing} from './rules/renewal-failing.ts'
import {rotationOverdue} from './rules/rotation-overdue.ts'
import {weakKey} from './rules/weak-key.ts'

/** The rules on each pod, in the order in which they are told. */
export const POD_RULES: readonly PodRule[] = [
  certExpired,
  certNotYetValid,
  certUnreadable,
  keyInCertificate,
  rotationOverdue,
  certExpiring,
  proxyStale,
  agentStale,
  secretMissing,
  secretWarming,
  secretUninitialized,
  secretRejected,
  secretUnavailable,
  notCompared,
  renewalFailing,
  chainBroken,
  chainUntrusted,
  identityMismatch,
  trustDomainMismatch,
  rootMissing,
  agentDisconnected,
  xdsStale,
  xdsRejected,
  agentNotReady,
  proxyNotReady,
  csrFailing,
  agentConfigInvalid,
  agentBroadRbac,
  weakKey,
  clockSkew,
]
