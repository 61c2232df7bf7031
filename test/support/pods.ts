import type {PodLister, PodPage} from '../../src/lib/domain/access.ts'
import type {Pod} from '../../src/lib/domain/pod.ts'
import type {Selection} from '../../src/lib/domain/selection.ts'

/** A running pod of the given name; what a test is about is given in `over`. */
export function pod(name: string, over: Partial<Pod> = {}): Pod {
  return {
    namespace: 'shop',
    name,
    uid: `uid-${name}`,
    labels: {},
    annotations: {},
    owners: [],
    phase: 'Running',
    ips: ['10.0.0.1'],
    hostNetwork: false,
    conditions: [],
    containers: [],
    volumes: {},
    ...over,
  }
}

/** Nothing but the context's own namespace. */
export const ALL: Selection = {targets: [], namespaces: [], nodes: [], kinds: []}

/** Lists the given pages, and resumes as a server does: by token, then past the last pod reported. */
export function pagesOf(...pages: readonly (readonly Pod[])[]): PodLister {
  return {
    async *pages(from) {
      const first = from?.token === undefined ? 0 : Number(from.token)
      for (const [index, pods] of pages.entries()) {
        if (index < first) continue
        yield page(pods, index, pages.length, index === first ? from?.after?.name : undefined)
      }
    },
  }
}

function page(pods: readonly Pod[], index: number, count: number, after: string | undefined): PodPage {
  const place = {context: 0, query: 0, ...(index > 0 && {token: String(index)})}
  return {
    pods: after === undefined ? pods : pods.filter(({name}) => name > after),
    place,
    consistent: true,
    ...(index + 1 < count && {next: {context: 0, query: 0, token: String(index + 1)}}),
  }
}
