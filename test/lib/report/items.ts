import type {Agent} from '../../../src/lib/domain/agent.ts'
import {type Certificate, certificateStatus} from '../../../src/lib/domain/certificate.ts'
import type {Failure} from '../../../src/lib/domain/failure.ts'
import type {Container, Pod} from '../../../src/lib/domain/pod.ts'
import type {CheckItem, PodItem, ReportEvent, SecretDiffItem, SecretListItem} from '../../../src/lib/domain/report.ts'
import type {SecretDiffRow, SecretListRow} from '../../../src/lib/domain/row.ts'
import type {RenderStyle} from '../../../src/lib/report/style.ts'

export const NOW_MS = Date.parse('2026-06-01T12:00:00Z')

/** A pipe, and one context. */
export const STYLE: RenderStyle = {
  nowMs: NOW_MS,
  generatedAtMs: NOW_MS,
  contexts: ['prod'],
  colour: false,
  version: '1.2.3',
  failOn: 'fail',
  headers: true,
  show: 'auto',
  cert: true,
}

export function container(changes: Partial<Container> = {}): Container {
  return {
    name: 'istio-proxy',
    image: 'docker.io/istio/proxyv2:1.29.0',
    role: 'sidecar',
    command: [],
    args: [],
    env: {CA_HEADER_TOKEN: 'secret-of-the-pod'},
    ports: [{name: 'http-envoy-prom', port: 15_090, protocol: 'TCP'}],
    mounts: [],
    state: {phase: 'running'},
    ready: true,
    restarts: 0,
    ...changes,
  }
}

export function pod(name: string, changes: Partial<Pod> = {}): Pod {
  return {
    namespace: 'shop',
    name,
    uid: `uid-${name}`,
    node: 'n1',
    labels: {},
    annotations: {},
    owners: [],
    serviceAccount: 'cart',
    phase: 'Running',
    ips: ['10.0.0.7'],
    hostNetwork: false,
    createdAt: '2026-05-30T06:00:00Z',
    conditions: [{type: 'Ready', status: 'True'}],
    containers: [container()],
    volumes: {},
    ...changes,
  }
}

export const AGENT: Agent = {
  kind: 'istio-sidecar',
  because: 'container istio-proxy runs proxy sidecar',
  container: 'istio-proxy',
  dialect: 'envoy',
  admin: {type: 'port', port: 15_000},
  statusPort: 15_020,
  graceRatio: 0.5,
  trustSource: 'istiod',
  revision: 'default',
  version: '1.29.0',
  warnings: [],
}

export function podItem(name: string, changes: Partial<PodItem> = {}): PodItem {
  return {
    pod: pod(name),
    agent: AGENT,
    verdict: 'pass',
    sides: {
      agent: {state: 'read', answers: [{source: 'agent-files', route: 'exec'}]},
      proxy: {state: 'read', answers: [{source: 'envoy-config-dump', route: 'port-forward'}]},
    },
    failures: [],
    incomplete: false,
    findings: [],
    ...changes,
  }
}

export function diffItem(
  name: string,
  rows: readonly SecretDiffRow[],
  changes: Partial<SecretDiffItem> = {},
): SecretDiffItem {
  return {...podItem(name), rows, ...changes}
}

export function checkItem(name: string, changes: Partial<CheckItem> = {}): CheckItem {
  return {...podItem(name), outcomes: [], rows: [], roots: {bundles: [], leaves: [], signing: []}, ...changes}
}

export function listItem(
  name: string,
  rows: readonly SecretListRow[],
  changes: Partial<SecretListItem> = {},
): SecretListItem {
  return {...podItem(name), rows, ...changes}
}

export function leaf(changes: Partial<Certificate> = {}): Certificate {
  return {
    readable: true,
    pem: '-----BEGIN CERTIFICATE-----\nbGVhZg==\n-----END CERTIFICATE-----\n',
    fingerprint: '77a90ad480ef9ebd77a90ad480ef9ebd77a90ad480ef9ebd77a90ad480ef9ebd',
    serial: '5c1d7e90a2b34455667788990a1b2c3d',
    notBeforeMs: Date.parse('2026-06-01T05:58:00Z'),
    notAfterMs: Date.parse('2026-06-02T06:00:00Z'),
    subject: '',
    issuer: 'O=cluster.local',
    sans: ['URI:spiffe://cluster.local/ns/shop/sa/cart'],
    spiffeIds: ['spiffe://cluster.local/ns/shop/sa/cart'],
    isCa: false,
    selfSigned: false,
    key: {type: 'EC', size: 256, curve: 'P-256'},
    position: 'leaf',
    ...changes,
  }
}

