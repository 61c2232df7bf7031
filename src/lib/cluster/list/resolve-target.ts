import type {ProbeError} from '../../domain/failure.ts'
import {matchesLabels} from '../../domain/label-selector.ts'
import type {Pod} from '../../domain/pod.ts'
import type {Target} from '../../domain/selection.ts'
import {getObject} from './get-object.ts'
import {readLabelSelector, writeLabelSelector} from './label-selector.ts'
import {atSelect} from './list-failure.ts'
import {fieldsOf, textOf} from '../narrow.ts'
import {ownedBy} from './owned-by.ts'
import {escapeFieldValue, type PodQuery} from './pod-query.ts'
import type {KubeSession} from '../connect/session.ts'

/** A TARGET that was found: the list of its pods, and how to know one of them without asking again. */
export interface FoundTarget {
  readonly target: Target
  readonly query: PodQuery & {readonly namespace: string}
  readonly belongs: (pod: Pod) => boolean
}

const GROUPS: Readonly<Record<string, string>> = {
  pods: 'api/v1',
  services: 'api/v1',
  replicationcontrollers: 'api/v1',
  jobs: 'apis/batch/v1',
  cronjobs: 'apis/batch/v1',
}

/** An object with its status of a hundred pods is far smaller. */
const MAX_OBJECT_BYTES = 8 * 1024 * 1024

/**
 * Finds what a TARGET means in a namespace: the name is looked up whole, and only if that is absent split at its
 * last dot into name and namespace, as istioctl writes it. An owner that may not be read is known by its pods' own
 * ownerReferences. `undefined` where there is no such object. Throws ProbeError where that cannot be found out.
 */
export async function resolveTarget(
  session: KubeSession,
  target: Target,
  namespace: string,
  signal: AbortSignal,
): Promise<FoundTarget | undefined> {
  const found = await lookUp(session, target, target.namespace ?? namespace, signal)
  if (found !== 'absent' && found !== 'forbidden') return found
  const dot = target.name.lastIndexOf('.')
  if (target.namespace === undefined && dot > 0) {
    const split = {...target, name: target.name.slice(0, dot), namespace: target.name.slice(dot + 1)}
    const elsewhere = await lookUp(session, split, split.namespace, signal)
    if (elsewhere === 'forbidden') return byOwnerReferences(split, split.namespace)
    if (elsewhere !== 'absent') return elsewhere
  }
  return found === 'forbidden' ? byOwnerReferences(target, target.namespace ?? namespace) : undefined
}

async function lookUp(
  session: KubeSession,
  target: Target,
  namespace: string,
  signal: AbortSignal,
): Promise<FoundTarget | 'absent' | 'forbidden'> {
  const {resource, name} = target
  const group = GROUPS[resource] ?? 'apis/apps/v1'
  const path = `/${group}/namespaces/${encodeURIComponent(namespace)}/${resource}/${encodeURIComponent(name)}`
  const {status, object, refusal} = await getObject(session, path, MAX_OBJECT_BYTES, signal)
  if (status === 404) return 'absent'
  if (status === 403 && refusal?.failure.code === 'forbidden') return 'forbidden'
  if (refusal !== undefined) throw atSelect(refusal.failure)
  if (resource === 'pods') return onePod(target, namespace, object)
  if (resource === 'cronjobs') return byOwnerReferences(target, namespace)
  const requirements = readLabelSelector(fieldsOf(object['spec'])['selector'])
  if (requirements === undefined) throw withoutSelector(target, namespace, object)
  return {
    target,
    query: {namespace, labelSelector: writeLabelSelector(requirements)},
    belongs: (pod) => pod.namespace === namespace && matchesLabels(pod.labels, requirements),
  }
}

function onePod(target: Target, namespace: string, object?: unknown): FoundTarget {
  return {
    target,
    query: {
      namespace,
      fieldSelector: `metadata.name=${escapeFieldValue(target.name)}`,
      ...(object === undefined ? {} : {object}),
    },
    belongs: (pod) => pod.namespace === namespace && pod.name === target.name,
  }
}

function byOwnerReferences(target: Target, namespace: string): FoundTarget {
  // Whoever may list pods but not get one still finds the pod, by its name.
  if (target.resource === 'pods') return onePod(target, namespace)
  const owned = ownedBy(target.resource, target.name)
  if (owned === undefined) {
    const message = `Cannot find the pods of ${target.text} in ${namespace}: forbidden`
    const hint = `Ask for the right: kubectl auth can-i get ${target.resource} -n ${namespace}; or choose its pods with -l`
    throw atSelect({code: 'forbidden', message, hint})
  }
  return {target, query: {namespace, admits: owned}, belongs: (pod) => pod.namespace === namespace && owned(pod)}
}

function withoutSelector(target: Target, namespace: string, object: Readonly<Record<string, unknown>>): ProbeError {
  const type = textOf(fieldsOf(object['spec'])['type'])
  const why = type === 'ExternalName' ? 'it points outside the cluster' : 'it selects no pods'
  const message = `Cannot find the pods of ${target.text} in ${namespace}: ${why}`
  return atSelect({code: 'not-found', message})
}
