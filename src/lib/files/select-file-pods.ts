import type {Notice} from '../domain/access.ts'
import {RunError} from '../domain/failure.ts'
import {type LabelRequirement, matchesLabels, parseLabelSelector} from '../domain/label-selector.ts'
import {podKey} from '../domain/pod.ts'
import type {Selection, Target} from '../domain/selection.ts'
import {type FilePod, resolveTarget} from './assign-pods.ts'

/** Throws RunError (usage) for what can be chosen in a cluster only: no file says it. */
export function refuseClusterSelection({fieldSelector, container}: Selection): void {
  const flag = fieldSelector !== undefined ? '--field-selector' : container !== undefined ? '--container' : undefined
  if (flag === undefined) return
  throw new RunError(2, 'bad-flag', `${flag} and --file cannot be used together: files do not say it of their pods`, [
    'Choose pods of files with a TARGET, -n, -l or --match',
  ])
}

/** What is selected, in list order; and the targets that no file speaks for. */
export interface SelectedPods {
  readonly pods: readonly FilePod[]
  readonly missing: readonly Target[]
}

/**
 * Selects among the pods of files: by TARGET (an owner too, where a dump names its workload), `-n`, `-l` and `--node`.
 * Labels and nodes stand in whole dumps only; a pod of which they are not known is kept, and a notice says so.
 */
export function selectFilePods(pods: readonly FilePod[], selection: Selection, notice: Notice): SelectedPods {
  const refs = pods.map(({ref}) => ref)
  const chosen = selection.targets.map((target) => ({target, pods: pods.filter(podsOf(target, refs, selection))}))
  const isTarget = new Set(chosen.flatMap((one) => one.pods))
  const labels = selection.labelSelector === undefined ? undefined : readLabels(selection.labelSelector)
  const selected = pods.filter((pod) => {
    if (selection.targets.length > 0) return isTarget.has(pod)
    const {namespaces, nodes} = selection
    if (namespaces !== 'all' && namespaces.length > 0 && !namespaces.includes(pod.ref.namespace)) return false
    const hasLabels = (own: Readonly<Record<string, string>>) => labels === undefined || matchesLabels(own, labels)
    if (labels !== undefined && !known(pod.facts?.labels, '-l', 'labels', pod, notice, hasLabels)) return false
    return (
      nodes.length === 0 || known(pod.facts?.nodeName, '--node', 'node', pod, notice, (node) => nodes.includes(node))
    )
  })
  const keyed = selected.map((pod) => ({pod, key: podKey(pod.ref)}))
  // The order of the API server's own list: by key, byte for byte.
  keyed.sort((one, other) => (one.key < other.key ? -1 : 1))
  return {
    pods: keyed.map(({pod}) => pod),
    missing: chosen.filter((one) => one.pods.length === 0).map(({target}) => target),
  }
}

function readLabels(text: string): readonly LabelRequirement[] {
  const selector = parseLabelSelector(text)
  if ('requirements' in selector) return selector.requirements
  throw new RunError(
    2,
    'bad-flag',
    `Bad value for --selector: expected a label selector, got ${JSON.stringify(text)}`,
    ['It is written key=value, key!=value, key in (a,b), key notin (a,b), key or !key, joined by commas'],
  )
}

function podsOf(target: Target, refs: readonly FilePod['ref'][], selection: Selection): (pod: FilePod) => boolean {
  if (target.resource === 'pods') {
    const key = podKey(resolveTarget(target, refs, selection))
    return ({ref}) => podKey(ref) === key
  }
  const dot = target.name.lastIndexOf('.')
  const {namespaces} = selection
  return ({ref, facts}) => {
    if (facts?.owner === `${target.resource}/${target.name}`) {
      return namespaces === 'all' || namespaces.length === 0 || namespaces.includes(ref.namespace)
    }
    if (dot < 1 || facts?.owner !== `${target.resource}/${target.name.slice(0, dot)}`) return false
    return ref.namespace === target.name.slice(dot + 1)
  }
}

function known<T>(
  value: T | undefined,
  flag: string,
  what: string,
  {ref}: FilePod,
  notice: Notice,
  test: (value: T) => boolean,
): boolean {
  if (value !== undefined) return test(value)
  notice(`${flag} does not choose among files that do not say the ${what} of their pod`, ref)
  return true
}
