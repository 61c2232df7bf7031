import {NODE_IP} from '../cluster/pki.ts'
import type {ContainerSpec, PodObject} from './pod-object.ts'

/** What a kubelet says of a pod whose containers all run and are ready. */
export function runningStatus({metadata, spec}: PodObject, address: string): object {
  const now = new Date().toISOString()
  const conditions = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled']
  return {
    phase: 'Running',
    startTime: now,
    hostIP: NODE_IP,
    hostIPs: [{ip: NODE_IP}],
    podIP: address,
    podIPs: [{ip: address}],
    qosClass: 'Burstable',
    conditions: conditions.map((type) => ({type, status: 'True', lastTransitionTime: now})),
    containerStatuses: spec.containers.map((container) => running(container, metadata.uid, now)),
    initContainerStatuses: (spec.initContainers ?? []).map((container) =>
      container.restartPolicy === 'Always'
        ? running(container, metadata.uid, now)
        : ended(container, metadata.uid, now),
    ),
  }
}

function running(container: ContainerSpec, pod: string, startedAt: string): object {
  return {...statusOf(container, pod), started: true, state: {running: {startedAt}}}
}

function ended(container: ContainerSpec, pod: string, time: string): object {
  const terminated = {exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time}
  return {...statusOf(container, pod), started: false, state: {terminated}}
}

function statusOf({name, image}: ContainerSpec, pod: string): object {
  return {name, image, imageID: image, containerID: `emulated://${pod}-${name}`, ready: true, restartCount: 0}
}
