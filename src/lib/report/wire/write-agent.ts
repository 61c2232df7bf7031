import type {AdminEndpoint} from '../../domain/agent.ts'
import type {Container} from '../../domain/pod.ts'
import {statusText} from '../../domain/pod-status.ts'
import type {AgentItem} from '../../domain/report.ts'
import {dropAbsent} from '../drop-absent.ts'
import type {WireOptions} from '../view.ts'
import type {AgentWire} from './agent.schema.ts'
import {writePodItem} from './write-pod-item.ts'

/** One pod of `agents list`, as it is written. Environment and arguments, which may hold secrets, are left out. */
export function writeAgent(item: AgentItem, options: WireOptions): AgentWire {
  const {pod, agent} = item
  const {context, namespace, pod: name, node, container, agentKind, ...rest} = writePodItem(item, options)
  return dropAbsent<AgentWire>({
    context,
    namespace,
    pod: name,
    node,
    container,
    agentKind,
    because: agent?.because,
    ready: agent === undefined ? undefined : isReady(item),
    version: agent?.version,
    revision: agent?.revision,
    dialect: agent?.dialect,
    admin: agent === undefined ? undefined : writeAdmin(agent.admin),
    statusPort: agent?.statusPort,
    graceRatio: agent?.graceRatio,
    certificateDir: agent?.certificateDir,
    trustSource: agent?.trustSource,
    warnings: agent === undefined || agent.warnings.length === 0 ? undefined : [...agent.warnings],
    status: statusText(pod, agent?.container),
    ips: [...pod.ips],
    hostNetwork: pod.hostNetwork,
    serviceAccount: pod.serviceAccount,
    createdAt: pod.createdAt,
    containers: pod.containers.map(writeContainer),
    ...rest,
  })
}

/** Whether the agent's own container is ready; where it has none, it is not. */
export function isReady({pod, agent}: AgentItem): boolean {
  return pod.containers.some(({name, ready}) => name === agent?.container && ready)
}

function writeAdmin(admin: AdminEndpoint): NonNullable<AgentWire['admin']> {
  if (admin.type === 'port') return {type: 'port', port: admin.port}
  if (admin.type === 'socket') return {type: 'socket', path: admin.path}
  return {type: 'off', reason: admin.reason}
}

function writeContainer(container: Container): AgentWire['containers'][number] {
  return dropAbsent({
    name: container.name,
    image: container.image,
    role: container.role,
    ready: container.ready,
    state: container.state.phase,
    reason: container.state.reason,
    restarts: container.restarts,
    ports: container.ports.map(({name, port, protocol}) => dropAbsent({name, port, protocol})),
  })
}
