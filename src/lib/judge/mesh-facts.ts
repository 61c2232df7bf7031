import type {MeshFacts} from '../domain/mesh-facts.ts'
import {findConnection} from './find-connection.ts'
import {missingSource} from './missing-evidence.ts'
import {nodeServiceOf} from './node-service.ts'
import type {PodSeen} from './rule.ts'

/** What a pod says of its node and its mesh; of what is wrong only that which the reading before (`earlier`) said too. */
export function findMeshFacts(seen: PodSeen, earlier?: MeshFacts): MeshFacts {
  const {observations, agent} = seen
  const service = nodeServiceOf(seen)
  const before = earlier?.service?.troubles.map(({code}) => code)
  const daemonSet = observations.find((one) => one.type === 'daemon-set')
  const noDaemonSet = daemonSet === undefined ? missingSource('daemon-set', seen) : undefined
  const controlPlanes = observations.flatMap((one) =>
    one.type === 'sync-states' && one.version !== undefined ? [one.version] : [],
  )
  const connection = findConnection(seen)
  const isConnected = typeof connection === 'object' && 'sync' in connection
  const version = (isConnected ? connection.sync.version : undefined) ?? agent.version
  const controlPlane = isConnected ? connection.at.version : undefined
  return {
    ...(service !== undefined && {
      service: {...service, troubles: service.troubles.filter(({code}) => before?.includes(code) ?? true)},
    }),
    ...(daemonSet !== undefined && {daemonSet}),
    ...(noDaemonSet !== undefined && agent.nodeService !== undefined && {noDaemonSet}),
    ...(connection !== undefined &&
      version !== undefined && {version: {agent: version, ...(controlPlane !== undefined && {controlPlane})}}),
    controlPlanes,
  }
}

/** Whether what a pod says of its node may pass within moments. */
export function isUnsettled({service, daemonSet}: MeshFacts): boolean {
  const isLacking = daemonSet !== undefined && daemonSet.ready < daemonSet.desired
  return isLacking || (service?.troubles.length ?? 0) > 0
}
