import type {Evidence} from '../../../src/lib/compare/evidence.ts'
import {gatherEvidence, type GatheredEvidence} from '../../../src/lib/compare/gather.ts'
import type {Agent} from '../../../src/lib/domain/agent.ts'
import type {Certificate} from '../../../src/lib/domain/certificate.ts'
import type {Failure} from '../../../src/lib/domain/failure.ts'
import type {ExpirySeen, Observation, PublishedRoots, SecretsSeen} from '../../../src/lib/domain/observation.ts'
import type {IdentitiesExpected} from '../../../src/lib/domain/mesh-seen.ts'
import type {SecretDiffRow} from '../../../src/lib/domain/row.ts'
import type {SecretItem} from '../../../src/lib/domain/secret.ts'

export const NOW = Date.parse('2026-06-01T12:00:00Z')
const POD = {namespace: 'shop', name: 'cart-1'}
export const NODE_ID = 'sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local'

export const AGENT: Agent = {
  kind: 'istio-sidecar',
  because: 'made for this test',
  container: 'istio-proxy',
  dialect: 'envoy',
  admin: {type: 'port', port: 15_000},
  statusPort: 15_020,
  graceRatio: 0.5,
  trustSource: 'istiod',
  warnings: [],
}

/** A leaf, told by one letter or word, which is its fingerprint and serial. Valid from 06:00 for a day. */
export function leaf(id: string, more: Partial<Certificate> = {}): Certificate {
  return {
    readable: true,
    fingerprint: `fp-${id}`,
    serial: id,
    notBeforeMs: Date.parse('2026-06-01T06:00:00Z'),
    notAfterMs: Date.parse('2026-06-02T06:02:00Z'),
    subject: '',
    issuer: 'O=mesh.example',
    sans: ['URI:spiffe://mesh.example/ns/shop/sa/cart'],
    spiffeIds: ['spiffe://mesh.example/ns/shop/sa/cart'],
    isCa: false,
    selfSigned: false,
    key: {type: 'EC', size: 256, curve: 'P-256'},
    position: 'leaf',
    ...more,
  }
}

export function root(id: string, more: Partial<Certificate> = {}): Certificate {
  return leaf(id, {
    notBeforeMs: Date.parse('2024-01-01T00:00:00Z'),
    notAfterMs: Date.parse('2049-12-31T23:59:59Z'),
    sans: [],
    spiffeIds: [],
    isCa: true,
    selfSigned: true,
    position: 'root',
    ...more,
  })
}

export const EXPIRED = {
  notBeforeMs: Date.parse('2024-03-01T10:00:00Z'),
  notAfterMs: Date.parse('2024-03-02T10:02:00Z'),
}

export function chain(
  name: string,
  certificates: SecretItem['certificates'],
  more: Partial<SecretItem> = {},
): SecretItem {
  return {name, type: 'Cert Chain', certificates, keyFound: false, notes: [], ...more}
}

export function bundle(
  name: string,
  certificates: SecretItem['certificates'],
  more: Partial<SecretItem> = {},
): SecretItem {
  return chain(name, certificates, {type: 'CA', ...more})
}

/** An item without a certificate. */
export function bare(name: string, more: Partial<SecretItem>): SecretItem {
  return chain(name, [], {type: 'Unknown', absent: {status: 'EMPTY', message: 'no certificate'}, ...more})
}

export function proxyHolds(items: readonly SecretItem[], more: Partial<SecretsSeen> = {}): SecretsSeen {
  return {
    type: 'secrets',
    by: {source: 'envoy-config-dump', route: 'port-forward'},
    side: 'proxy',
    items: items.map((item) => ({state: 'ACTIVE', ...item})),
    complete: true,
    notes: [],
    ...more,
  }
}

export function nodeAgentHolds(items: readonly SecretItem[], more: Partial<SecretsSeen> = {}): SecretsSeen {
  return {
    type: 'secrets',
    by: {source: 'node-agent-debug', route: 'exec'},
    side: 'agent',
    items: items.map((item) => ({destination: NODE_ID, agentPod: 'nodeagent-x', ...item})),
    complete: true,
    notes: [],
    ...more,
  }
}

export function agentFilesHold(items: readonly SecretItem[]): SecretsSeen {
  return {
    type: 'secrets',
    by: {source: 'agent-files', route: 'exec'},
    side: 'agent',
    items,
    complete: false,
    notes: [],
  }
}

export function expiryAt(notAfter: string | number, more: Partial<ExpirySeen> = {}): ExpirySeen {
  return {
    type: 'expiry',
    by: {source: 'agent-metrics', route: 'port-forward'},
    name: 'default',
    notAfterMs: typeof notAfter === 'string' ? Date.parse(notAfter) : notAfter,
    countedFrom: 'answer date',
    ...more,
  }
}

export function published(...roots: readonly Certificate[]): PublishedRoots {
  return {type: 'published-roots', by: {source: 'published-root', route: 'api'}, roots}
}

export function identitiesExpected(...identities: readonly string[]): IdentitiesExpected {
  return {
    type: 'identities-expected',
    by: {source: 'ztunnel-config-dump', route: 'port-forward'},
    identities,
    workloads: [],
  }
}

export function failureOf(source: Failure['source'], more: Partial<Failure> = {}): Failure {
  return {
    ...(source !== undefined && {source}),
    stage: 'dial',
    code: 'forbidden',
    message: `Cannot read ${source} of shop/cart-1: forbidden`,
    ...more,
  }
}

export function evidence(observations: readonly Observation[], more: Partial<Evidence> = {}): GatheredEvidence {
  return gatherEvidence({
    pod: POD,
    agent: AGENT,
    observations,
    failures: [],
    asked: {sources: []},
    nowMs: NOW,
    reading: 'files',
    ...more,
  })
}

/** What a table would show of the rows: name, both sides, result with its reason, by what, certificate. */
export function told(rows: readonly SecretDiffRow[]): string[] {
  return rows.map((row) => {
    const {name, agent, proxy, result, reason, comparedBy, certificate} = row
    const serial = certificate?.readable === true ? (certificate.serial ?? 'no serial') : 'none'
    return [name, agent || '-', proxy || '-', reason === '' ? result : `${result}: ${reason}`, comparedBy, serial].join(
      ' | ',
    )
  })
}
