import {randomUUID} from 'node:crypto'
import {ETCD_URL} from '../cluster/etcd.ts'
import type {PodObject} from '../kubelet/pod-object.ts'

/** Writes in one transaction: etcd takes 128 at most. */
const AT_ONCE = 100

/**
 * Writes copies of a pod, as the API server has it, into etcd: `count` of them, from number `from` on. To create, inject
 * and start ten thousand pods one by one takes minutes, and a list cannot tell them from these.
 */
export async function copyPods(pod: PodObject, from: number, count: number): Promise<void> {
  const copies = Array.from({length: count}, (_, index) => copyOf(pod, from + index))
  for (let at = 0; at < copies.length; at += AT_ONCE) await put(copies.slice(at, at + AT_ONCE))
}

function copyOf(pod: PodObject, number: number): PodObject {
  const namespace = `copies-${String(number % 50).padStart(2, '0')}`
  const name = `copy-${String(number).padStart(5, '0')}`
  const podIP = `10.248.${String(number >> 8)}.${String(number & 255)}`
  const {resourceVersion: _, ...metadata} = pod.metadata
  return {
    ...pod,
    metadata: {...metadata, namespace, name, uid: randomUUID()} as PodObject['metadata'],
    // Nobody keeps the pods of this node: they stay as they are.
    spec: {...pod.spec, nodeName: `copies-${String(number % 100)}`},
    status: {...pod.status, podIP},
  }
}

async function put(pods: readonly PodObject[]): Promise<void> {
  const success = pods.map((pod) => {
    const key = base64(`/registry/pods/${pod.metadata.namespace}/${pod.metadata.name}`)
    return {requestPut: {key, value: base64(JSON.stringify({kind: 'Pod', apiVersion: 'v1', ...pod}))}}
  })
  const answer = await fetch(`${ETCD_URL}/v3/kv/txn`, {method: 'POST', body: JSON.stringify({success})})
  if (!answer.ok) throw new Error(`etcd answers with ${String(answer.status)}: ${await answer.text()}`)
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
