import {RunError} from '../domain/failure.ts'
import {parseFault} from './parse-fault.ts'
import {type RotationStage, rotationStages} from './scenario/rotation-scenario.ts'
import type {SandboxOptions} from './start-sandbox.ts'

/** Most pods that a sandbox makes. */
const MAX_PODS = 10_000

/** The sandbox's own flags, as text; times are already ms. */
export interface SandboxFlagValues {
  readonly pods?: number | undefined
  readonly rotation?: string | undefined
  /** 0 to 100. */
  readonly faultPercent?: number | undefined
  readonly seed: number
  readonly faults: readonly string[]
  readonly tokenLifetimeMs: number
  readonly latencyMs: number
}

/** Flags to options. Throws RunError (usage). */
export function readSandboxOptions(values: SandboxFlagValues): SandboxOptions {
  const {pods, rotation, faultPercent, seed, faults, tokenLifetimeMs, latencyMs} = values
  if (pods !== undefined && pods > MAX_PODS) {
    throw new RunError(2, 'bad-flag', `Bad value for --pods: at most ${MAX_PODS}, got ${pods}`)
  }
  const stage = rotation === undefined ? undefined : readStage(rotation)
  if (pods !== undefined && stage !== undefined) {
    throw new RunError(2, 'bad-flag', '--pods and --rotation cannot be used together: they are two scenarios')
  }
  const parsed = faults.map((text) => parseFault(text))
  return {
    scenario: pods !== undefined ? 'fleet' : stage !== undefined ? 'rotation' : 'demo',
    seed,
    faults: Object.fromEntries(parsed.map(({pod, fault}) => [pod, fault])),
    tokenLifetimeMs,
    latencyMs,
    ...(stage !== undefined && {stage}),
    ...(pods !== undefined && {pods}),
    ...(faultPercent !== undefined && {faultShare: faultPercent / 100}),
  }
}

function readStage(text: string): RotationStage {
  const stage = rotationStages.find((one) => one === text)
  if (stage !== undefined) return stage
  throw new RunError(2, 'bad-flag', `Bad value for --rotation: expected ${rotationStages.join(', ')}, got ${text}`)
}
