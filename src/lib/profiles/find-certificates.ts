import {posix} from 'node:path'
import type {Agent} from '../domain/agent.ts'
import type {Container, Pod} from '../domain/pod.ts'
import {holdAll, holds} from './match-profile.ts'
import {own} from './parse-json.ts'
import type {Profile, VolumeMountCondition} from './profile-schema.ts'
import {readOrigin} from './read-origin.ts'

/** Where the agent's certificate files are, if it has any. Never the key's file. */
export function findCertificates(
  pod: Pod,
  container: Container,
  {certificates = []}: Profile,
  warn: (text: string) => void,
): Pick<Agent, 'certificateDir' | 'certificateFiles'> {
  for (const {directory, chain, roots} of certificates) {
    const path = findDirectory(pod, container, directory, warn)
    if (path !== undefined) return {certificateDir: path, certificateFiles: {chain, roots}}
  }
  return {}
}

type Directory = NonNullable<Profile['certificates']>[number]['directory']

function findDirectory(
  pod: Pod,
  container: Container,
  directory: Directory,
  warn: (text: string) => void,
): string | undefined {
  if ('path' in directory) return holdAll(directory.env, container.env) ? directory.path : undefined
  if ('mount' in directory) {
    const volume = findVolume(pod, container, directory.mount)
    const isMeant = volume !== undefined && (directory.volume === undefined || holds(directory.volume, volume))
    return isMeant ? directory.mount.path : undefined
  }
  const said = readOrigin(pod, container, directory)
  if (said === undefined) return undefined
  // `$(NAME)` is what is left where Kubernetes could not put a value in.
  if ('problem' in said || /[\p{Cc}]|\$\(/u.test(said.value)) {
    warn(`${said.where} is no directory that can be read`)
    return undefined
  }
  // pilot-agent runs in `/`, so that is what its relative paths start from.
  return posix.resolve('/', said.value)
}

/** Who hands out this agent's certificates and roots. */
export function findTrustSource(pod: Pod, container: Container, {trust}: Profile): string {
  const other = (trust.others ?? []).find(
    ({env = {}, mount, address}) =>
      holdAll(env, container.env) &&
      (mount === undefined || findVolume(pod, container, mount) !== undefined) &&
      (address === undefined || isElsewhere(pod, container, address)),
  )
  return other?.name ?? trust.default
}

type Address = NonNullable<NonNullable<Profile['trust']['others']>[number]['address']>

function isElsewhere(pod: Pod, container: Container, {env, hosts, sameAs}: Address): boolean {
  const address = withoutScheme(own(container.env, env) ?? '')
  if (address === '' || hosts.some((host) => address.startsWith(host))) return false
  const same = sameAs === undefined ? undefined : readOrigin(pod, container, sameAs)
  return same === undefined || !('value' in same) || withoutScheme(same.value) !== address
}

function withoutScheme(address: string): string {
  return address.trim().replace(/^[a-z]+:\/\//, '')
}

/** Name of the volume that the container mounts at that path, if it is of one of those kinds. */
export function findVolume(pod: Pod, container: Container, {path, volumes}: VolumeMountCondition): string | undefined {
  const mount = container.mounts.find((one) => posix.resolve('/', one.path) === path)
  const kind = mount === undefined ? undefined : own(pod.volumes, mount.name)
  return kind !== undefined && volumes.includes(kind) ? mount?.name : undefined
}
