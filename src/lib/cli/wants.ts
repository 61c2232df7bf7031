import type {Side, Source} from '../domain/question.ts'
import type {Wants} from '../plan/plan.ts'
import {SOURCE_NAMES} from '../plan/sources.ts'
import {parseChoice} from './flags/values.ts'

/** The flags that say how pods are asked, as oclif gives them. */
export interface AskFlagValues {
  readonly via: string
  readonly source?: readonly string[] | undefined
  readonly 'no-source'?: readonly string[] | undefined
}

export const VIAS = ['auto', 'port-forward', 'exec', 'pod-proxy'] as const

/** What is wanted of each pod. Throws RunError (usage) for a source that there is not. */
export function readWants(
  flags: AskFlagValues,
  want: {readonly sides: readonly Side[]; readonly roots: boolean; readonly istioNamespace: string},
): Wants & {readonly via: (typeof VIAS)[number]} {
  const named = flags.source?.map((text): Source => parseChoice(text, 'source', SOURCE_NAMES))
  return {
    ...want,
    exclude: (flags['no-source'] ?? []).map((text): Source => parseChoice(text, 'no-source', SOURCE_NAMES)),
    via: parseChoice(flags.via, 'via', VIAS),
    ...(named !== undefined && named.length > 0 && {sources: named}),
  }
}
