import {RunError} from '../domain/failure.ts'
import {resourceTypes} from './api/resource-types.ts'
import type {ResourceType} from './api/resource-types.ts'
import type {SimulatedPod} from './simulated-pod.ts'

/** An object as the API serves it: what selectors look at, and its JSON. */
export interface StoredObject {
  /** Empty for what stands outside namespaces. */
  readonly namespace: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** Fields that may be selected by, besides name and namespace. */
  readonly fields: Readonly<Record<string, string>>
  /** Object as JSON text, from `{"metadata":`, without kind and apiVersion, as in a list. */
  readonly json: () => string
  readonly pod?: SimulatedPod
}

/** An object as a scenario writes it down. */
export interface Manifest {
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly [field: string]: unknown
  }
  readonly [field: string]: unknown
}

/** Everything in the embedded cluster. */
export class World {
  readonly #objects = new Map<string, Map<string, StoredObject>>()
  readonly #sorted = new Map<string, readonly StoredObject[]>()
  #revision = 1000

  /** The resource version that lists carry; grows with each change. */
  get revision(): number {
    return this.#revision
  }

  /** All objects of a type in the order of a real store: by the bytes of `namespace/name`. */
  list(type: ResourceType): readonly StoredObject[] {
    const known = this.#sorted.get(type.plural)
    if (known !== undefined) return known
    const objects = [...(this.#objects.get(type.plural) ?? new Map<string, StoredObject>())]
    const sorted = objects.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, object]) => object)
    this.#sorted.set(type.plural, sorted)
    return sorted
  }

  /** One object, or nothing. */
  get(type: ResourceType, namespace: string, name: string): StoredObject | undefined {
    return this.#objects.get(type.plural)?.get(storeKey(namespace, name))
  }

  /** A pod by its name. Throws RunError (usage) where there is none. */
  pod(namespace: string, name: string): SimulatedPod {
    const pod = this.get(resourceTypes.pods, namespace, name)?.pod
    if (pod === undefined) throw new RunError(2, 'usage', `The sandbox has no pod ${namespace}/${name}`)
    return pod
  }

  /** Adds or replaces an object. */
  put(type: ResourceType, object: StoredObject): void {
    const ofType = this.#objects.get(type.plural) ?? new Map<string, StoredObject>()
    this.#objects.set(type.plural, ofType)
    ofType.set(storeKey(object.namespace, object.name), object)
    this.#changed(type)
  }

  /** Adds or replaces an object from its manifest. */
  putManifest(type: ResourceType, manifest: Manifest): void {
    const text = JSON.stringify(manifest)
    const {name, namespace = '', labels = {}} = manifest.metadata
    this.put(type, {namespace, name, labels, fields: {}, json: () => text})
  }

  /** Adds or replaces a pod. */
  putPod(pod: SimulatedPod): void {
    this.put(resourceTypes.pods, {
      namespace: pod.namespace,
      name: pod.name,
      labels: pod.labels,
      fields: {
        'spec.nodeName': pod.node ?? '',
        'spec.restartPolicy': 'Always',
        'spec.serviceAccountName': pod.serviceAccount,
        'spec.schedulerName': 'default-scheduler',
        'status.phase': pod.phase,
        'status.podIP': pod.address,
      },
      json: pod.manifest,
      pod,
    })
  }

  /** Deletes an object; nothing where there is none. */
  remove(type: ResourceType, namespace: string, name: string): void {
    this.#objects.get(type.plural)?.delete(storeKey(namespace, name))
    this.#changed(type)
  }

  #changed(type: ResourceType): void {
    this.#revision += 1
    this.#sorted.delete(type.plural)
  }
}

/** Key of an object inside its type, as etcd orders them (`/registry/pods/shop/cart-1`). */
export function storeKey(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`
}
