import type {Agent} from '../domain/agent.ts'
import type {Pod, PodRef} from '../domain/pod.ts'
import type {NodeFacts} from './node-facts.ts'
import type {SettledFile} from './settle-sources.ts'

/** Kinds by the first part of a node id (Istio, `pkg/model/proxy.go`; `ingress` before 1.0). */
const KINDS: Readonly<Record<string, string>> = {
  sidecar: 'istio-sidecar',
  router: 'istio-gateway',
  ingress: 'istio-gateway',
  waypoint: 'istio-waypoint',
  ztunnel: 'istio-ztunnel',
}

/** Istio's own defaults: its ports, and the container of agent and proxy. */
const ADMIN_PORT = 15_000
const STATUS_PORT = 15_020
const CONTAINER = 'istio-proxy'
const GRACE_RATIO = 0.5

/** A pod as far as files say of it: it was there when they were saved, and nothing is made up. */
export function makePod({namespace, name, isNamespaceAssumed}: PodRef, facts: NodeFacts | undefined): Pod {
  return {
    namespace,
    name,
    ...(isNamespaceAssumed === true && {isNamespaceAssumed}),
    uid: '',
    labels: facts?.labels ?? {},
    annotations: facts?.annotations ?? {},
    owners: [],
    phase: 'Running',
    ips: facts === undefined ? [] : [facts.identity.ip],
    hostNetwork: false,
    conditions: [],
    containers: [],
    volumes: {},
    ...(facts?.nodeName !== undefined && {node: facts.nodeName}),
    ...(facts?.serviceAccount !== undefined && {serviceAccount: facts.serviceAccount}),
  }
}

/** The agent that a pod of these files carries; what they do not say is Istio's default. */
export function makeAgent(files: readonly SettledFile[], facts: NodeFacts | undefined): Agent {
  const {kind, because} = kindOf(files, facts)
  const revision = facts?.labels?.['istio.io/rev'] ?? facts?.annotations?.['istio.io/rev']
  return {
    kind,
    because,
    container: CONTAINER,
    dialect: kind === 'istio-ztunnel' ? 'ztunnel' : 'envoy',
    admin: {type: 'port', port: ADMIN_PORT},
    statusPort: STATUS_PORT,
    graceRatio: GRACE_RATIO,
    trustSource: 'istiod',
    warnings: [],
    ...(revision !== undefined && {revision}),
    ...(facts?.version !== undefined && {version: facts.version}),
  }
}

function kindOf(files: readonly SettledFile[], facts: NodeFacts | undefined): {kind: string; because: string} {
  if (files.some(({source}) => source === 'ztunnel-config-dump')) {
    return {kind: 'istio-ztunnel', because: "a file is ztunnel's config_dump"}
  }
  const kind = facts === undefined ? undefined : KINDS[facts.identity.type]
  if (facts !== undefined && kind !== undefined) return {kind, because: `node id ${facts.identity.id}`}
  return {kind: 'istio-sidecar', because: 'no file says that it is another'}
}
