import type {Agent} from '../domain/agent.ts'
import type {Container, ContainerPort, Pod} from '../domain/pod.ts'

/**
 * What may lead a question to somebody else: a port name that two containers share (Kubernetes takes the first), a port
 * of the agent that another container declares, a network that the whole node shares.
 */
export function findConflicts(
  pod: Pod,
  container: Container,
  where: Pick<Agent, 'admin' | 'statusPort'>,
): readonly string[] {
  const others = pod.containers.filter(({role, name}) => role !== 'init' && name !== container.name)
  const ports = portsOf(where)
  return [
    ...others.flatMap((other) => sharedNames(pod, container, other)),
    ...findTakenPorts(pod, container, where).map(
      ({port, other}) => `Port ${port} of container ${container.name} is declared by container ${other} too`,
    ),
    ...(pod.hostNetwork && ports.length > 0
      ? [`Shares the network of node ${pod.node ?? '(unknown)'}: another pod may answer on port ${ports.join(' or ')}`]
      : []),
  ]
}

/** Ports of the agent that another container of the pod says it listens on: only one of the two can. */
export function findTakenPorts(
  pod: Pod,
  container: Container,
  where: Pick<Agent, 'admin' | 'statusPort'>,
): readonly {readonly port: number; readonly other: string}[] {
  const others = pod.containers.filter(({role, name}) => role !== 'init' && name !== container.name)
  return others.flatMap(({name: other, ports}) =>
    portsOf(where)
      .filter((port) => ports.some((declared) => declared.port === port && declared.protocol === 'TCP'))
      .map((port) => ({port, other})),
  )
}

function portsOf({admin, statusPort}: Pick<Agent, 'admin' | 'statusPort'>): readonly number[] {
  return [...(admin.type === 'port' ? [admin.port] : []), ...(statusPort === undefined ? [] : [statusPort])]
}

function sharedNames(pod: Pod, container: Container, other: Container): readonly string[] {
  const names = new Set(container.ports.flatMap(({name}) => name ?? []))
  return other.ports.flatMap((port) => {
    const own = container.ports.find(({name}) => name === port.name)
    if (port.name === undefined || !names.has(port.name) || own === undefined) return []
    const [first, second] = inOrder(pod, [container, own], [other, port])
    return [
      `Port name ${port.name} is used by containers ${first[0].name} (${first[1].port}) and ${second[0].name} ` +
        `(${second[1].port}): by name, Kubernetes takes the first`,
    ]
  })
}

type Declared = readonly [Container, ContainerPort]

function inOrder(pod: Pod, a: Declared, b: Declared): readonly [Declared, Declared] {
  return pod.containers.indexOf(a[0]) < pod.containers.indexOf(b[0]) ? [a, b] : [b, a]
}
