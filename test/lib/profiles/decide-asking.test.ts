import {expect, test} from '@jest/globals'
import {builtinProfiles} from '../../../src/lib/profiles/builtin.generated.ts'
import {recognise, type Recognised} from '../../../src/lib/profiles/recognise.ts'
import type {Pod} from '../../../src/lib/domain/pod.ts'
import {meshPod, readPod} from '../../support/mesh-pods.ts'

const NOW_MS = Date.parse('2026-06-01T00:00:00Z')

function look(pod: Pod, nowMs = NOW_MS): Recognised {
  return recognise(pod, builtinProfiles, {}, {nowMs, settleMs: 2000})
}

function outcome({skip, failure, leaving}: Recognised): string {
  return skip?.code ?? failure?.code ?? (leaving ? 'leaving' : 'ask')
}

test.each([
  ['p01-running', 'ask'],
  ['p02-not-ready', 'ask'],
  ['p03-pending', 'pod-not-running'],
  ['p04-creating', 'pod-not-running'],
  ['p05-init', 'pod-not-running'],
  ['p06-terminating', 'leaving'],
  ['p07-app-crashloop', 'ask'],
  ['p08-proxy-crashloop', 'container-not-running'],
  ['p09-evicted', 'evicted'],
  ['p10-node-shutdown', 'finished'],
  ['p11-job-done', 'finished'],
  ['p12-job-app-done-proxy-up', 'ask'],
  ['p13-unknown', 'pod-not-running'],
  ['p14-image', 'ask'],
  ['p15-no-status', 'pod-not-running'],
  ['p16-no-sidecar', 'no-agent'],
  ['p17-gated', 'pod-not-running'],
])('decides of %s: %s', (name, expected) => {
  expect(outcome(look(readPod('pod-phases', name)))).toBe(expected)
})

test('says of a crashing agent why, how often, and where to look', () => {
  const {agent, failure} = look({...readPod('pod-phases', 'p08-proxy-crashloop'), context: 'prod'})

  expect(agent?.kind).toBe('istio-sidecar')
  expect(failure).toEqual({
    stage: 'select',
    code: 'container-not-running',
    message: 'Container istio-proxy of prod/shop/p08-proxy-crashloop is not running: CrashLoopBackOff, 9 restarts',
    hint: 'kubectl --context prod -n shop logs p08-proxy-crashloop -c istio-proxy --previous',
  })
})

test('skips a pod that is pending for less than the settling time, and fails it after', () => {
  const pod = readPod('pod-phases', 'p04-creating')
  const createdMs = Date.parse(pod.createdAt!)

  expect(look(pod, createdMs + 2000).skip).toEqual({
    code: 'pending',
    message: 'shop/p04-creating has just been made: ContainerCreating',
  })
  expect(look(pod, createdMs + 2001).failure?.message).toBe('shop/p04-creating is not running: ContainerCreating')
})

test('skips what has ended with the words of the cluster, in one line', () => {
  const pod = {...readPod('pod-phases', 'p09-evicted'), message: `The node was low\n on memory. ${'x'.repeat(300)}`}

  const {skip} = look(pod)

  expect(skip?.message).toMatch(/^shop\/p09-evicted has ended: Evicted \(The node was low on memory\. x+…\)$/)
  expect(skip!.message.length).toBeLessThan(260)
})

test('skips a pod that goes away once its agent has stopped', () => {
  const state = {phase: 'terminated', exitCode: 0, reason: 'Completed'} as const

  const {skip, leaving} = look(meshPod({state}, {deletedAt: '2026-06-01T00:00:00Z'}))

  expect(skip?.code).toBe('terminating')
  expect(leaving).toBe(true)
})

test('does not ask a running pod of a lost node', () => {
  expect(outcome(look(meshPod({}, {reason: 'NodeLost'})))).toBe('pod-not-running')
})

test('asks a native sidecar while its pod still initialises', () => {
  expect(outcome(look(meshPod({role: 'sidecar'}, {phase: 'Pending'})))).toBe('ask')
})

test('asks a running pod whose status says nothing of the agent', () => {
  expect(outcome(look(readPod('admin-ports', 'a5-contour')))).toBe('ask')
})

test('explains an agent that cannot start on Windows', () => {
  const {failure} = look(readPod('windows', 'iis-2'))

  expect(failure?.message).toBe(
    'Container istio-proxy of shop/iis-2 is not running: ErrImagePull (no matching manifest for windows/amd64)',
  )
  expect(failure?.hint).toBe('The proxy has no image for Windows: leave this workload out of the mesh')
})

test('says of a Windows pod without an agent that there is none for it', () => {
  expect(look(readPod('windows', 'iis-1')).skip).toEqual({
    code: 'no-agent',
    message:
      'shop/iis-1 carries no agent of a known kind: it has only iis; it is a Windows pod, for which there is no proxy',
  })
})
