import {expect, test} from '@jest/globals'
import {explainForwardError} from '../../../src/lib/cluster/streams/explain-forward-error.ts'
import {explainRefusal} from '../../../src/lib/cluster/explain-refusal.ts'
import type {FailureCode} from '../../../src/lib/domain/failure.ts'
import {POD, streamFixture} from './fake-kubelet.ts'

const FORWARD = '/api/v1/namespaces/shop/pods/cart-1/portforward?ports=15000'
const EXEC = '/api/v1/namespaces/shop/pods/cart-1/exec?container=istio-proxy&command=cat&stdout=true'

function refusal(status: number, body: string, path = FORWARD, headers: Record<string, string> = {}) {
  return explainRefusal({status, headers, body, path}).failure
}

function forwardError(text: string) {
  return explainForwardError(text, 15000, POD).failure
}

test.each<[file: string, code: FailureCode, says: string]>([
  ['refused.txt', 'port-closed', 'connection refused'],
  ['refused-dual-stack.txt', 'port-closed', 'connection refused'],
  ['lost.txt', 'connection-lost', 'the connection was lost'],
  ['socat.txt', 'node-cannot-forward', 'the node lacks socat'],
  ['eof.txt', 'connection-lost', 'the connection ended before an answer came'],
  ['container.txt', 'container-not-found', 'container not found'],
  ['pod.txt', 'pod-gone', 'the pod is gone'],
  ['notrunning.txt', 'pod-not-running', 'the pod is not running'],
  ['timeout.txt', 'node-unreachable', 'the API server cannot reach the node'],
])('the forwarder says %s: %s', (file, code, says) => {
  const failure = forwardError(streamFixture(`forward-errors/${file}`))

  expect(failure).toMatchObject({code, message: `Cannot reach port 15000 of shop/cart-1: ${says}`})
})

test('a refused port comes with what it may be, and the other loopback address is one of them', () => {
  const {hint} = forwardError(streamFixture('forward-errors/refused-dual-stack.txt'))

  expect(hint).toContain('::1')
  expect(hint).toContain('--proxy-admin-port')
})

test.each<[text: string, code: FailureCode]>([
  ['error forwarding port 15000 to pod x, uid : failed to find sandbox "abc" in store: not found', 'pod-gone'],
  ['error forwarding port 15000 to pod x, uid : sandbox container "abc" is not running', 'pod-not-running'],
  ['failed to execute portforward: dial tcp4 127.0.0.1:15000: i/o timeout', 'timeout'],
  ['dial tcp6: address localhost: no suitable address found', 'port-closed'],
  ['exec: "socat": executable file not found in $PATH', 'node-cannot-forward'],
  ['unable to do port forwarding: nsenter not found', 'node-cannot-forward'],
  ['port forwarding is not supported on this node', 'node-cannot-forward'],
  ['read tcp4 127.0.0.1:1->127.0.0.1:15000: read: connection reset by peer', 'connection-lost'],
  ['', 'connection-lost'],
  ['EOF', 'connection-lost'],
])('a forwarder that says %j means %s', (text, code) => {
  expect(forwardError(text).code).toBe(code)
})

test('no end of a connection is told as a bare EOF', () => {
  expect(forwardError('EOF').message).not.toContain('EOF')
  expect(forwardError(streamFixture('forward-errors/eof.txt')).message).not.toContain('EOF')
})

test('a text that nobody knows is passed on, on one line and not endless', () => {
  const {code, message} = forwardError(`something\n odd ${'x'.repeat(5000)}`)

  expect(code).toBe('connection-lost')
  expect(message).toMatch(/: something odd x+…$/)
  expect(message.length).toBeLessThan(400)
})

