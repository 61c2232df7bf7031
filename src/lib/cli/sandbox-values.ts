import {RunError} from '../domain/failure.ts'
import {parseCount, parseDuration, parseShare} from './flags/values.ts'

/** The sandbox's flags, as oclif gives them. */
export interface SandboxFlagTexts {
  readonly pods?: string | undefined
  readonly rotation?: string | undefined
  readonly 'fault-share'?: string | undefined
  readonly seed: string
  readonly fault?: readonly string[] | undefined
  readonly 'token-lifetime': string
  readonly latency: string
}

/** Text to values. Throws RunError (usage). */
export function readSandboxValues(flags: SandboxFlagTexts) {
  const share = flags['fault-share'] === undefined ? undefined : parseShare(flags['fault-share'], 'fault-share')
  if (share !== undefined && 'count' in share) {
    throw new RunError(2, 'bad-flag', 'Bad value for --fault-share: expected a share such as 5%')
  }
  return {
    pods: flags.pods === undefined ? undefined : parseCount(flags.pods, 'pods', 1),
    rotation: flags.rotation,
    faultPercent: share?.percent,
    seed: parseCount(flags.seed, 'seed', 0),
    faults: flags.fault ?? [],
    tokenLifetimeMs: parseDuration(flags['token-lifetime'], 'token-lifetime'),
    latencyMs: parseDuration(flags.latency, 'latency'),
  }
}
