import type {ConnectedProxy} from '../agents/istiod.ts'
import {clusterObjects} from './cluster-objects.ts'
import {connectedProxy} from './istiod-pod.ts'
import type {Mesh} from './mesh.ts'
import {workloadSocket} from './proxied-pod.ts'
import {sidecarPod} from './sidecar-pod.ts'
import type {SidecarWorkload} from './sidecar-pod.ts'

const node = {name: 'node-a', address: '172.18.0.2'}

/** Sidecars in the namespace `books`: the ways in which an agent serves its secrets, or does not; as proxies of an istiod. */
export function addSdsSockets(mesh: Mesh): readonly ConnectedProxy[] {
  const roots = [mesh.authority.root]
  const objects = clusterObjects(mesh)
  objects.namespace('books', roots)
  const connected: ConnectedProxy[] = []
  const add = (app: string, hash: string, workload: Partial<SidecarWorkload>): void => {
    objects.serviceAccount('books', app)
    const owner = objects.deployment('books', app, hash, 1)
    const name = `${owner.name}-b7kxq`
    const place = {namespace: 'books', app, owner, name, node, address: '10.244.1.40'}
    const pod = sidecarPod(mesh, {...place, ...workload}, roots)
    mesh.world.putPod(pod)
    const version = workload.image?.split(':').at(-1)
    connected.push(connectedProxy(pod, [], version === undefined ? {} : {version}))
  }
  add('reviews', '6d4b75cb6', {
    image: 'docker.io/istio/proxyv2:1.12.9',
    tools: ['busybox nc', 'socat'],
    sds: {path: '/etc/istio/proxy/SDS', api: 'v3'},
  })
  add('ratings', '79f6b9d8c', {
    image: 'docker.io/istio/proxyv2:1.5.10',
    sds: {path: '/etc/istio/proxy/SDS', api: 'v2'},
  })
  // The agent has not made its socket.
  add('details', '5f79c2c64', {sds: 'none'})
  add('authors', '84b9d6f7d', {isSpire: true})
  const socket = {path: workloadSocket, api: 'v3'} as const
  const refusal = 'failed to generate secret for proxy: create certificate: rpc error: code = Unavailable'
  add('prices', '68c5f9b4d', {sds: {...socket, refused: new Map([['ROOTCA', refusal]])}})
  add('notes', '5b8f7d6c9', {sds: {...socket, isKeyInChain: true}})
  add('orders', '7c9d8b6f5', {
    sds: {
      ...socket,
      refused: new Map([
        ['default', refusal],
        ['ROOTCA', refusal],
      ]),
    },
  })
  return connected
}
