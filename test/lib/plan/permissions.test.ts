import {expect, test} from '@jest/globals'
import {permissions} from '../../../src/lib/plan/permissions.ts'
import type {Wants} from '../../../src/lib/plan/plan.ts'
import {builtinProfiles} from '../../../src/lib/profiles/builtin.generated.ts'
import {BOTH} from '../../support/wants.ts'

function rights(wants: Partial<Wants>, kinds?: readonly string[]): readonly string[] {
  const profiles = builtinProfiles.filter(({name}) => kinds?.includes(name) ?? true)
  return permissions({...BOTH, ...wants}, profiles).map(({verb, resource, subresource, isAlwaysNeeded}) => {
    const name = subresource === undefined ? resource : `${resource}/${subresource}`
    return `${verb} ${name}${isAlwaysNeeded ? '' : ' (sometimes)'}`
  })
}

const PODS = ['get pods', 'list pods']
const FORWARD = ['get pods/portforward', 'create pods/portforward']
const ROOTS = ['get configmaps', 'get clustertrustbundles (sometimes)']
const CERTIFICATES = 'list certificates (sometimes)'
const EXEC = ['get pods/exec', 'create pods/exec']

test.each<[string, Partial<Wants>, readonly string[] | undefined, readonly string[]]>([
  [
    'both sides by any route',
    {},
    undefined,
    [...PODS, ...FORWARD, ...ROOTS, CERTIFICATES, ...EXEC, 'get pods/proxy (sometimes)'],
  ],
  [
    'both sides by forward alone',
    {via: 'port-forward'},
    ['istio-sidecar'],
    [...PODS, ...FORWARD, ...ROOTS, CERTIFICATES],
  ],
  [
    'the Secrets of gateways beside the rest',
    {via: 'port-forward', purpose: 'list', kubernetesSecrets: true},
    ['istio-gateway'],
    [...PODS, ...FORWARD, CERTIFICATES, 'get secrets'],
  ],
  ['a ztunnel', {purpose: 'list'}, ['istio-ztunnel'], [...PODS, ...FORWARD]],
  [
    'mesh roots of a sidecar',
    {purpose: 'mesh-roots', via: 'port-forward'},
    ['istio-sidecar'],
    [...PODS, ...FORWARD, ...ROOTS],
  ],
  [
    'an istio-cni',
    {purpose: 'check', via: 'port-forward'},
    ['istio-cni'],
    [
      ...PODS,
      ...FORWARD,
      'get daemonsets (sometimes)',
      'get clusterroles (sometimes)',
      'list clusterrolebindings (sometimes)',
    ],
  ],
  ['a socket', {}, ['contour-envoy'], [...PODS, ...EXEC]],
  [
    'a socket of an agent beside the rest',
    {sds: true, purpose: 'list'},
    ['istio-sidecar'],
    [...PODS, ...FORWARD, ...EXEC, CERTIFICATES, 'get pods/proxy (sometimes)'],
  ],
  ['files by name', {sides: ['agent'], sources: ['agent-files']}, ['istio-sidecar'], [...PODS, ...EXEC]],
  [
    'metrics by the pod proxy',
    {sides: ['agent'], purpose: 'list', via: 'pod-proxy'},
    ['istio-sidecar'],
    [...PODS, CERTIFICATES, 'get pods/proxy'],
  ],
  [
    'published roots alone',
    {sides: ['agent'], sources: ['published-root'], purpose: 'list'},
    ['istio-sidecar'],
    [...PODS, ...ROOTS],
  ],
  [
    'a debug port of the agent',
    {debug: {port: 15_020, path: '/metrics'}, via: 'pod-proxy'},
    ['istio-sidecar'],
    [...PODS, 'get pods/proxy'],
  ],
])('needs for %s', (_what, wants, kinds, expected) => {
  expect(new Set(rights(wants, kinds))).toEqual(new Set(expected))
})

test('asks for no more of exec than some pods need where a forward does', () => {
  expect(rights({sides: ['proxy']}, ['istio-sidecar'])).toEqual([
    ...PODS,
    ...FORWARD,
    ...EXEC.map((right) => `${right} (sometimes)`),
  ])
})

test('names both verbs of a stream, what each right is for, and what it opens', () => {
  const all = permissions({...BOTH, via: 'port-forward'}, builtinProfiles)

  expect(all.filter(({subresource}) => subresource === 'portforward').map(({verb}) => verb)).toEqual(['get', 'create'])
  expect(all.find(({subresource}) => subresource === 'portforward')).toMatchObject({
    why: 'ztunnel-config-dump, envoy-config-dump, agent-metrics, envoy-certs, node-agent-debug, istiod-config-dump',
    opens: 'reaches every port of the pod, loopback included, with any request',
  })
})

test('names the group of what is not in the core one, and the one bundle that is read', () => {
  const all = permissions(BOTH)

  expect(all.find(({resource}) => resource === 'certificates')).toMatchObject({group: 'cert-manager.io', verb: 'list'})
  expect(all.find(({resource}) => resource === 'clustertrustbundles')).toMatchObject({
    group: 'certificates.k8s.io',
    resourceName: 'istio.io:istiod-ca:root-cert',
  })
})

test('reads one ConfigMap by name, and no Secret', () => {
  const all = permissions({...BOTH, sources: ['published-root', 'agent-files', 'envoy-certs', 'envoy-config-dump']})

  expect(all.find(({resource}) => resource === 'configmaps')?.resourceName).toBe('istio-ca-root-cert')
  expect(all.filter(({resource}) => resource === 'secrets')).toEqual([])
})
