import {agentctl, type Output} from './agentctl.ts'

/** What is said of a root that is to come, or to go. */
interface Judged {
  readonly verdict: string
  readonly would_break: readonly {readonly pod: string; readonly reason: string}[]
  readonly not_proven: readonly unknown[]
  readonly proven: number
}

interface Root {
  readonly fingerprint_sha256: string
  readonly not_after: string
  readonly signing: boolean
  readonly trusted_by: number
  readonly verifiers: number
  readonly leaves: number
  readonly published_in: number
}

/** What `secrets roots` says of all pods together, and how it ended. */
export interface RootsAnswer {
  readonly code: number | null
  readonly roots: readonly Root[]
  readonly expect?: Judged
  readonly without?: Judged
  readonly blind: readonly {readonly pod: string}[]
}

/** Runs `secrets roots`, and reads what it says of all pods together. */
export async function askRoots(output: Output, args: readonly string[]): Promise<RootsAnswer> {
  const {stdout, stderr, code} = await agentctl(output, ['secrets', 'roots', ...args, '-o', 'json'])
  if (stdout === '') throw new Error(`secrets roots ${args.join(' ')} gave no document: ${stderr}`)
  return {...(JSON.parse(stdout) as {readonly fleet: Omit<RootsAnswer, 'code'>}).fleet, code}
}

/** Names of the pods that would break. */
export function breaking(judged: Judged | undefined): readonly string[] | undefined {
  return judged?.would_break.map(({pod}) => pod)
}
