import type {Mesh} from '../../../src/lib/sandbox/scenario/mesh.ts'
import type {PodPlan} from '../../../src/lib/sandbox/scenario/pod-manifest.ts'
import {proxiedPod} from '../../../src/lib/sandbox/scenario/proxied-pod.ts'
import {workloadCertificate} from '../../../src/lib/sandbox/scenario/workload-certificates.ts'
import type {SimulatedPod} from '../../../src/lib/sandbox/simulated-pod.ts'
import type {Api} from '../cluster/api.ts'
import type {ContainerSpec, PodObject} from './pod-object.ts'

/** The sandbox's agents, for pods of a real API server. */
export class SimulatedAgents {
  readonly #mesh: Mesh
  readonly #api: Api
  readonly #pods = new Map<string, SimulatedPod>()
  readonly #published = new Map<string, Promise<unknown>>()

  constructor(mesh: Mesh, api: Api) {
    this.#mesh = mesh
    this.#api = api
  }

  /** Publishes the root of their CA in a namespace, as istiod does it with its own elsewhere. */
  async publishRoot(namespace: string): Promise<void> {
    const known = this.#published.get(namespace)
    const published = known ?? this.#api.send('POST', `/api/v1/namespaces/${namespace}/configmaps`, this.#root())
    this.#published.set(namespace, published)
    await published
  }

  #root(): object {
    const data = {'root-cert.pem': this.#mesh.authority.root.pem}
    return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'istio-ca-root-cert'}, data}
  }

  /** What answers in a pod: always the same for one pod. */
  of(pod: PodObject): SimulatedPod {
    const known = this.#pods.get(pod.metadata.uid)
    if (known !== undefined) return known
    const made = simulate(this.#mesh, pod)
    this.#pods.set(pod.metadata.uid, made)
    return made
  }
}

function simulate(mesh: Mesh, {metadata, spec, status}: PodObject): SimulatedPod {
  const {authority} = mesh
  const createdMs = Date.parse(metadata.creationTimestamp)
  const plan: PodPlan = {
    phase: 'Running',
    identity: {
      namespace: metadata.namespace,
      name: metadata.name,
      labels: metadata.labels ?? {},
      serviceAccount: spec.serviceAccountName,
      address: status.podIP ?? '',
      node: {name: spec.nodeName ?? '', address: ''},
      createdMs,
    },
    containers: spec.containers.map((container) => planOf(container, true)),
    initContainers: (spec.initContainers ?? []).map((container) =>
      planOf(container, container.restartPolicy === 'Always'),
    ),
  }
  const certificate = workloadCertificate(authority, metadata.namespace, spec.serviceAccountName, createdMs)
  return proxiedPod(mesh, {
    plan,
    manifest: () => '',
    role: 'sidecar',
    tools: ['nc'],
    certificates: {agent: certificate, proxy: certificate, roots: [authority.root]},
  })
}

function planOf({name, image}: ContainerSpec, isRunning: boolean): PodPlan['containers'][number] {
  return {spec: {name, image}, state: isRunning ? 'running' : 'completed'}
}
