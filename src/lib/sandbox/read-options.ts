import {RunError} from '../domain/failure.ts'
import {parseFault} from './parse-fault.ts'
import type {SandboxOptions} from './start-sandbox.ts'

/** Most pods that a sandbox makes. */
const MAX_PODS = 10_000

/** The sandbox's own flags, as text; times are already ms. */
export interface SandboxFlagValues {
  readonly pods?: number | undefined
  /** 0 to 100. */
  readonly faultPercent?: number | undefined
  readonly seed: number
  readonly faults: readonly string[]
  readonly tokenLifetimeMs: number
  readonly latencyMs: number
}

/** Flags to options. Throws RunError (usage). */
export function readSandboxOptions(values: SandboxFlagValues): SandboxOptions {
  const {pods, faultPercent, seed, faults, tokenLifetimeMs, latencyMs} = values
  if (pods !== undefined && pods > MAX_PODS) {
    throw new RunError(2, 'bad-flag', `Bad value for --pods: at most ${MAX_PODS}, got ${pods}`)
  }
  const parsed = faults.map((text) => parseFault(text))
  return {
    scenario: pods === undefined ? 'demo' : 'fleet',
    seed,
    faults: Object.fromEntries(parsed.map(({pod, fault}) => [pod, fault])),
    tokenLifetimeMs,
    latencyMs,
    ...(pods !== undefined && {pods}),
    ...(faultPercent !== undefined && {faultShare: faultPercent / 100}),
  }
}
