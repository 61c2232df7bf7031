import type {PodPort} from '../agents/pod-port.ts'
import type {Program, SimulatedPod} from '../simulated-pod.ts'
import {uidOf} from './object-values.ts'
import {podManifest, type PodPlan} from './pod-manifest.ts'
import {isRunning} from './pod-status.ts'

/** A pod without an Envoy of Istio's: an application, a node agent, the control plane. */
export function plainPod(
  plan: PodPlan,
  ports: ReadonlyMap<number, PodPort> = new Map(),
  programs: readonly Program[] = [],
): SimulatedPod {
  const {identity, phase} = plan
  const text = JSON.stringify(podManifest(plan))
  return {
    namespace: identity.namespace,
    name: identity.name,
    uid: uidOf('Pod', identity.namespace, identity.name),
    labels: identity.labels,
    ...(identity.node === undefined ? {} : {node: identity.node.name, nodeAddress: identity.node.address}),
    phase,
    address: identity.address,
    serviceAccount: identity.serviceAccount,
    manifest: () => text,
    containers: () =>
      [...plan.containers, ...(plan.initContainers ?? [])].map(({spec, state}) => ({
        name: spec.name,
        isRunning: isRunning(state),
        programs,
        files: new Map(),
      })),
    ports: () => (phase === 'Running' ? ports : new Map<number, PodPort>()),
  }
}
