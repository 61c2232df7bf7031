import {posix} from 'node:path'
import type {AdminEndpoint} from '../domain/agent.ts'
import type {Container, Pod} from '../domain/pod.ts'
import type {Origin, Profile} from './profile-schema.ts'
import {readOrigin} from './read-origin.ts'

/**
 * Where the proxy's admin interface is: what the pod itself says, else `flagPort`, else the kind's default. Port 0 is
 * off: Envoy then takes a port that nobody knows.
 */
export function findAdmin(
  pod: Pod,
  container: Container,
  {admin}: Profile,
  flagPort: number | undefined,
  warn: (text: string) => void,
): AdminEndpoint {
  if ('off' in admin) return {type: 'off', reason: admin.off}
  if ('socket' in admin) {
    const {volume, directory, file} = admin.socket
    const mount = container.mounts.find(({name}) => name === volume)
    return {type: 'socket', path: posix.join(mount?.path ?? directory, file)}
  }
  const said = findPort(pod, container, admin.from ?? [], warn)
  if (said?.port === 0) return {type: 'off', reason: `${said.where} is 0`}
  return {type: 'port', port: said?.port ?? flagPort ?? admin.port}
}

/** The agent's own port; `undefined` where its kind has none, or the pod says 0. */
export function findStatusPort(
  pod: Pod,
  container: Container,
  {status}: Profile,
  warn: (text: string) => void,
): number | undefined {
  if (status === undefined) return undefined
  const port = findPort(pod, container, status.from ?? [], warn)?.port ?? status.port
  return port === 0 ? undefined : port
}

function findPort(
  pod: Pod,
  container: Container,
  origins: readonly Origin[],
  warn: (text: string) => void,
): {readonly port: number; readonly where: string} | undefined {
  for (const origin of origins) {
    const said = readOrigin(pod, container, origin)
    if (said === undefined) continue
    const {where} = said
    if ('problem' in said) {
      warn(`${where} ${said.problem}`)
      continue
    }
    const port = /^\d{1,5}$/.test(said.value) ? Number(said.value) : Number.NaN
    if (port <= 65_535) return {port, where}
    warn(`${where} says ${said.value.slice(0, 40)}, which is no port`)
  }
  return undefined
}
