import {readFileSync} from 'node:fs'
import {projectPod} from '../../src/lib/cluster/list/project-pod.ts'
import type {Container, Pod} from '../../src/lib/domain/pod.ts'
import {pod} from './pods.ts'

/** The pods of a fixture, a list or a single one. */
function readPods(name: string): readonly Pod[] {
  const url = new URL(`../fixtures/profiles/${name}.json`, import.meta.url)
  const document: unknown = JSON.parse(readFileSync(url, 'utf8'))
  const isList = typeof document === 'object' && document !== null && 'items' in document
  const items: readonly unknown[] = isList && Array.isArray(document.items) ? document.items : [document]
  return items.map((item) => projectPod(item)!)
}

/** One pod of a fixture. */
export function readPod(fixture: string, name?: string): Pod {
  return readPods(fixture).find((one) => name === undefined || one.name === name)!
}

/** A running container; what a test is about is given in `over`. */
export function container(name: string, over: Partial<Container> = {}): Container {
  return {
    name,
    image: `${name}:1`,
    role: 'container',
    command: [],
    args: [],
    env: {},
    ports: [],
    mounts: [],
    state: {phase: 'running'},
    ready: true,
    restarts: 0,
    ...over,
  }
}

/** A running pod with an application and a container `istio-proxy`, which `over` is about. */
export function meshPod(over: Partial<Container> = {}, of: Partial<Pod> = {}): Pod {
  return pod('cart-1', {containers: [container('cart'), container('istio-proxy', over)], ...of})
}