export function root(changes: Partial<Certificate> = {}): Certificate {
  return leaf({
    pem: '-----BEGIN CERTIFICATE-----\ncm9vdA==\n-----END CERTIFICATE-----\n',
    fingerprint: '6f0392957b3950a86f0392957b3950a86f0392957b3950a86f0392957b3950a8',
    serial: '32000000',
    notBeforeMs: Date.parse('2025-01-01T00:00:00Z'),
    notAfterMs: Date.parse('2034-12-30T00:00:00Z'),
    subject: 'O=cluster.local',
    sans: [],
    spiffeIds: [],
    isCa: true,
    selfSigned: true,
    key: {type: 'RSA', size: 4096},
    position: 'root',
    ...changes,
  })
}

function secretFields(certificate: Certificate) {
  return {
    certificate,
    status: certificateStatus(certificate, NOW_MS),
    secondsLeft: Math.floor((certificate.notAfterMs - NOW_MS) / 1000),
    trustDomain: 'cluster.local',
    destination: 'sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local',
    chain: [],
    keyFound: false,
    notes: [],
  }
}

export function leafRow(changes: Partial<SecretDiffRow> = {}, certificate = leaf()): SecretDiffRow {
  return {
    name: 'default',
    type: 'Cert Chain',
    state: 'ACTIVE',
    ...secretFields(certificate),
    agent: 'PRESENT',
    proxy: 'ACTIVE',
    result: 'MATCH',
    reason: '',
    confirmed: true,
    comparedBy: 'fingerprint',
    agentSource: 'agent-files',
    proxySource: 'envoy-config-dump',
    ...changes,
  }
}

export function rootRow(changes: Partial<SecretDiffRow> = {}, certificate = root()): SecretDiffRow {
  return leafRow(
    {name: 'ROOTCA', type: 'CA', comparedBy: 'published', agentSource: 'published-root', ...changes},
    certificate,
  )
}

export function listRow(changes: Partial<SecretListRow> = {}, certificate = leaf()): SecretListRow {
  return {
    name: 'default',
    type: 'Cert Chain',
    state: 'ACTIVE',
    ...secretFields(certificate),
    side: 'proxy',
    source: 'envoy-config-dump',
    ...changes,
  }
}

/** The two rows of a proxy that did not follow its agent. */
export function staleRows(): readonly SecretDiffRow[] {
  const old = leaf({
    serial: '1f40',
    fingerprint: '69ccbde2a4113fd169ccbde2a4113fd169ccbde2a4113fd169ccbde2a4113fd1',
    notBeforeMs: Date.parse('2026-05-31T09:58:00Z'),
    notAfterMs: Date.parse('2026-06-01T10:00:00Z'),
  })
  const {state: _, ...held} = leafRow({proxy: '', result: 'MISMATCH', reason: 'proxy is stale'})
  return [held, leafRow({agent: '', result: 'MISMATCH', reason: 'proxy is stale'}, old)]
}

export const REFUSED: Failure = {
  side: 'proxy',
  source: 'envoy-config-dump',
  route: 'port-forward',
  stage: 'dial',
  code: 'forbidden',
  message: 'Cannot open port 15000 of shop/cart-3: forbidden for user ci',
  hint: 'Ask for get and create on pods/portforward',
}

/** The same handful of pods for every format: one fine, one stale, one that did not answer, one that is not asked. */
export function demoItems(): readonly SecretDiffItem[] {
  return [
    diffItem('cart-1', [leafRow(), rootRow()]),
    diffItem('cart-2', [...staleRows(), rootRow()], {verdict: 'fail'}),
    diffItem('cart-3', [], {
      verdict: 'unknown',
      incomplete: true,
      failures: [REFUSED],
      sides: {
        agent: {state: 'read', answers: [{source: 'agent-files', route: 'exec'}]},
        proxy: {state: 'failed', answers: []},
      },
    }),
    diffItem('cart-4', [], {
      pod: pod('cart-4', {phase: 'Failed', reason: 'Evicted'}),
      verdict: 'skipped',
      skipped: {code: 'evicted', message: 'evicted: the node was low on memory'},
      sides: {agent: {state: 'not-asked', answers: []}, proxy: {state: 'not-asked', answers: []}},
    }),
  ]
}

/** A whole run of these items on one page. */
export function runOf<Item extends PodItem>(items: readonly Item[]): readonly ReportEvent<Item>[] {
  return [
    ...items.map((item) => ({type: 'item', item}) as const),
    {type: 'page', consistent: true},
    {type: 'fleet', complete: true, findings: []},
  ]
}
