import {type PodRef, podKey} from '../domain/pod.ts'
import type {Selection, Target} from '../domain/selection.ts'
import {stemOf} from './file-argument.ts'
import type {BadFile} from './inspect-file.ts'
import type {NodeFacts} from './node-facts.ts'
import type {SettledFile} from './settle-sources.ts'

/** A pod and the files that speak for it. */
export interface FilePod {
  readonly ref: PodRef
  readonly facts?: NodeFacts
  readonly files: readonly SettledFile[]
  readonly bad: readonly BadFile[]
}

/** Namespace of a pod that no file names, where none was chosen. */
const DEFAULT_NAMESPACE = 'default'

interface Draft {
  readonly ref: PodRef
  facts: NodeFacts | undefined
  readonly files: SettledFile[]
  readonly bad: BadFile[]
}

/**
 * Finds the pod that each file speaks for: the one its content names; else the one TARGET; else, where no two files are
 * of the same source and at most one pod is named, that pod; else the one of its base name up to the first dot. Published
 * roots are a reference and go to all pods, or to those of their namespace where several files have some.
 */
export function assignPods(
  files: readonly SettledFile[],
  bad: readonly BadFile[],
  selection: Selection,
): readonly FilePod[] {
  const drafts = new Map<string, Draft>()
  const draftOf = (ref: PodRef): Draft => {
    const draft = drafts.get(podKey(ref)) ?? {ref, facts: undefined, files: [], bad: []}
    drafts.set(podKey(ref), draft)
    return draft
  }
  const speaking = files.filter(({source}) => source !== 'published-root')
  for (const file of speaking) {
    for (const facts of file.nodes) {
      const draft = draftOf({namespace: facts.identity.namespace, name: facts.identity.pod})
      draft.files.push(file)
      // A bootstrap says more than a node agent's list.
      if (draft.facts?.labels === undefined) draft.facts = facts
    }
  }
  const named = [...drafts.values()].map(({ref}) => ref)
  const only = onlyPod(speaking, bad, named, selection)
  const unnamed = (file: SettledFile | BadFile): Draft =>
    draftOf(only ?? podOfStem(stemOf(file.argument), named, selection))
  for (const file of speaking) if (file.nodes.length === 0) unnamed(file).files.push(file)
  for (const file of bad) unnamed(file).bad.push(file)

  const roots = files.filter(({source}) => source === 'published-root')
  for (const draft of drafts.values()) {
    draft.files.push(...roots.filter(({namespace}) => roots.length === 1 || namespace === draft.ref.namespace))
  }
  return [...drafts.values()].map(({facts, ...draft}) => ({...draft, ...(facts !== undefined && {facts})}))
}

/** The pod of all files that name none; undefined where each goes by its base name. */
function onlyPod(
  files: readonly SettledFile[],
  bad: readonly BadFile[],
  named: readonly PodRef[],
  selection: Selection,
): PodRef | undefined {
  const [target, ...others] = selection.targets
  if (target?.resource === 'pods' && others.length === 0) return resolveTarget(target, named, selection)
  const kinds = files.map(({source, side, isBundle}) => `${source} ${side} ${String(isBundle)}`)
  if (named.length > 1 || new Set(kinds).size < kinds.length) return undefined
  const [first] = [...files, ...bad]
  return named[0] ?? (first === undefined ? undefined : podOfStem(stemOf(first.argument), named, selection))
}

/** The pod that a TARGET means: of that whole name, else split at the last dot into name and namespace. */
export function resolveTarget(target: Target, known: readonly PodRef[], selection: Selection): PodRef {
  const whole = known.filter(({name}) => name === target.name)
  const namespace = target.namespace ?? chosenNamespace(selection)
  const there = whole.find((pod) => pod.namespace === namespace) ?? (namespace === undefined ? whole[0] : undefined)
  if (there !== undefined) return there
  const dot = target.name.lastIndexOf('.')
  if (dot > 0 && target.namespace === undefined) {
    return {name: target.name.slice(0, dot), namespace: target.name.slice(dot + 1)}
  }
  return inNamespace(target.name, namespace)
}

function podOfStem(stem: string, named: readonly PodRef[], selection: Selection): PodRef {
  const same = named.filter(({name}) => name === stem)
  if (same.length === 1 && same[0] !== undefined) return same[0]
  return inNamespace(stem, chosenNamespace(selection))
}

function inNamespace(name: string, namespace: string | undefined): PodRef {
  return namespace === undefined ? {name, namespace: DEFAULT_NAMESPACE, isNamespaceAssumed: true} : {name, namespace}
}

function chosenNamespace({namespaces}: Selection): string | undefined {
  return namespaces === 'all' || namespaces.length !== 1 ? undefined : namespaces[0]
}
