import type {AgentDaemonSet, MeshSeen, NodeSeen, NodeService, VersionGroup} from '../domain/mesh-facts.ts'
import type {PodRef} from '../domain/pod.ts'
import type {CheckItem} from '../domain/report.ts'

/** More versions than a mesh has; what comes after them says nothing new. */
const MAX_VERSIONS = 1000
/** Pods that a finding can name, and one more to say that there are others. */
const MAX_EXAMPLES = 4

interface Node {
  readonly context: string | undefined
  readonly name: string
  captured: number
  pods: number
  readonly services: (NodeService & {readonly pod: PodRef})[]
}

interface DaemonSet {
  facts: Omit<AgentDaemonSet, 'without'>
  readonly nodes: Set<string>
}

/** Gathers what pods say of nodes and versions, one after the other. */
export class MeshTally {
  readonly #nodes = new Map<string, Node>()
  readonly #daemonSets = new Map<string, DaemonSet>()
  readonly #versions = new Map<
    string,
    {pods: number; readonly group: Omit<VersionGroup, 'pods' | 'examples'>; readonly examples: PodRef[]}
  >()
  readonly #controlPlanes = new Set<string>()
  readonly #noDaemonSets = new Map<string, NonNullable<NodeService['missing']>>()

  take({pod, agent, mesh, verdict}: CheckItem): void {
    for (const version of mesh?.controlPlanes ?? []) this.#controlPlanes.add(version)
    if (agent?.kind === 'istiod' && agent.version !== undefined) this.#controlPlanes.add(agent.version)
    if (mesh?.version !== undefined) this.#takeVersion(mesh.version, pod)
    if (mesh?.noDaemonSet !== undefined) this.#noDaemonSets.set(mesh.noDaemonSet.cause, mesh.noDaemonSet)
    if (pod.node === undefined) return
    const node = this.#node(pod.context, pod.node)
    if (mesh?.service !== undefined) node.services.push({...mesh.service, pod: refOf(pod)})
    else if (verdict !== 'skipped' && agent?.holdsNoSecrets !== true) node.pods += 1
    if (agent?.capturedAs !== undefined && verdict !== 'skipped') node.captured += 1
    if (mesh?.daemonSet !== undefined && agent !== undefined) this.#takeDaemonSet(mesh.daemonSet, agent.kind, pod)
  }

  seen(): MeshSeen {
    return {
      versions: [...this.#versions.values()].map(({group, pods, examples}) => ({...group, pods, examples})),
      controlPlanes: [...this.#controlPlanes],
      nodes: [...this.#nodes.values()].map(({context, ...node}): NodeSeen => ({...node, ...contextOf(context)})),
      daemonSets: [...this.#daemonSets.values()].map(({facts, nodes}) => ({
        ...facts,
        without: this.#nodesWithout(facts.context, nodes),
      })),
      noDaemonSets: [...this.#noDaemonSets.values()],
    }
  }

  #node(context: string | undefined, name: string): Node {
    const key = keyOf(context, name)
    const known = this.#nodes.get(key) ?? {context, name, captured: 0, pods: 0, services: []}
    this.#nodes.set(key, known)
    return known
  }

  #nodesWithout(context: string | undefined, nodes: ReadonlySet<string>): readonly string[] {
    return [...this.#nodes.values()]
      .filter((one) => one.context === context && !nodes.has(one.name))
      .map(({name}) => name)
  }

  /** Each of its pods has read it anew: the one that found most of it ready counts. */
  #takeDaemonSet(
    said: NonNullable<NonNullable<CheckItem['mesh']>['daemonSet']>,
    kind: string,
    pod: CheckItem['pod'],
  ): void {
    const key = keyOf(pod.context, said.namespace, said.name)
    const {namespace, name, desired, ready, isRollingOut} = said
    const facts = {namespace, name, desired, ready, isRollingOut, kind, ...contextOf(pod.context)}
    const known = this.#daemonSets.get(key) ?? {facts, nodes: new Set<string>()}
    if (desired - ready < known.facts.desired - known.facts.ready) known.facts = facts
    if (pod.node !== undefined) known.nodes.add(pod.node)
    this.#daemonSets.set(key, known)
  }

  #takeVersion(version: Omit<VersionGroup, 'pods' | 'examples'>, pod: PodRef): void {
    const key = keyOf(version.agent, version.controlPlane)
    const known = this.#versions.get(key)
    if (known === undefined) {
      if (this.#versions.size < MAX_VERSIONS) this.#versions.set(key, {pods: 1, group: version, examples: [refOf(pod)]})
      return
    }
    known.pods += 1
    if (known.examples.length < MAX_EXAMPLES) known.examples.push(refOf(pod))
  }
}

function keyOf(...parts: readonly (string | undefined)[]): string {
  return JSON.stringify(parts)
}

function contextOf(context: string | undefined): {readonly context?: string} {
  return context === undefined ? {} : {context}
}

/** The pod's name without the pod. */
function refOf({context, namespace, name}: PodRef): PodRef {
  return {...contextOf(context), namespace, name}
}
