import {randomUUID} from 'node:crypto'
import pMap from 'p-map'
import {ETCD_URL} from '../cluster/etcd.ts'
import type {PodObject} from '../kubelet/pod-object.ts'

/** Writes under way at once. */
const AT_ONCE = 16

/** Where a copy stands. */
interface Place {
  readonly namespace: string
  readonly nodeName: string
}

/** Over fifty namespaces and a hundred nodes that nobody keeps: the copies stay as they are. */
const spread = (number: number): Place => ({
  namespace: `copies-${String(number % 50).padStart(2, '0')}`,
  nodeName: `copies-${String(number % 100)}`,
})

/**
 * Writes copies of a pod, as the API server has it, into etcd: `count` of them, from number `from` on. To create, inject
 * and start ten thousand pods one by one takes minutes, and a list cannot tell them from these.
 */
export async function copyPods(pod: PodObject, from: number, count: number, placeOf = spread): Promise<void> {
  const numbers = Array.from({length: count}, (_, index) => from + index)
  // Each is a change of its own: of several in one revision, a watch that begins amid them misses the rest.
  await pMap(numbers, async (number) => await put(copyOf(pod, number, placeOf(number))), {concurrency: AT_ONCE})
}

function copyOf(pod: PodObject, number: number, {namespace, nodeName}: Place): PodObject {
  const name = `copy-${String(number).padStart(5, '0')}`
  const podIP = `10.248.${String(number >> 8)}.${String(number & 255)}`
  const {resourceVersion: _, ...metadata} = pod.metadata
  return {
    ...pod,
    metadata: {...metadata, namespace, name, uid: randomUUID()} as PodObject['metadata'],
    spec: {...pod.spec, nodeName},
    status: {...pod.status, podIP},
  }
}

/** Takes all pods of a namespace out of etcd, for which nothing has to end. */
export async function removeCopies(namespace: string): Promise<void> {
  const [key, end] = [`/registry/pods/${namespace}/`, `/registry/pods/${namespace}0`]
  await send('/v3/kv/deleterange', {key: base64(key), range_end: base64(end)})
}

async function put(pod: PodObject): Promise<void> {
  const key = base64(`/registry/pods/${pod.metadata.namespace}/${pod.metadata.name}`)
  await send('/v3/kv/put', {key, value: base64(JSON.stringify({kind: 'Pod', apiVersion: 'v1', ...pod}))})
}

async function send(path: string, body: object): Promise<void> {
  const answer = await fetch(`${ETCD_URL}${path}`, {method: 'POST', body: JSON.stringify(body)})
  if (!answer.ok) throw new Error(`etcd answers with ${String(answer.status)}: ${await answer.text()}`)
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
