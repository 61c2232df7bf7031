import {parseTarget} from '../cluster/list/targets.ts'
import {RunError} from '../domain/failure.ts'
import type {Selection} from '../domain/selection.ts'
import {parsePattern} from './flags/values.ts'

/** The flags that choose pods, as oclif gives them. */
export interface PodFlagValues {
  readonly namespace?: readonly string[] | undefined
  readonly 'all-namespaces': boolean
  readonly selector?: string | undefined
  readonly 'field-selector'?: string | undefined
  readonly node?: readonly string[] | undefined
  readonly revision?: string | undefined
  readonly kind?: readonly string[] | undefined
  readonly container?: string | undefined
  readonly match?: string | undefined
}

/** Text to values, once. Throws RunError (usage) for what contradicts itself or is no kind of agent. */
export function readSelection(
  flags: PodFlagValues,
  targets: readonly string[],
  knownKinds: readonly string[],
): Selection {
  const namespaces = unique(flags.namespace ?? [])
  if (flags['all-namespaces'] && namespaces.length > 0) throw contradiction('--namespace', '--all-namespaces')
  if (targets.length > 0 && flags['all-namespaces']) throw contradiction('a TARGET', '--all-namespaces')
  if (targets.length > 0 && flags.selector !== undefined) throw contradiction('a TARGET', '--selector')
  if (namespaces.some((name) => name === ''))
    throw new RunError(2, 'bad-flag', 'Bad value for --namespace: it is empty')
  for (const kind of flags.kind ?? []) {
    if (knownKinds.includes(kind)) continue
    throw new RunError(2, 'bad-flag', `Unknown kind of agent: ${kind}`, [`There are ${knownKinds.join(', ')}`])
  }
  return {
    targets: targets.map((text) => parseTarget(text)),
    namespaces: flags['all-namespaces'] ? 'all' : namespaces,
    nodes: unique(flags.node ?? []),
    kinds: unique(flags.kind ?? []),
    ...(flags.selector !== undefined && {labelSelector: flags.selector}),
    ...(flags['field-selector'] !== undefined && {fieldSelector: flags['field-selector']}),
    ...(flags.revision !== undefined && {revision: flags.revision}),
    ...(flags.container !== undefined && {container: flags.container}),
    ...(flags.match !== undefined && {match: parsePattern(flags.match, 'match')}),
  }
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)]
}

function contradiction(one: string, other: string): RunError {
  return new RunError(2, 'bad-flag', `${one} and ${other} cannot be used together`)
}
