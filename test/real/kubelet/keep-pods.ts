import {ApiError, type Api} from '../cluster/api.ts'
import {ADDRESS, type PodObject} from './pod-object.ts'
import {runningStatus} from './running-status.ts'

/** The pods of one node, as they are now. */
export class Pods {
  readonly #byName = new Map<string, PodObject>()
  readonly #started = new Set<string>()
  readonly #api: Api
  readonly #prepare: (pod: PodObject) => Promise<void>
  #addresses = 0

  /** `prepare` is called before a pod is said to run. */
  constructor(api: Api, prepare: (pod: PodObject) => Promise<void>) {
    this.#api = api
    this.#prepare = prepare
  }

  /** A pod of this node that runs. */
  running(namespace: string, name: string): PodObject | undefined {
    const pod = this.#byName.get(`${namespace}/${name}`)
    return pod?.status.phase === 'Running' ? pod : undefined
  }

  /** Follows what the API server binds to a node, and says of each pod that it runs. Ends with the process. */
  async keep(node: string): Promise<never> {
    const path = `/api/v1/pods?fieldSelector=${encodeURIComponent(`spec.nodeName=${node}`)}`
    for (;;) {
      const {items, metadata} = (await this.#api.send('GET', path)) as PodList
      for (const pod of items) this.#take(pod)
      await this.#api.watch(`${path}&watch=1&resourceVersion=${metadata.resourceVersion}`, ({type, object}) => {
        const pod = object as PodObject
        if (type === 'DELETED') this.#byName.delete(keyOf(pod))
        else if (type === 'ADDED' || type === 'MODIFIED') this.#take(pod)
      })
    }
  }

  #take(pod: PodObject): void {
    this.#byName.set(keyOf(pod), pod)
    if (pod.metadata.deletionTimestamp !== undefined) void this.#end(pod)
    else if (pod.status.phase === 'Pending' && !this.#started.has(pod.metadata.uid)) {
      this.#started.add(pod.metadata.uid)
      void this.#start(pod)
    }
  }

  async #start(pod: PodObject): Promise<void> {
    await this.#prepare(pod)
    const status = runningStatus(pod, pod.metadata.annotations?.[ADDRESS] ?? this.#newAddress())
    await this.#unlessGone(this.#api.send('PATCH', `${pathOf(pod)}/status`, {status}, 'application/merge-patch+json'))
  }

  async #end(pod: PodObject): Promise<void> {
    const {uid} = pod.metadata
    await this.#unlessGone(
      this.#api.send('DELETE', pathOf(pod), {gracePeriodSeconds: 0, preconditions: {uid}, kind: 'DeleteOptions'}),
    )
  }

  async #unlessGone(sent: Promise<unknown>): Promise<void> {
    await sent.catch((error: unknown) => {
      if (!(error instanceof ApiError && [404, 409].includes(error.status))) throw error
    })
  }

  #newAddress(): string {
    this.#addresses += 1
    return `10.247.${String(this.#addresses >> 8)}.${String(this.#addresses & 255)}`
  }
}

interface PodList {
  readonly items: readonly PodObject[]
  readonly metadata: {readonly resourceVersion: string}
}

function keyOf({metadata}: PodObject): string {
  return `${metadata.namespace}/${metadata.name}`
}

function pathOf({metadata}: PodObject): string {
  return `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`
}
