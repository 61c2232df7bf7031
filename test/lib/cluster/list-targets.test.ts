import {afterEach, expect, test} from '@jest/globals'
import type {Place, PodPage} from '../../../src/lib/domain/access.ts'
import type {Selection} from '../../../src/lib/domain/selection.ts'
import {listPods} from '../../../src/lib/cluster/list/list-pods.ts'
import {parseTarget} from '../../../src/lib/cluster/list/targets.ts'
import {answerJson, Ends, never, openTestSession, startServer, type ScriptedServer} from './scripted-server.ts'

const ends = new Ends()
afterEach(() => ends.run())

interface TestPod {
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly labels: Record<string, string>
    readonly ownerReferences: readonly {kind: string; name: string}[]
  }
}

const pod = (name: string, labels: Record<string, string> = {}, owner?: string, namespace = 'shop'): TestPod => {
  const [kind, ownerName] = owner?.split('/') ?? []
  return {
    metadata: {
      name,
      namespace,
      labels,
      ownerReferences: kind === undefined || ownerName === undefined ? [] : [{kind, name: ownerName}],
    },
  }
}

const PODS = [
  pod('cart-7d9-a', {app: 'cart', 'pod-template-hash': '7d9'}, 'ReplicaSet/cart-7d9'),
  pod('cart-7d9-b', {app: 'cart', 'pod-template-hash': '7d9'}, 'ReplicaSet/cart-7d9'),
  pod('cart-x-1f0-c', {app: 'cart-x', 'pod-template-hash': '1f0'}, 'ReplicaSet/cart-x-1f0'),
  pod('db-0', {app: 'db'}, 'StatefulSet/db'),
  pod('nightly-29111-z', {'job-name': 'nightly-29111'}, 'Job/nightly-29111'),
  pod('v1.web', {app: 'web'}),
  pod('web-1', {app: 'web'}, undefined, 'edge'),
]

const OWNERS: Readonly<Record<string, unknown>> = {
  '/apis/apps/v1/namespaces/shop/deployments/cart': {spec: {selector: {matchLabels: {app: 'cart'}}}},
  '/apis/apps/v1/namespaces/shop/statefulsets/db': {
    spec: {
      selector: {
        matchExpressions: [
          {key: 'app', operator: 'In', values: ['db']},
          {key: 'gone', operator: 'DoesNotExist'},
        ],
      },
    },
  },
  '/api/v1/namespaces/shop/services/cart': {spec: {selector: {app: 'cart'}}},
  '/api/v1/namespaces/shop/services/outside': {spec: {type: 'ExternalName'}},
  '/apis/batch/v1/namespaces/shop/cronjobs/nightly': {spec: {}},
}

/** An API server with these pods and owners; `forbidden` is matched against the paths of single objects. */
async function serveMesh(forbidden = /^$/): Promise<ScriptedServer> {
  return startServer(ends, (request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    if (forbidden.test(url.pathname)) {
      answerJson(response, {kind: 'Status', message: 'x is forbidden: User "ci" cannot get'}, 403)
      return
    }
    const inNamespace = /^\/api\/v1\/namespaces\/([^/]+)\/pods(?:\/([^/]+))?$/.exec(url.pathname)
    if (inNamespace !== null) {
      const [, namespace, name] = inNamespace
      const pods = PODS.filter(({metadata}) => metadata.namespace === namespace)
      const found = pods.find(({metadata}) => metadata.name === name)
      if (name !== undefined) answerJson(response, found ?? {kind: 'Status'}, found === undefined ? 404 : 200)
      else answerJson(response, {items: pods.filter(({metadata}) => isSelected(metadata, url.searchParams))})
      return
    }
    const owner = OWNERS[url.pathname]
    answerJson(response, owner ?? {kind: 'Status'}, owner === undefined ? 404 : 200)
  })
}

function isSelected(metadata: TestPod['metadata'], search: URLSearchParams): boolean {
  const byName = /^metadata\.name=(.*)$/.exec(search.get('fieldSelector') ?? '')?.[1]
  if (byName !== undefined && metadata.name !== byName) return false
  return (search.get('labelSelector') ?? '')
    .split(',')
    .every(
      (part) => part === '' || part.startsWith('!') || metadata.labels[part.split('=')[0] ?? ''] === part.split('=')[1],
    )
}

async function list(
  server: ScriptedServer,
  targets: readonly string[],
  selection: Partial<Selection> = {},
  from?: Place,
): Promise<{pages: PodPage[]; names: string[]; error?: unknown}> {
  const session = await openTestSession(ends, server.url)
  const all = {targets: targets.map(parseTarget), namespaces: [], nodes: [], kinds: [], ...selection}
  const pages: PodPage[] = []
  const names: string[] = []
  try {
    for await (const page of listPods(session, all, {chunkSize: 500, contextIndex: 0}).pages(from, never())) {
      pages.push(page)
      names.push(...page.pods.map(({name}) => name))
    }
  } catch (error) {
    return {pages, names, error}
  }
  return {pages, names}
}

