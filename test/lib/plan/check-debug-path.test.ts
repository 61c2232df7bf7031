import {expect, test} from '@jest/globals'
import type {Agent} from '../../../src/lib/domain/agent.ts'
import type {Pod} from '../../../src/lib/domain/pod.ts'
import {RunError} from '../../../src/lib/domain/failure.ts'
import {checkDebugPath} from '../../../src/lib/plan/check-debug-path.ts'
import {listDebugPaths} from '../../../src/lib/plan/list-debug-paths.ts'
import {parseDebugPath} from '../../../src/lib/plan/parse-debug-path.ts'
import type {Via} from '../../../src/lib/plan/routes-for.ts'
import {builtinProfiles} from '../../../src/lib/profiles/builtin.generated.ts'
import {recognise} from '../../../src/lib/profiles/recognise.ts'
import {container, meshPod, readPod} from '../../support/mesh-pods.ts'
import {pod} from '../../support/pods.ts'

const SIDECAR = agentOf(meshPod({env: {PROXY_CONFIG: '{"proxyAdminPort":15100}'}}))
const ZTUNNEL = agentOf(meshPod({}, {labels: {app: 'ztunnel'}}))
const GRPC = agentOf(readPod('injected-grpc-agent'))
const ISTIOD = agentOf(pod('istiod-1', {labels: {app: 'istiod'}, containers: [container('discovery')]}))
const CONTOUR = agentOf(readPod('admin-ports', 'a5-contour'))

function agentOf(pod: Pod): Agent {
  return recognise(pod, builtinProfiles, {}, {nowMs: 0, settleMs: 0}).agent!
}

function ask(agent: Agent, text: string, via: Via = 'auto'): string {
  try {
    const {port, path} = parseDebugPath(text)
    const {forms, routes} = checkDebugPath(agent, port, path, {via})
    const [form] = forms
    return form.type === 'http' ? `${form.socket ?? form.port} ${form.paths.join(' ')} by ${routes.join(', ')}` : '?'
  } catch (error) {
    if (error instanceof RunError && error.exit === 2) return error.message
    throw error
  }
}

test.each<[Agent, string, string]>([
  [SIDECAR, '/server_info', '15100 /server_info by port-forward, exec'],
  [SIDECAR, '15100/certs', '15100 /certs by port-forward, exec'],
  [SIDECAR, '/config_dump?mask=bootstrap', '15100 /config_dump?mask=bootstrap by port-forward, exec'],
  [SIDECAR, '/config_dump?include_eds', '15100 /config_dump?include_eds by port-forward, exec'],
  [SIDECAR, '/stats?filter=^http.*$&usedonly', '15100 /stats?filter=%5Ehttp.*$&usedonly by port-forward, exec'],
  [SIDECAR, '/stats?filter=a%7Cb', '15100 /stats?filter=a%7Cb by port-forward, exec'],
  [SIDECAR, '/stats?filter=a|b c', '15100 /stats?filter=a%7Cb%20c by port-forward, exec'],
  [SIDECAR, '15020/metrics', '15020 /metrics by port-forward, pod-proxy, exec'],
  [SIDECAR, '15021/healthz/ready', '15021 /healthz/ready by port-forward, pod-proxy, exec'],
  [ZTUNNEL, '/config_dump', '15000 /config_dump by port-forward'],
  [GRPC, '15020/healthz/ready', '15020 /healthz/ready by port-forward, pod-proxy, exec'],
  [CONTOUR, '/certs', '/admin/admin.sock /certs by exec'],
  [ISTIOD, '15014/debug/syncz?namespace=shop', '15014 /debug/syncz?namespace=shop by port-forward, pod-proxy, exec'],
  [
    ISTIOD,
    '15014/debug/config_dump?proxyID=gw-1.shop&types=sds',
    '15014 /debug/config_dump?proxyID=gw-1.shop&types=sds by port-forward, pod-proxy, exec',
  ],
  [ISTIOD, '15014/debug/endpointShardz', '15014 /debug/endpointShardz by port-forward, pod-proxy, exec'],
  [ISTIOD, '8080/ready', '8080 /ready by port-forward, pod-proxy, exec'],
])('allows %#: %s', (agent, text, asked) => {
  expect(ask(agent, text)).toBe(asked)
})