test.each<[file: string, status: number, code: FailureCode]>([
  ['container.txt', 500, 'container-not-found'],
  ['pod.txt', 404, 'pod-gone'],
  ['kubelet.txt', 403, 'kubelet-forbidden'],
  ['method.txt', 405, 'pod-not-running'],
  ['notrunning.txt', 400, 'pod-not-running'],
  ['timeout.txt', 500, 'node-unreachable'],
  ['unavailable.txt', 503, 'api-unavailable'],
  ['empty.txt', 400, 'upgrade-failed'],
  ['socat.txt', 500, 'node-cannot-forward'],
])('an upgrade refused with the text of %s and %i is %s', (file, status, code) => {
  expect(refusal(status, streamFixture(`forward-errors/${file}`)).code).toBe(code)
})

test.each<[status: number, code: FailureCode]>([
  [400, 'upgrade-failed'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'pod-gone'],
  [407, 'proxy-in-between'],
  [429, 'throttled'],
  [200, 'upgrade-failed'],
  [302, 'proxy-in-between'],
  [503, 'api-unavailable'],
])('an upgrade refused with %i and nothing else is %s', (status, code) => {
  expect(refusal(status, '').code).toBe(code)
})

test.each([
  ['portforward.json', FORWARD, 'forward ports of pods in shop', 'pods/portforward'],
  ['exec.json', EXEC, 'run a command in pods in shop', 'pods/exec'],
])('what RBAC refuses names the user, both verbs, the resource and the namespace: %s', (file, path, what, resource) => {
  const failure = refusal(403, streamFixture(`refusals/${file}`), path)

  expect(failure).toEqual({
    stage: 'dial',
    code: 'forbidden',
    message: `Cannot ${what}: forbidden for user dev@acme.example, needs get and create on ${resource}`,
    hint: `Ask for get and create on ${resource} in namespace shop; check with: kubectl auth can-i get ${resource} -n shop && kubectl auth can-i create ${resource} -n shop`,
  })
})

test('an RBAC refusal without a reason, as newer servers give it, says the same but for the user', () => {
  const body = JSON.stringify({kind: 'Status', message: 'pods "web" is forbidden: ', reason: 'Forbidden', code: 403})

  const failure = refusal(403, body)

  expect(failure.code).toBe('forbidden')
  expect(failure.message).toBe(
    'Cannot forward ports of pods in shop: forbidden, needs get and create on pods/portforward',
  )
})

test('names in an RBAC refusal are not taken for texts of the kubelet', () => {
  const message = 'pods "no-tunnels" is forbidden: User "no agent available" cannot get resource "pods/exec"'

  expect(refusal(403, JSON.stringify({kind: 'Status', message})).code).toBe('forbidden')
  const gone = JSON.stringify({kind: 'Status', message: 'pods "socat" not found'})
  expect(refusal(404, gone, FORWARD.replace('cart-1', 'socat')).code).toBe('pod-gone')
})

test.each([FORWARD, EXEC])('a pod whose node is gone is still there: %s', (path) => {
  const body = JSON.stringify({kind: 'Status', message: 'pods "node-7" not found', reason: 'NotFound', code: 404})

  const failure = refusal(404, body, path)

  expect(failure.code).toBe('node-unreachable')
  expect(failure.message).toContain('its node node-7 is gone')
})

test('a policy that refuses is not told as RBAC', () => {
  const message = 'admission webhook "validate.kyverno.svc-fail" denied the request: no exec into shop'

  const failure = refusal(403, JSON.stringify({kind: 'Status', message, reason: 'Forbidden'}), EXEC)

  expect(failure.message).toContain(message)
  expect(failure.hint).toContain('validate.kyverno.svc-fail')
})

test('an expired login is no matter of rights', () => {
  const failure = refusal(401, streamFixture('refusals/401.json'))

  expect(failure.code).toBe('unauthorized')
  expect(failure.message).toBe('Cannot forward ports of shop/cart-1: the login has expired or is not accepted')
})

test('a login page in front of the API server is told without its HTML', () => {
  const [, body = ''] = streamFixture('refusals/403_html.txt').split('\n\n')

  const failure = refusal(403, body, FORWARD, {'content-type': 'text/html'})

  expect(failure.code).toBe('proxy-in-between')
  expect(`${failure.message} ${failure.hint}`).not.toMatch(/[<>]/)
})

