import type {Pod, PodRef} from '../../domain/pod.ts'
import type {KubeSession} from '../connect/session.ts'
import {listOf} from '../narrow.ts'
import {getObject} from './get-object.ts'
import {escapeFieldValue, pagePath} from './pod-query.ts'
import {projectPod} from './project-pod.ts'

const MAX_BYTES = 8 * 1024 * 1024

/**
 * A pod as it is now; undefined where it has gone, or another one has taken its name. Asks for a list of one, so that
 * whoever may list pods need not be allowed to get them. Throws ProbeError where there is no answer.
 */
export async function readPod(
  session: KubeSession,
  {context, namespace, name, uid}: PodRef & {readonly uid: string},
  signal: AbortSignal,
): Promise<Pod | undefined> {
  const path = pagePath({namespace, fieldSelector: `metadata.name=${escapeFieldValue(name)}`}, 1, undefined)
  const {object, refusal} = await getObject(session, path, MAX_BYTES, signal)
  if (refusal !== undefined) throw refusal
  const pod = projectPod(listOf(object['items'])[0], context)
  return pod?.uid === uid ? pod : undefined
}
