import {type Finished, run} from '../support/built.ts'
import {agentctlEnv} from './site.ts'

/** One of the two outputs of the build. */
export type Output = readonly [string, ...string[]]

/** A row of `secrets list` or `secrets diff`: what the tests read of it. */
export interface Row {
  readonly resource_name: string
  readonly side?: string
  readonly agent?: string
  readonly proxy?: string
  readonly result?: string
  readonly reason?: string
  readonly confirmed?: boolean
  readonly compared_by?: string
  readonly agent_source?: string
  readonly cert_valid: boolean
  readonly cert_status: string
  readonly serial_number: string
  readonly not_before: string
  readonly not_after: string
  readonly fingerprint_sha256?: string
  readonly spiffe_id?: string
}

/** An item of a document. */
interface Item {
  readonly pod: string
  readonly ready?: boolean
  readonly agentKind: string
  readonly verdict: string
  readonly failures: readonly {
    readonly source?: string
    readonly code: string
    readonly message: string
    readonly hint?: string
  }[]
  readonly findings?: readonly {readonly rule: string; readonly severity: string; readonly message: string}[]
  readonly secrets: readonly Row[]
  readonly skipped?: {readonly code: string}
}

/** A document, and how the process ended that wrote it. */
export interface Answer extends Finished {
  readonly items: readonly Item[]
  /** What `check` says of all pods together. */
  readonly findings: NonNullable<Item['findings']>
  readonly page: {readonly continue?: string; readonly consistent?: boolean}
  readonly generatedAt: string
}

interface Document {
  readonly items: readonly Item[]
  readonly fleet?: {readonly findings?: Item['findings']}
  readonly metadata: {readonly generatedAt: string}
  readonly page: Answer['page']
}

/** Runs a command of agentctl on the mesh, as a process. */
export async function agentctl(output: Output, args: readonly string[], env = agentctlEnv): Promise<Finished> {
  return await run(output, args, env)
}

/** Runs a command with `-o json`, and reads its document. */
export async function ask(output: Output, args: readonly string[], env = agentctlEnv): Promise<Answer> {
  const finished = await agentctl(output, [...args, '-o', 'json'], env)
  if (finished.stdout === '') throw new Error(`agentctl ${args.join(' ')} gave no document: ${finished.stderr}`)
  return answerOf(finished)
}

/** The document that a process wrote with `-o json`. */
export function answerOf(finished: Finished): Answer {
  const {items, page, metadata, fleet} = JSON.parse(finished.stdout) as Document
  return {...finished, items, findings: fleet?.findings ?? [], page, generatedAt: metadata.generatedAt}
}

/** The one row of a secret in the only item of an answer, on one side where both have one. */
export function rowOf({items}: Answer, name: string, side?: string): Row {
  const rows = (items[0]?.secrets ?? []).filter((row) => row.resource_name === name && row.side === side)
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`${rows.length} rows of ${name}: ${JSON.stringify(items)}`)
  return row
}