test.each([
  '/quitquitquit',
  '15020/quitquitquit',
  '15020/drain',
  '/drain_listeners?graceful',
  '/healthcheck/fail',
  '/logging?level=debug',
  '/logging',
  '/reset_counters',
  '/cpuprofiler?enable=y',
  '15020/debug/pprof/heap',
  '15020/app-health/cart/livez',
  '15020/app-lifecycle/cart/prestopz',
  '/stats?clear=true',
  '/config_dump?push=true',
  '/server_info?force_disconnect=x',
  '/server_info/',
  '/server_infoX',
  '/CERTS',
  '//certs',
  '/./certs',
  '/../certs',
  '/stats/../quitquitquit',
  '/%63erts',
  '/certs%2f..%2fquitquitquit',
  '/certs;a=b',
  '/certs\\..\\quitquitquit',
  '/certs#/quitquitquit',
  '/certs\r\nX: y',
  '/certs\u0000',
  '/cérts',
  '/certs x',
  'http://127.0.0.1:15000/certs',
  '//127.0.0.1/certs',
  '127.0.0.1:15000/certs',
  'certs',
  '15100',
  '',
  '0/certs',
  '99999/certs',
  '015100/certs',
  '15000/certs',
  '8080/',
  '/certs?format=json',
  '/stats?%66ilter=x',
  '/stats?=x',
  '/stats?filter=%0d%0aX:y',
  '/stats?filter=%00',
  '/stats?filter=%zz',
  '/stats?filter=%',
  '/stats?filter=a#b',
  '/stats?a&b&filter=x',
])('refuses %j of a sidecar', (text) => {
  const message = ask(SIDECAR, text)

  expect(message).toMatch(/^Cannot ask for /)
  expect(message).toMatch(/^[\x20-\x7e]+$/)
})

test.each<[Agent, string, string]>([
  [ZTUNNEL, '/stats', 'Cannot ask for /stats: it is none of the paths for istio-ztunnel'],
  [
    ZTUNNEL,
    '/config_dump?mask=certificates',
    'Cannot ask for /config_dump?mask=certificates: query key mask does not go with /config_dump',
  ],
  [GRPC, '/certs', 'Cannot ask for /certs: there is no admin interface to ask: a proxyless gRPC agent runs no Envoy'],
  [SIDECAR, '9090/metrics', 'Cannot ask for /metrics: istio-sidecar has no debug port 9090'],
  [
    SIDECAR,
    '15020/quitquitquit',
    'Cannot ask for /quitquitquit: quitquitquit changes, drains, profiles or runs something',
  ],
])('says why it refuses %#', (agent, text, message) => {
  expect(ask(agent, text)).toBe(message)
})

test('says what is allowed', () => {
  expect(hints('/stats')).toEqual(['Allowed: /config_dump'])
  expect(hints('/config_dump?mask=a')).toEqual(['Allowed: no query at all'])
})

function hints(text: string): readonly string[] {
  try {
    checkDebugPath(ZTUNNEL, undefined, text)
  } catch (error) {
    if (error instanceof RunError) return error.hints
    throw error
  }
  return []
}

test('refuses a route that cannot reach the port', () => {
  expect(ask(SIDECAR, '/certs', 'pod-proxy')).toBe('Cannot ask for /certs: --via pod-proxy cannot reach it')
})

test('lists the paths on the ports that a pod has', () => {
  const paths = listDebugPaths(SIDECAR)

  expect(paths.find(({path}) => path === '/server_info')).toEqual({
    port: 15_100,
    isAdmin: true,
    bindsToPod: false,
    path: '/server_info',
    queryKeys: [],
  })
  expect(new Set(paths.map(({port}) => port))).toEqual(new Set([15_100, 15_020, 15_021, 15_090]))
  expect(new Set(listDebugPaths(GRPC).map(({port}) => port))).toEqual(new Set([15_020]))
})

test('lists nothing that a query or a path could change', () => {
  const all = builtinProfiles.flatMap(({debug}) => debug.flatMap(({paths}) => Object.entries(paths).flat(2)))

  expect(all.join(' ')).not.toMatch(
    /quit|drain|fail|logging|reset|profil|pprof|lifecycle|modify|\bpush\b|clear|disconnect/,
  )
})
