import {expect, test} from '@jest/globals'
import {readyText, statusText} from '../../../src/lib/domain/pod-status.ts'
import {container, meshPod, readPod} from '../../support/mesh-pods.ts'

test.each([
  ['p01-running', '2/2', 'Running'],
  ['p02-not-ready', '0/2', 'Running (not ready)'],
  ['p03-pending', '0/2', 'Pending (Unschedulable)'],
  ['p04-creating', '0/2', 'ContainerCreating'],
  ['p05-init', '0/2', 'Init:0/1'],
  ['p06-terminating', '2/2', 'Terminating'],
  ['p07-app-crashloop', '1/2', 'CrashLoopBackOff (cart)'],
  ['p08-proxy-crashloop', '1/2', 'CrashLoopBackOff (istio-proxy, 9 restarts)'],
  ['p09-evicted', '0/2', 'Evicted'],
  ['p10-node-shutdown', '0/2', 'Terminated (node shutdown)'],
  ['p11-job-done', '0/2', 'Completed'],
  ['p12-job-app-done-proxy-up', '1/2', 'Running (not ready; app completed)'],
  ['p13-unknown', '0/2', 'Unknown (NodeLost)'],
  ['p14-image', '1/2', 'ImagePullBackOff'],
  ['p15-no-status', '0/2', 'Unknown'],
  ['p16-no-sidecar', '1/1', 'Running'],
])('says of %s that it is %s and %s', (name, ready, status) => {
  const pod = readPod('pod-phases', name)

  expect(readyText(pod)).toBe(ready)
  expect(statusText(pod, 'istio-proxy')).toBe(status)
})

test('says that a pod with a gate is kept from being scheduled, by its spec or its condition', () => {
  const bySpec = {...readPod('pod-phases', 'p17-gated'), schedulingGates: ['acme.example/quota']}
  const gated = {type: 'PodScheduled', status: 'False', reason: 'SchedulingGated'}
  const byCondition = meshPod({}, {phase: 'Pending', conditions: [gated]})

  expect(statusText(bySpec)).toBe('SchedulingGated')
  expect(statusText(byCondition)).toBe('SchedulingGated')
})

test('counts a native sidecar as a container that keeps running', () => {
  const pod = meshPod(
    {},
    {containers: [container('istio-proxy', {role: 'sidecar'}), container('init', {role: 'init'})]},
  )

  expect(readyText(pod)).toBe('1/1')
})

test('counts a native sidecar that runs as done with initialising', () => {
  const pod = meshPod(
    {},
    {
      phase: 'Pending',
      containers: [
        container('istio-validation', {role: 'init', state: {phase: 'terminated', exitCode: 0, reason: 'Completed'}}),
        container('istio-proxy', {role: 'sidecar'}),
        container('migrate', {role: 'init', state: {phase: 'waiting', reason: 'CrashLoopBackOff'}}),
      ],
    },
  )

  expect(statusText(pod)).toBe('Init:CrashLoopBackOff')
})

test('says with which exit code an init container without a reason has ended', () => {
  const state = {phase: 'terminated', exitCode: 3} as const
  const pod = meshPod({}, {phase: 'Pending', containers: [container('migrate', {role: 'init', state})]})

  expect(statusText(pod)).toBe('Init:ExitCode:3')
})

test('says why a job has failed', () => {
  const state = {phase: 'terminated', exitCode: 137, reason: 'OOMKilled'} as const
  const pod = meshPod({}, {phase: 'Failed', containers: [container('cart', {state})]})

  expect(statusText(pod)).toBe('OOMKilled')
})
