import {afterEach, beforeEach, expect, test} from '@jest/globals'
import {resourceTypes} from '../../../src/lib/sandbox/api/resource-types.ts'
import {startSandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import type {Sandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import {ask} from './sandbox-client.ts'
import type {readList} from './sandbox-json.ts'

let sandbox: Sandbox
let clockMs = Date.parse('2026-06-01T12:00:00Z')

beforeEach(async () => {
  clockMs = Date.parse('2026-06-01T12:00:00Z')
  sandbox = await startSandbox({nowMs: () => clockMs, tokenLifetimeMs: 60_000})
})

afterEach(async () => {
  await sandbox.close()
})

const names = (list: ReturnType<typeof readList>): string[] =>
  list.items.map(({metadata}) => `${metadata.namespace}/${metadata.name}`)

test('pages give each pod once, in the order of a store, and say how many remain', async () => {
  const seen: string[] = []
  const remaining: (number | undefined)[] = []

  let token = ''
  do {
    const page = (await ask(sandbox, `/api/v1/pods?limit=4&continue=${token}`)).list()
    seen.push(...names(page))
    remaining.push(page.metadata.remainingItemCount)
    token = page.metadata.continue ?? ''
  } while (token !== '')

  const whole = names((await ask(sandbox, '/api/v1/pods')).list())
  expect(seen).toEqual(whole)
  expect(seen).toEqual(seen.toSorted())
  expect(remaining).toEqual([11, 7, 3, undefined])
})

test('a selector keeps the server from saying how many remain', async () => {
  const page = (await ask(sandbox, '/api/v1/pods?limit=1&labelSelector=app%3Dcart')).list()

  expect(names(page)).toEqual(['shop/cart-5d8f7c9b6-4kxvq'])
  expect(page.metadata.continue).not.toBe('')
  expect(page.metadata).not.toHaveProperty('remainingItemCount')
})

test.each([
  ['labelSelector', 'app=cart', 2],
  ['labelSelector', 'app in (cart, catalog)', 3],
  ['labelSelector', 'app notin (cart),pod-template-hash', 10],
  ['labelSelector', '!app', 0],
  ['labelSelector', 'app!=cart', 13],
  ['fieldSelector', 'spec.nodeName=node-c', 1],
  ['fieldSelector', 'status.phase!=Running', 2],
  ['fieldSelector', 'metadata.namespace=bank,status.phase=Running', 4],
])('%s %s picks its pods', async (parameter, selector, count) => {
  const list = (await ask(sandbox, `/api/v1/pods?${parameter}=${encodeURIComponent(selector)}`)).list()

  expect(list.items).toHaveLength(count)
})

test('a field that cannot be selected by is refused', async () => {
  const reply = await ask(sandbox, '/api/v1/pods?fieldSelector=spec.color%3Dred')

  expect(reply.status).toBe(400)
  expect(reply.failure()).toMatchObject({reason: 'BadRequest', message: 'field label not supported: spec.color'})
})

test('an old token gets 410 with a fresh one, and the fresh one gives the rest', async () => {
  const first = (await ask(sandbox, '/api/v1/pods?limit=10')).list()
  clockMs += 61_000

  const refused = await ask(sandbox, `/api/v1/pods?limit=10&continue=${first.metadata.continue}`)
  const rest = (await ask(sandbox, `/api/v1/pods?limit=10&continue=${refused.failure().metadata.continue}`)).list()

  expect(refused.status).toBe(410)
  expect(refused.failure()).toMatchObject({reason: 'Expired', code: 410})
  expect([...names(first), ...names(rest)]).toEqual(names((await ask(sandbox, '/api/v1/pods')).list()))
})

test('a server without fresh tokens sends back to the start', async () => {
  sandbox.switches.freshTokens = false
  sandbox.switches.expireNext = 1
  const first = (await ask(sandbox, '/api/v1/pods?limit=10')).list()

  const refused = await ask(sandbox, `/api/v1/pods?limit=10&continue=${first.metadata.continue}`)

  expect(refused.status).toBe(410)
  expect(refused.failure().metadata).toEqual({})
})

test('so many tokens expire as were switched, and no more', async () => {
  sandbox.switches.expireNext = 1
  const first = (await ask(sandbox, '/api/v1/pods?limit=10')).list()
  const path = `/api/v1/pods?limit=10&continue=${first.metadata.continue}`

  const statuses = [(await ask(sandbox, path)).status, (await ask(sandbox, path)).status]

  expect(statuses).toEqual([410, 200])
})

test('a token that is none is refused', async () => {
  const reply = await ask(sandbox, '/api/v1/pods?limit=1&continue=garbage')

  expect(reply.status).toBe(400)
})

test('a large body is compressed for who takes it, a small one is not', async () => {
  const large = await ask(sandbox, '/api/v1/pods', {headers: {'accept-encoding': 'gzip'}})
  const small = await ask(sandbox, '/api/v1/nodes', {headers: {'accept-encoding': 'gzip'}})

  expect(large.headers['content-encoding']).toBe('gzip')
  expect(large.list().items).toHaveLength(15)
  expect(small.headers).not.toHaveProperty('content-encoding')
})

test('an object has kind and version, an item of a list has neither', async () => {
  const object = (await ask(sandbox, '/api/v1/namespaces/shop/pods/reports-0')).object()
  const list = (await ask(sandbox, '/api/v1/namespaces/shop/pods')).list()

  expect(object).toMatchObject({kind: 'Pod', apiVersion: 'v1', metadata: {name: 'reports-0'}})
  expect(list).toMatchObject({kind: 'PodList', apiVersion: 'v1'})
  expect(list.items[0]).not.toHaveProperty('kind')
})

test('metadata alone is given to who asks for it', async () => {
  const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'
  const list = (await ask(sandbox, '/api/v1/pods?limit=1', {headers: {accept}})).list()

  expect(list.kind).toBe('PartialObjectMetadataList')
  expect(Object.keys(list.items[0] ?? {}).filter((key) => !['spec', 'status', 'data'].includes(key))).toEqual([
    'kind',
    'apiVersion',
    'metadata',
  ])
})

test.each([
  ['/apis/apps/v1/namespaces/shop/deployments/cart', 'Deployment'],
  ['/apis/apps/v1/namespaces/shop/replicasets/cart-5d8f7c9b6', 'ReplicaSet'],
  ['/apis/apps/v1/namespaces/shop/statefulsets/reports', 'StatefulSet'],
  ['/apis/apps/v1/namespaces/istio-system/daemonsets/ztunnel', 'DaemonSet'],
  ['/apis/batch/v1/namespaces/shop/jobs/migrate-29431', 'Job'],
  ['/api/v1/namespaces/shop/services/cart', 'Service'],
  ['/api/v1/namespaces/shop/serviceaccounts/cart', 'ServiceAccount'],
  ['/api/v1/namespaces/shop/configmaps/istio-ca-root-cert', 'ConfigMap'],
  ['/api/v1/namespaces/shop', 'Namespace'],
  ['/api/v1/nodes/node-a', 'Node'],
])('%s is a %s', async (path, kind) => {
  const object = (await ask(sandbox, path)).object()

  expect(object.kind).toBe(kind)
})

test('an owner selects the pods that name it', async () => {
  const owner = (await ask(sandbox, '/apis/apps/v1/namespaces/shop/replicasets/cart-5d8f7c9b6')).object()
  const selector = Object.entries(owner.spec.selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`)
  const path = `/api/v1/namespaces/shop/pods?labelSelector=${encodeURIComponent(selector.join(','))}`

  const pods = (await ask(sandbox, path)).list()

  expect(pods.items).toHaveLength(2)
  for (const pod of pods.items) expect(pod.metadata.ownerReferences[0]?.uid).toBe(owner.metadata.uid)
})

test('a pod that is deleted between two pages is not given', async () => {
  const first = (await ask(sandbox, '/api/v1/namespaces/shop/pods?limit=2')).list()
  sandbox.world.remove(resourceTypes.pods, 'shop', 'reports-0')

  const rest = (await ask(sandbox, `/api/v1/namespaces/shop/pods?continue=${first.metadata.continue}`)).list()

  expect(names(rest)).not.toContain('shop/reports-0')
})

test.each([
  ['/api/v1/namespaces/shop/pods/nope', 'pods "nope" not found'],
  ['/apis/apps/v1/namespaces/shop/deployments/nope', 'deployments.apps "nope" not found'],
  ['/api/v1/widgets', 'the server could not find the requested resource'],
])('%s is not found', async (path, message) => {
  const reply = await ask(sandbox, path)

  expect(reply.status).toBe(404)
  expect(reply.failure()).toMatchObject({kind: 'Status', reason: 'NotFound', message, code: 404})
})

test('a throttled server names the seconds to wait, and recovers', async () => {
  sandbox.switches.throttleNext = 1
  sandbox.switches.retryAfterSeconds = 7

  const first = await ask(sandbox, '/api/v1/pods?limit=1')
  const second = await ask(sandbox, '/api/v1/pods?limit=1')

  expect(first.status).toBe(429)
  expect(first.headers['retry-after']).toBe('7')
  expect(first.failure().reason).toBe('TooManyRequests')
  expect(second.status).toBe(200)
})

test('a list can break off in the middle', async () => {
  sandbox.switches.cutNext = 1

  const reply = await ask(sandbox, '/api/v1/pods')

  expect(reply.status).toBe(200)
  expect(reply.isComplete).toBe(false)
  expect(reply.text.length).toBeGreaterThan(1000)
})

test('warnings come with every answer', async () => {
  sandbox.switches.warnings = ['v1 is old', 'so "they" say']

  const reply = await ask(sandbox, '/version')

  expect(reply.headers['warning']).toBe(String.raw`299 - "v1 is old", 299 - "so \"they\" say"`)
})

test('nothing can be changed', async () => {
  const reply = await ask(sandbox, '/api/v1/namespaces/shop/pods/reports-0', {method: 'DELETE'})

  expect(reply.status).toBe(405)
  expect(sandbox.world.pod('shop', 'reports-0').name).toBe('reports-0')
})

test('requests, bytes and connections are counted', async () => {
  const reply = await ask(sandbox, '/api/v1/namespaces/shop/pods')

  expect(sandbox.counters.requests.get('list pods')).toBe(1)
  expect(sandbox.counters.apiBytes).toBe(Buffer.byteLength(reply.text))
  expect(sandbox.counters.connections).toBe(1)
})