test('a 403 without a reason may be a gateway or missing rights, and says both', () => {
  const failure = refusal(403, '')

  expect(failure.message).toBe('Cannot forward ports of pods in shop: 403 without a reason')
  expect(failure.hint).toMatch(/get and create on pods\/portforward in namespace shop.*gateway/)
})

test('where nothing is said, the status and the server are', () => {
  expect(refusal(400, '', FORWARD, {server: 'nginx'}).message).toBe(
    'Cannot forward ports of shop/cart-1: refused with 400 without a reason (by nginx)',
  )
})

test.each<[text: string, code: FailureCode]>([
  ['pod cart-1 does not have a host assigned', 'pod-not-running'],
  ['container zzz is not valid for pod cart-1', 'container-not-found'],
  ['a container name must be specified for pod cart-1, choose one of: [app istio-proxy]', 'container-not-found'],
  ['cannot exec into a container in a completed pod; current phase is Failed', 'pod-not-running'],
  ['container is not running', 'container-not-running'],
  ['Upgrade request required', 'upgrade-failed'],
])('a 400 that says %j is %s', (message, code) => {
  expect(refusal(400, JSON.stringify({kind: 'Status', message}), EXEC).code).toBe(code)
})

test.each<[text: string, code: FailureCode, hint: string]>([
  ['error dialing backend: No agent available', 'node-unreachable', 'konnectivity'],
  ['error dialing backend: remote error: tls: internal error', 'node-unreachable', 'csr'],
  ['error dialing backend: dial tcp 192.0.2.12:10250: connect: no route to host', 'node-unreachable', 'kubelet'],
  ['proxy error from 127.0.0.1:9345 while dialing 10.42.1.78:10250, code 502', 'node-unreachable', 'konnectivity'],
  ['etcdserver: request timed out', 'api-unavailable', 'try again'],
])('a 500 that says %j is %s', (message, code, hint) => {
  const failure = refusal(500, JSON.stringify({kind: 'Status', message}))

  expect(failure.code).toBe(code)
  expect(failure.hint).toContain(hint)
})

test('a 429 says how long the server asks to wait', () => {
  expect(refusal(429, '', FORWARD, {'retry-after': '7'}).message).toBe(
    'Cannot forward ports of shop/cart-1: too many requests, asked to wait 7 s',
  )
})

test.each([
  ['/api/v1/pods?limit=500', 'Cannot list pods in the whole cluster: forbidden for user ci', '-n'],
  ['/api/v1/namespaces/stage/pods', 'Cannot list pods in stage: forbidden for user ci', 'can-i list pods -n stage'],
  [
    '/api/v1/namespaces/shop/configmaps/istio-ca-root-cert',
    'Cannot get configmaps/istio-ca-root-cert in shop: forbidden for user ci',
    'can-i get configmaps -n shop',
  ],
  [
    '/apis/certificates.k8s.io/v1beta1/clustertrustbundles/istio',
    'Cannot get clustertrustbundles/istio in the whole cluster: forbidden for user ci',
    'can-i get clustertrustbundles -A',
  ],
  [
    '/apis/cert-manager.io/v1/namespaces/shop/certificates?limit=500',
    'Cannot list certificates in shop: forbidden for user ci',
    'can-i list certificates.cert-manager.io -n shop',
  ],
])('a GET of %s that is forbidden is told by its own verb', (path, message, hint) => {
  const body = JSON.stringify({kind: 'Status', message: 'x is forbidden: User "ci" cannot do it', code: 403})

  const failure = refusal(403, body, path)

  expect(failure.message).toBe(message)
  expect(failure.hint).toContain(hint)
})

test.each(['{"kind": "Status"', '{"kind": "Status", "message": 7}', 'null', '[]', '{}', '\u0000\u0001'])(
  'a body that is no Status breaks nothing: %j',
  (body) => {
    expect(refusal(400, body).code).toBe('upgrade-failed')
  },
)