test.each([
  ['cart-1', 'pods', 'cart-1'],
  ['pod/cart-1', 'pods', 'cart-1'],
  ['po/cart.shop', 'pods', 'cart.shop'],
  ['deploy/cart', 'deployments', 'cart'],
  ['Deployment.apps/cart', 'deployments', 'cart'],
  ['sts/db', 'statefulsets', 'db'],
  ['ds/agent', 'daemonsets', 'agent'],
  ['rs/cart-7d9', 'replicasets', 'cart-7d9'],
  ['rc/old', 'replicationcontrollers', 'old'],
  ['job/one', 'jobs', 'one'],
  ['cj/nightly', 'cronjobs', 'nightly'],
  ['svc/cart', 'services', 'cart'],
])('%s is read as %s named %s', (text, resource, name) => {
  const target = parseTarget(text)

  expect(target).toEqual({text, resource, name})
})

test.each(['', 'a/b/c', 'deploy/', '/x', '../secrets', 'deploy/..', 'deploy/A', 'x?y', 'node/n1', 'secret/s'])(
  '%j is a usage error',
  (text) => {
    let error: unknown
    try {
      parseTarget(text)
    } catch (thrown) {
      error = thrown
    }

    expect(error).toMatchObject({name: 'RunError', exit: 2})
  },
)

test.each([
  ['deploy/cart', ['cart-7d9-a', 'cart-7d9-b']],
  ['svc/cart', ['cart-7d9-a', 'cart-7d9-b']],
  ['sts/db', ['db-0']],
  ['cronjob/nightly', ['nightly-29111-z']],
  ['db-0', ['db-0']],
  ['db-0.shop', ['db-0']],
  ['deploy/cart.shop', ['cart-7d9-a', 'cart-7d9-b']],
  ['v1.web', ['v1.web']],
  ['web-1.edge', ['web-1']],
])('%s means %j', async (target, expected) => {
  const server = await serveMesh()

  const {names, error} = await list(server, [target])

  expect(error).toBeUndefined()
  expect(names).toEqual(expected)
})

test.each([
  ['deploy/cart', ['cart-7d9-a', 'cart-7d9-b']],
  ['sts/db', ['db-0']],
  ['cj/nightly', ['nightly-29111-z']],
  ['db-0', ['db-0']],
])('%s that may not be read is resolved through the pods themselves: %j', async (target, expected) => {
  const server = await serveMesh(/\/(deployments|statefulsets|cronjobs|pods)\/[^/]+$/)

  const {names, error} = await list(server, [target])

  expect(error).toBeUndefined()
  expect(names).toEqual(expected)
})

test('a service that may not be read leaves no trace in its pods, and is refused', async () => {
  const server = await serveMesh(/services/)

  const {error} = await list(server, ['svc/cart'])

  expect(error).toMatchObject({
    name: 'RunError',
    exit: 4,
    code: 'forbidden',
    message: 'Cannot find the pods of svc/cart in shop: forbidden',
  })
})

test('a service without a selector has no pods to mean', async () => {
  const server = await serveMesh()

  const {error} = await list(server, ['svc/outside'])

  expect(error).toMatchObject({
    exit: 4,
    message: 'Cannot find the pods of svc/outside in shop: it points outside the cluster',
  })
})

test('a single target that is not there ends the run', async () => {
  const server = await serveMesh()

  const {error} = await list(server, ['nobody'])

  expect(error).toMatchObject({
    name: 'RunError',
    exit: 4,
    code: 'not-found',
    message: 'Cannot find pod nobody in shop: there is none of that name',
  })
})

test('one of several targets that is not there does not hide the others', async () => {
  const server = await serveMesh()

  const {names, error} = await list(server, ['nobody', 'db-0', 'deploy/none'])

  expect(names).toEqual(['db-0'])
  expect(error).toMatchObject({
    name: 'ProbeError',
    failure: {
      stage: 'select',
      code: 'not-found',
      message:
        'Cannot find pod nobody in shop: there is none of that name; Cannot find deploy/none in shop: there is none of that name',
    },
  })
})

test('a pod that two targets mean comes once, also when the listing is resumed at the second', async () => {
  const server = await serveMesh()
  const targets = ['cart-7d9-b', 'deploy/cart', 'cart-7d9-a']

  const whole = await list(server, targets)
  const resumed = await list(server, targets, {}, {context: 0, query: 1})

  expect(whole.names).toEqual(['cart-7d9-b', 'cart-7d9-a'])
  expect(whole.pages.map(({place}) => place.query)).toEqual([0, 1, 2])
  expect(resumed.names).toEqual(['cart-7d9-a'])
})

test('a target is looked for in each chosen namespace', async () => {
  const server = await serveMesh()

  const {names, error} = await list(server, ['web-1', 'db-0'], {namespaces: ['shop', 'edge']})

  expect(error).toBeUndefined()
  expect(names).toEqual(['web-1', 'db-0'])
})

test('a pod that may be read needs no right to list, and is held to the chosen nodes', async () => {
  const server = await serveMesh(/\/pods$/)

  const {names, error} = await list(server, ['db-0'], {nodes: []})
  const elsewhere = await list(server, ['db-0'], {nodes: ['n9']})

  expect(error).toBeUndefined()
  expect(names).toEqual(['db-0'])
  expect(elsewhere.names).toEqual([])
  expect(elsewhere.error).toBeUndefined()
})
