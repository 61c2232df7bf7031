import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {startSandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import type {Sandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import {ask, forwardProtocol, podPath, stream} from './sandbox-client.ts'
import {readJson, readReview, readStatus} from './sandbox-json.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
})

afterAll(async () => {
  await sandbox.close()
})

const cart = 'shop/cart-5d8f7c9b6-4kxvq'

test('a token that is not known is refused with 401', async () => {
  const reply = await ask(sandbox, '/api/v1/pods', {headers: {authorization: 'Bearer stolen'}})

  expect(reply.status).toBe(401)
  expect(readJson(reply.text)).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Unauthorized',
    reason: 'Unauthorized',
    code: 401,
  })
})

test('a login can expire, and be good again', async () => {
  sandbox.switches.rejectNext = 1

  const statuses = [(await ask(sandbox, '/version')).status, (await ask(sandbox, '/version')).status]

  expect(statuses).toEqual([401, 200])
})

test('who shows nothing may read the version and no more', async () => {
  const version = await ask(sandbox, '/version', {user: 'nobody-at-all'})
  const pods = await ask(sandbox, '/api/v1/pods', {user: 'nobody-at-all'})
  const discovery = await ask(sandbox, '/api', {user: 'nobody-at-all'})

  expect(version.text).toContain('"minor":"35"')
  expect(pods.failure().message).toBe(
    'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope',
  )
  expect(discovery.failure().message).toBe('forbidden: User "system:anonymous" cannot get path "/api"')
})

test('a client certificate logs in as the admin', async () => {
  const reply = await ask(sandbox, '/api/v1/nodes', {user: 'client-certificate'})

  expect(reply.status).toBe(200)
})

test.each([
  [
    'nobody',
    '/api/v1/namespaces/shop/pods',
    'pods is forbidden: User "nobody" cannot list resource "pods" in API group "" in the namespace "shop"',
  ],
  [
    'shopkeeper',
    '/api/v1/pods',
    'pods is forbidden: User "shopkeeper" cannot list resource "pods" in API group "" at the cluster scope',
  ],
  [
    'nobody',
    '/apis/apps/v1/namespaces/shop/deployments/cart',
    'deployments.apps "cart" is forbidden: User "nobody" cannot get resource "deployments" in API group "apps" in the namespace "shop"',
  ],
  [
    'viewer',
    '/api/v1/namespaces/shop/pods/cart-1:15020/proxy/metrics',
    'pods "cart-1" is forbidden: User "viewer" cannot get resource "pods/proxy" in API group "" in the namespace "shop"',
  ],
] as const)('%s is refused %s in the words of RBAC', async (user, path, message) => {
  const reply = await ask(sandbox, path, {user})

  expect(reply.status).toBe(403)
  expect(reply.failure()).toMatchObject({reason: 'Forbidden', code: 403, message})
})

test.each([
  [
    'viewer',
    'portforward',
    `User "viewer" cannot get resource "pods/portforward" in API group "" in the namespace "shop"`,
  ],
  ['creator', 'exec', `User "creator" cannot get resource "pods/exec" in API group "" in the namespace "shop"`],
  // Servers since 1.35 want `create` as well, and leave the reason empty.
  ['getter', 'portforward', ''],
] as const)('%s may not open %s', async (user, subresource, reason) => {
  const path = `${podPath(cart)}/${subresource}?ports=15000&command=x&container=istio-proxy`
  const {refused} = await stream(sandbox, path, forwardProtocol, [], user)

  expect(refused?.status).toBe(403)
  expect(readStatus(refused?.text ?? '')).toMatchObject({
    reason: 'Forbidden',
    message: `pods "cart-5d8f7c9b6-4kxvq" is forbidden: ${reason}`,
  })
})

test('an older server takes get alone', async () => {
  sandbox.switches.needsCreate = false

  const upgrade = await stream(sandbox, `${podPath(cart)}/portforward?ports=1`, forwardProtocol, [], 'getter')
  sandbox.switches.needsCreate = true

  expect(upgrade.refused).toBeUndefined()
})

test('the admin acts for others, and others may not', async () => {
  const headers = {'impersonate-user': 'nobody'}
  const admin = await ask(sandbox, '/api/v1/pods', {headers})
  const reader = await ask(sandbox, '/api/v1/pods', {headers, user: 'reader'})

  expect(admin.failure().message).toContain('User "nobody" cannot list')
  expect(reader.failure().message).toContain('User "reader" cannot impersonate resource "users"')
})

const review = (attributes: Record<string, string>): string =>
  JSON.stringify({
    kind: 'SelfSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    spec: {resourceAttributes: attributes},
  })

test.each([
  ['reader', 'get', 'shop', true],
  ['reader', 'create', 'shop', true],
  ['getter', 'create', 'shop', false],
  ['partial', 'create', 'shop', true],
  ['partial', 'create', 'bank', false],
] as const)('%s asks whether it may %s pods/portforward in %s: %s', async (user, verb, namespace, allowed) => {
  const body = review({verb, namespace, resource: 'pods', subresource: 'portforward', group: '', version: 'v1'})
  const reply = await ask(sandbox, '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    user,
    body,
    method: 'POST',
    headers: {'content-type': 'application/json'},
  })

  expect(reply.status).toBe(201)
  expect(readReview(reply.text).allowed).toBe(allowed)
})

const field = (number: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of((number << 3) | 2, bytes.length), bytes])
const text = (number: number, value: string): Buffer => field(number, Buffer.from(value))

test('a review as protobuf is read too', async () => {
  // runtime.Unknown { raw: SelfSubjectAccessReview { spec: { resourceAttributes: { namespace, verb, resource } } } }
  const attributes = Buffer.concat([text(1, 'bank'), text(2, 'create'), text(5, 'pods'), text(6, 'portforward')])
  const body = Buffer.concat([Buffer.from('k8s\0'), field(2, field(2, field(1, attributes)))])

  const reply = await ask(sandbox, '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    user: 'partial',
    body,
    method: 'POST',
    headers: {'content-type': 'application/vnd.kubernetes.protobuf'},
  })

  expect(readJson(reply.text)).toMatchObject({
    spec: {resourceAttributes: {namespace: 'bank', verb: 'create', resource: 'pods', subresource: 'portforward'}},
    status: {allowed: false},
  })
})

test.each([
  ['application/json', '{"spec":'],
  ['application/vnd.kubernetes.protobuf', 'k8s\0\x12\x7fcut'],
  ['application/vnd.kubernetes.protobuf', 'no envelope'],
])('a review that cannot be read is refused: %s %j', async (type, body) => {
  const reply = await ask(sandbox, '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    body,
    method: 'POST',
    headers: {'content-type': type},
  })

  expect(reply.status).toBe(400)
})

test('the rules of a namespace hold what is bound there', async () => {
  const body = JSON.stringify({spec: {namespace: 'bank'}})
  const reply = await ask(sandbox, '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
    user: 'partial',
    body,
    method: 'POST',
    headers: {'content-type': 'application/json'},
  })

  expect(readReview(reply.text).resourceRules).toEqual([{verbs: ['get', 'list'], apiGroups: [''], resources: ['pods']}])
})
