import {faultAt} from '../fault.ts'
import type {SimulatedPod} from '../simulated-pod.ts'
import type {PodHttpServer} from './pod-http-server.ts'
import type {Dial} from './port-forward.ts'

/** Leads a forwarded port to what is simulated behind it. */
export function dialSimulated(pod: SimulatedPod, http: PodHttpServer): Dial {
  return async (port, far, crash) => {
    const refusal = refusalOf(pod, port)
    if (refusal === undefined) http.accept(far, {pod, port, crash})
    return await Promise.resolve(refusal)
  }
}

/** Text that a node writes on the error channel (containerd; socat's absence as the older Docker shim said it). */
function refusalOf(pod: SimulatedPod, port: number): string | undefined {
  const fault = faultAt(pod.fault, port)
  const sandbox = pod.uid.replaceAll('-', '').padEnd(64, '0')
  const head = `error forwarding port ${String(port)} to pod ${sandbox}, uid : `
  if (fault?.type === 'no-socat') return `${head}unable to do port forwarding: socat not found`
  if (pod.ports().has(port) && fault?.type !== 'refuse') return undefined
  const where = `failed to execute portforward in network namespace "/var/run/netns/cni-${pod.uid}"`
  const dial = `dial tcp4 127.0.0.1:${String(port)}: connect: connection refused`
  return `${head}${where}: failed to connect to localhost:${String(port)} inside namespace "${sandbox}", IPv4: ${dial} IPv6 dial tcp6 [::1]:${String(port)}: connect: connection refused `
}
