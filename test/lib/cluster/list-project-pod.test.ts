import {expect, test} from '@jest/globals'
import {z} from 'zod'
import type {Pod} from '../../../src/lib/domain/pod.ts'
import {projectPod} from '../../../src/lib/cluster/list/project-pod.ts'
import {readFixture} from './scripted-server.ts'

const LIST = z.object({
  items: z.array(z.looseObject({status: z.looseObject({phase: z.string().nullish()}).optional()})),
})

const itemsOf = (file: string) => LIST.parse(JSON.parse(readFixture(`list/${file}.json`))).items

const podsOf = (file: string): (Pod | undefined)[] => {
  return itemsOf(file).map((item) => projectPod(item))
}

const named = (file: string, name: string): Pod | undefined => podsOf(file).find((pod) => pod?.name === name)

test('a pod whose status is all nulls is a pod without a phase', () => {
  const pod = named('pod-phases', 'p15-no-status')

  expect(pod).toMatchObject({phase: '', ips: [], conditions: []})
  expect(pod?.containers.map(({name, state, ready}) => [name, state.phase, ready])).toEqual([
    ['cart', 'unknown', false],
    ['istio-proxy', 'unknown', false],
  ])
})

test('every pod of every state is projected', () => {
  const pods = podsOf('pod-phases')

  expect(pods.map((pod) => pod?.phase)).toEqual(itemsOf('pod-phases').map((item) => item.status?.phase ?? ''))
})

test('states, reasons and restarts of containers are kept', () => {
  const crashing = named('pod-phases', 'p08-proxy-crashloop')?.containers.find(({name}) => name === 'istio-proxy')
  const evicted = named('pod-phases', 'p09-evicted')
  const windows = named('windows-pods', 'iis-2')?.containers.find(({name}) => name === 'istio-proxy')

  expect(crashing).toMatchObject({state: {phase: 'waiting', reason: 'CrashLoopBackOff'}, restarts: 9})
  expect(evicted).toMatchObject({phase: 'Failed', reason: 'Evicted'})
  expect(windows?.state).toEqual({
    phase: 'waiting',
    reason: 'ErrImagePull',
    message: 'no matching manifest for windows/amd64',
  })
})

test('the system and the addresses of a pod are kept in their order', () => {
  const windows = named('windows-pods', 'iis-1')
  const dual = podsOf('dual-stack').map((pod) => pod?.ips)
  const host = podsOf('host-network').map((pod) => pod?.hostNetwork)

  expect(windows?.os).toBe('windows')
  expect(dual).toContainEqual(['fd00:20:3::14'])
  expect(dual.some((ips) => ips !== undefined && ips.length === 2 && ips[0]?.includes(':'))).toBe(true)
  expect(host).toContain(true)
})

test('init containers come first, and one that always restarts is a sidecar', () => {
  const pod = projectPod({
    metadata: {name: 'cart-1', namespace: 'shop'},
    spec: {
      containers: [{name: 'cart', env: null, ports: [null, {containerPort: '80'}]}],
      initContainers: [{name: 'setup'}, {name: 'istio-proxy', restartPolicy: 'Always', args: ['proxy', 7]}],
    },
    status: {
      initContainerStatuses: [
        {name: 'setup', state: {terminated: {exitCode: 0, reason: 'Completed'}}},
        {name: 'istio-proxy', ready: true, state: {running: {}}},
      ],
    },
  })

  expect(pod?.containers.map(({name, role, state, ready, args}) => ({name, role, state, ready, args}))).toEqual([
    {
      name: 'setup',
      role: 'init',
      state: {phase: 'terminated', reason: 'Completed', exitCode: 0},
      ready: false,
      args: [],
    },
    {name: 'istio-proxy', role: 'sidecar', state: {phase: 'running'}, ready: true, args: ['proxy']},
    {name: 'cart', role: 'container', state: {phase: 'unknown'}, ready: false, args: []},
  ])
})

test('of variables of one name the last wins, also where its value comes from elsewhere', () => {
  const env = [
    {name: 'A', value: '1'},
    {name: 'A', value: '2'},
    {name: 'B', value: 'x'},
    {name: 'B', valueFrom: {fieldRef: {}}},
    {name: 'C'},
    {name: '__proto__', value: 'y'},
  ]

  const pod = projectPod({metadata: {name: 'a'}, spec: {containers: [{name: 'c', env}]}})

  expect(Object.entries(pod?.containers[0]?.env ?? {})).toEqual([
    ['A', '2'],
    ['C', ''],
    ['__proto__', 'y'],
  ])
})

test("volumes are known by kind, and kubectl's copy of the manifest is let go", () => {
  const pod = projectPod({
    metadata: {name: 'a', annotations: {keep: 'me', 'kubectl.kubernetes.io/last-applied-configuration': '{}'}},
    spec: {volumes: [{name: 'certs', emptyDir: {}}, {name: 'token', projected: {}}, {name: 'bare'}, null]},
  })

  expect(pod?.volumes).toEqual({certs: 'emptyDir', token: 'projected', bare: 'emptyDir'})
  expect(pod?.annotations).toEqual({keep: 'me'})
})

test.each([null, undefined, 7, [], {}, {metadata: null}, {metadata: {name: ''}}])('%j is no pod', (value) => {
  const pod = projectPod(value)

  expect(pod).toBeUndefined()
})
