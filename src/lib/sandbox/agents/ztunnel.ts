import {splitPath, textAnswer} from './pod-port.ts'
import type {PodAnswer, PodPort} from './pod-port.ts'
import type {IssuedCertificate} from '../pki/certificate-authority.ts'

/** A certificate that a ztunnel holds, or tries to get. */
export interface ZtunnelCertificate {
  readonly identity: string
  /** `Available`, `Initializing`, `Unavailable: reason`. */
  readonly state: string
  readonly chain: readonly (() => Promise<IssuedCertificate>)[]
  readonly roots: readonly IssuedCertificate[]
}

/** A pod whose traffic a ztunnel carries now. */
interface ZtunnelWorkload {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  readonly serviceAccount: string
}

export interface ZtunnelModel {
  readonly node: string
  readonly certificates: () => readonly ZtunnelCertificate[]
  readonly workloads: () => readonly ZtunnelWorkload[]
  /** What it still waits for; nothing where absent. */
  readonly pending?: readonly string[]
}

/** Ports of a ztunnel. It answers unknown paths with 404 and no body, and filters nothing (ztunnel `src/admin.rs`). */
export function ztunnelPorts(model: ZtunnelModel, onMutation: (path: string) => void): ReadonlyMap<number, PodPort> {
  return new Map<number, PodPort>([
    [
      15000,
      {
        bindsToPod: false,
        async answer(request) {
          const {pathname} = splitPath(request.path)
          if (pathname === '/config_dump') {
            const dump = JSON.stringify(await dumpZtunnel(model), undefined, 2)
            return textAnswer(200, dump, 'application/json')
          }
          if (pathname === '/quitquitquit' || pathname === '/logging') {
            onMutation(pathname)
            return textAnswer(405, 'Invalid HTTP method\n')
          }
          return textAnswer(404, '')
        },
      },
    ],
    [
      15020,
      {
        bindsToPod: true,
        answer: ({path}) =>
          ['/metrics', '/stats/prometheus'].includes(splitPath(path).pathname)
            ? textAnswer(200, metrics(model), 'application/openmetrics-text;charset=utf-8;version=1.0.0')
            : textAnswer(404, ''),
      },
    ],
    [
      15021,
      {
        bindsToPod: true,
        answer: ({path}) => (splitPath(path).pathname === '/healthz/ready' ? answerReady(model) : textAnswer(404, '')),
      },
    ],
  ])
}

/** As ztunnel's `readiness/server.rs` has it. */
function answerReady({pending = []}: ZtunnelModel): PodAnswer {
  if (pending.length === 0) return textAnswer(200, 'ready\n')
  return textAnswer(500, `not ready, pending: ${pending.join(', ')}\n`)
}

async function dumpZtunnel(model: ZtunnelModel): Promise<unknown> {
  const certificates = await Promise.all(
    model
      .certificates()
      .toSorted((a, b) => (a.identity < b.identity ? -1 : 1))
      .map(async ({identity, state, chain, roots}) => ({
        identity,
        state,
        certChain: (await Promise.all(chain.map(async (issue) => await issue()))).map(dumpCertificate),
        rootCerts: roots.map(dumpCertificate),
      })),
  )
  const workloadState = Object.fromEntries(
    model.workloads().map(({uid, name, namespace, serviceAccount}) => [
      uid,
      {
        state: 'Up',
        connections: {inbound: [], outbound: []},
        info: {name, namespace, trustDomain: 'cluster.local', serviceAccount},
      },
    ]),
  )
  return {
    workloads: model.workloads().map(({uid, name, namespace, serviceAccount}) => ({
      uid: `Kubernetes//Pod/${namespace}/${name}`,
      workloadIps: [],
      protocol: 'HBONE',
      name,
      namespace,
      serviceAccount,
      canonicalName: name,
      workloadName: name,
      workloadType: 'pod',
      node: model.node,
      status: 'Healthy',
      clusterId: 'Kubernetes',
      capacity: 1,
      hostname: uid,
    })),
    services: [],
    policies: [],
    stagedServices: {},
    staticConfig: {workloads: [], policies: [], services: []},
    version: {
      version: '1.31.0',
      gitRevision: '62d8265',
      rustVersion: '1.90.0',
      buildProfile: 'release',
      buildStatus: 'Clean',
    },
    config: {proxyMode: 'Shared', localNode: model.node, clusterId: 'Kubernetes'},
    certificates,
    workloadState,
  }
}

/** `pem` is the base64 of the PEM text, `serialNumber` is decimal. */
function dumpCertificate(certificate: IssuedCertificate): unknown {
  return {
    pem: Buffer.from(certificate.pem).toString('base64'),
    serialNumber: BigInt(`0x${certificate.serial}`).toString(),
    validFrom: new Date(certificate.notBeforeMs).toISOString().replace('.000Z', 'Z'),
    expirationTime: new Date(certificate.notAfterMs).toISOString().replace('.000Z', 'Z'),
  }
}

function metrics(model: ZtunnelModel): string {
  return `# HELP workload_manager_active_proxy_count The total number current workloads with active proxies.
# TYPE workload_manager_active_proxy_count gauge
workload_manager_active_proxy_count ${String(model.workloads().length)}
# EOF
`
}
