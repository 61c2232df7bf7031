import type {Agent, Skip} from '../domain/agent.ts'
import {type Container, type Pod, podKey} from '../domain/pod.ts'
import {isBesideSecrets} from '../domain/source-side.ts'
import {type Asking, type Clock, decideAsking} from './decide-asking.ts'
import {findCertificates, findTrustSource} from './find-certificates.ts'
import {findConflicts} from './find-conflicts.ts'
import {findInvalidOptions} from './find-invalid-options.ts'
import {findAdmin, findStatusPort} from './find-ports.ts'
import {imageVersion} from './image-version.ts'
import {type Match, matchProfile} from './match-profile.ts'
import type {Profile} from './profile-schema.ts'
import {readOrigin, readOrigins} from './read-origin.ts'

/** What the user said in place of what the profiles know. */
export interface Overrides {
  /** Name of the agent's container. */
  readonly container?: string
  /** The admin port of pods that say none themselves. */
  readonly adminPort?: number
}

/** What a profile makes of a pod. With an agent and neither `skip` nor `failure`, it is to be asked. */
export interface Recognised extends Asking {
  /** Absent where no profile knows the pod; then `skip` says so. */
  readonly agent?: Agent
}

const DEFAULT_GRACE_RATIO = 0.5

/** Which agent a pod carries, and whether it can be asked now. */
export function recognise(pod: Pod, profiles: readonly Profile[], overrides: Overrides, clock: Clock): Recognised {
  const match = matchProfile(pod, profiles, overrides.container)
  if (match === undefined) return {skip: noAgent(pod, overrides.container), leaving: pod.deletedAt !== undefined}
  return {agent: describeAgent(pod, match, overrides.adminPort), ...decideAsking(pod, agentContainer(match), clock)}
}

function agentContainer({profile, container}: Match): Container | undefined {
  return profile.captured === true ? undefined : container
}

/** Whether a pod carries an agent at all. */
export function carriesAgent(pod: Pod, profiles: readonly Profile[], overrides: Overrides = {}): boolean {
  return matchProfile(pod, profiles, overrides.container) !== undefined
}

function noAgent(pod: Pod, container: string | undefined): Skip {
  const names = pod.containers.filter(({role}) => role !== 'init').map(({name}) => name)
  const has = names.length === 0 ? 'no containers' : `only ${names.join(', ')}`
  const windows = pod.os === 'windows' ? '; it is a Windows pod, for which there is no proxy' : ''
  const message =
    container === undefined || names.includes(container)
      ? `${podKey(pod)} carries no agent of a known kind: it has ${has}${windows}`
      : `${podKey(pod)} has no container ${container}: it has ${has}`
  return {code: 'no-agent', message}
}

function describeAgent(pod: Pod, {profile, container, because}: Match, flagPort: number | undefined): Agent {
  const warnings = new Set<string>()
  const warn = (text: string): void => void warnings.add(text)
  const admin = findAdmin(pod, container, profile, flagPort, warn)
  const statusPort = findStatusPort(pod, container, profile, warn)
  const status = statusPort === undefined ? {} : {statusPort}
  const graceRatio = findGraceRatio(pod, container, profile, warn)
  const certificates = findCertificates(pod, container, profile, warn)
  const revision = readOrigins(pod, container, profile.revision ?? [], () => undefined)?.value
  const captured = profile.captured === true
  const version = captured ? undefined : imageVersion(container.image)
  for (const conflict of findConflicts(pod, container, {admin, ...status})) warn(conflict)
  return {
    kind: profile.name,
    because,
    container: container.name,
    dialect: profile.dialect,
    admin,
    ...status,
    graceRatio,
    ...certificates,
    trustSource: findTrustSource(pod, container, profile),
    ...(captured && {capturedAs: pod.serviceAccount ?? 'default'}),
    ...(revision !== undefined && {revision}),
    ...(version !== undefined && {version}),
    ...describeMesh(pod, container, profile),
    warnings: [...warnings],
    tellsReady: [...new Set((profile.health ?? []).map(({side}) => side))],
    ...(profile.sources.includes('cluster-rbac') && {hasOwnAccount: true as const}),
    ...(!captured && {invalidOptions: findInvalidOptions(pod, container, profile, {admin, ...status})}),
  }
}

/** What a kind is to its mesh and its node. */
function describeMesh(
  pod: Pod,
  container: Container,
  {elsewhere = [], sources, discovery = [], captured}: Profile,
): Pick<Agent, 'discovery' | 'nodeService' | 'holdsNoSecrets'> {
  const address = readOrigins(pod, container, discovery, () => undefined)?.value
  const isConfigured = elsewhere.some(({source}) => source === 'istiod-syncz')
  const isZtunnel = captured !== true && sources.includes('ztunnel-config-dump')
  const nodeService = isZtunnel ? 'ztunnel' : sources.includes('cni-metrics') ? 'cni' : undefined
  const offered = [...sources, ...elsewhere.map(({source}) => source)]
  return {
    ...(isConfigured && {discovery: {...(address !== undefined && {address})}}),
    ...(nodeService !== undefined && {nodeService}),
    ...(offered.every(isBesideSecrets) && {holdsNoSecrets: true}),
  }
}

function findGraceRatio(pod: Pod, container: Container, profile: Profile, warn: (text: string) => void): number {
  const said = profile.graceRatio === undefined ? undefined : readOrigin(pod, container, profile.graceRatio)
  if (said === undefined || !('value' in said)) return DEFAULT_GRACE_RATIO
  const ratio = Number(said.value)
  if (ratio >= 0 && ratio <= 1) return ratio
  warn(`${said.where} says ${said.value.slice(0, 40)}, which is no share of a lifetime`)
  return DEFAULT_GRACE_RATIO
}
