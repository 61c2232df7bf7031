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
  readonly 'kubernetes-secrets'?: boolean
  readonly secret?: readonly string[] | undefined
}

export const VIAS = ['auto', 'port-forward', 'exec', 'pod-proxy'] as const

/** What is wanted of each pod. Throws RunError (usage) for a source that there is not, or only with a flag of its own. */
export function readWants(
  flags: AskFlagValues,
  want: {readonly sides: readonly Side[]; readonly purpose: Purpose; readonly istioNamespace: string},
): Wants & {readonly via: (typeof VIAS)[number]} {
  const named = flags.source?.map((text): Source => parseChoice(text, 'source', SOURCE_NAMES))
  const exclude = (flags['no-source'] ?? []).map((text): Source => parseChoice(text, 'no-source', SOURCE_NAMES))
  for (const optIn of OPT_INS) checkOptIn(optIn, flags[optIn.flag] === true, named, exclude)
  return {
    ...want,
    exclude,
    sds: flags.sds === true,
    kubernetesSecrets: flags['kubernetes-secrets'] === true,
    ...(flags.secret !== undefined && {secretNames: flags.secret}),
    via: parseChoice(flags.via, 'via', VIAS),
    ...(named !== undefined && named.length > 0 && {sources: named}),
  }
}

/** A source that only its own flag makes asked, and what that flag lets happen. */
interface OptIn {
  readonly source: Source
  readonly flag: 'sds' | 'kubernetes-secrets'
  readonly why: string
  readonly hint: string
}

const OPT_INS: readonly OptIn[] = [
  {
    source: 'agent-sds',
    flag: 'sds',
    why: 'the agent puts its private key on the wire',
    hint: 'secrets diff and secrets list take it, with one TARGET: secrets diff POD -n NAMESPACE --sds',
  },
  {
    source: 'kubernetes-secret',
    flag: 'kubernetes-secrets',
    why: 'the API server sends private keys along',
    hint: 'secrets diff, secrets list and secrets show take it; it needs the right to get secrets',
  },
]

/** Throws RunError (usage) for a source that is named without its flag, or left out with it. */
function checkOptIn(
  {source, flag, why, hint}: OptIn,
  isGiven: boolean,
  named: readonly Source[] | undefined,
  exclude: readonly Source[],
): void {
  if (!isGiven && named?.includes(source) === true) {
    throw new RunError(2, 'bad-flag', `Source ${source} needs --${flag}: ${why}`, [hint])
  }
  if (isGiven && exclude.includes(source)) {
    throw new RunError(2, 'bad-flag', `--${flag} and --no-source ${source} cannot be used together`)
  }
}
