import {uidOf} from './object-values.ts'
import type {ContainerPlan, PodPlan, Spec} from './pod-manifest.ts'

/** What a kubelet says of a pod on its node. */
export function scheduledStatus(
  {identity, phase, containers, initContainers}: PodPlan,
  node: {readonly address: string},
  time: string,
): Spec {
  const {address} = identity
  return {
    conditions: conditionsOf(phase, containers, time),
    containerStatuses: containers.map((container) => containerStatus(container, time)),
    hostIP: node.address,
    hostIPs: [{ip: node.address}],
    ...(initContainers === undefined
      ? {}
      : {initContainerStatuses: initContainers.map((container) => containerStatus(container, time))}),
    phase,
    ...(address === '' ? {} : {podIP: address, podIPs: [{ip: address}]}),
    qosClass: 'Burstable',
    startTime: time,
  }
}

/** No kubelet has seen the pod: nothing is said of its containers. */
export function unscheduledStatus(time: string): Spec {
  const message = '0/3 nodes are available: 3 Insufficient memory. no new claims to deallocate'
  const condition = {lastProbeTime: null, lastTransitionTime: time, message, reason: 'Unschedulable', status: 'False'}
  return {conditions: [{...condition, type: 'PodScheduled'}], phase: 'Pending', qosClass: 'Burstable'}
}

function conditionsOf(phase: PodPlan['phase'], containers: PodPlan['containers'], time: string): readonly unknown[] {
  const isReady = phase === 'Running' && containers.every(({state}) => state !== 'crashing' && state !== 'unready')
  const values = {
    Initialized: phase !== 'Pending',
    Ready: isReady,
    ContainersReady: isReady,
    PodScheduled: true,
  }
  return Object.entries(values).map(([type, holds]) => ({
    lastProbeTime: null,
    lastTransitionTime: time,
    status: holds ? 'True' : 'False',
    type,
    ...(holds ? {} : {reason: phase === 'Succeeded' ? 'PodCompleted' : 'ContainersNotReady'}),
  }))
}

function containerStatus({spec, state}: ContainerPlan, time: string): Spec {
  const states = {
    running: {running: {startedAt: time}},
    completed: {terminated: {exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time}},
    waiting: {waiting: {reason: 'ContainerCreating'}},
    crashing: {waiting: {reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container'}},
    unready: {running: {startedAt: time}},
  }
  const isInit = spec['restartPolicy'] === undefined && spec.name.includes('init')
  return {
    image: spec.image,
    imageID:
      state === 'waiting'
        ? ''
        : `${spec.image.split(':')[0] ?? ''}@sha256:${uidOf(spec.image).replaceAll('-', '').repeat(2)}`,
    lastState: state === 'crashing' ? {terminated: {exitCode: 137, reason: 'OOMKilled', startedAt: time}} : {},
    name: spec.name,
    ready: state === 'running' || (state === 'completed' && isInit),
    restartCount: state === 'crashing' ? 9 : 0,
    started: isRunning(state),
    state: states[state],
  }
}

/** Whether a container runs, ready or not. */
export function isRunning(state: ContainerPlan['state']): boolean {
  return state === 'running' || state === 'unready'
}
