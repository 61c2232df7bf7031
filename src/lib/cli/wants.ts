import {RunError} from '../domain/failure.ts'
import {type Side, type Source, SOURCE_NAMES} from '../domain/question.ts'
import type {Purpose, Wants} from '../plan/plan.ts'
import {parseChoice} from './flags/values.ts'

/** The flags that say how pods are asked, as oclif gives them. */
export interface AskFlagValues {
  readonly via: string
  readonly source?: readonly string[] | undefined
  readonly 'no-source'?: readonly string[] | undefined
  readonly sds?: boolean
}

export const VIAS = ['auto', 'port-forward', 'exec', 'pod-proxy'] as const

/** What is wanted of each pod. Throws RunError (usage) for a source that there is not, or only with a flag of its own. */
export function readWants(
  flags: AskFlagValues,
  want: {readonly sides: readonly Side[]; readonly purpose: Purpose; readonly istioNamespace: string},
): Wants & {readonly via: (typeof VIAS)[number]} {
  const named = flags.source?.map((text): Source => parseChoice(text, 'source', SOURCE_NAMES))
  const exclude = (flags['no-source'] ?? []).map((text): Source => parseChoice(text, 'no-source', SOURCE_NAMES))
  const {sds = false} = flags
  if (!sds && named?.includes('agent-sds') === true) {
    throw new RunError(2, 'bad-flag', 'Source agent-sds needs --sds: the agent puts its private key on the wire', [
      'secrets diff and secrets list take it, with one TARGET: secrets diff POD -n NAMESPACE --sds',
    ])
  }
  if (sds && exclude.includes('agent-sds')) {
    throw new RunError(2, 'bad-flag', '--sds and --no-source agent-sds cannot be used together')
  }
  return {
    ...want,
    exclude,
    sds,
    via: parseChoice(flags.via, 'via', VIAS),
    ...(named !== undefined && named.length > 0 && {sources: named}),
  }
}
