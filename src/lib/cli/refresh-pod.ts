import {ProbeError} from '../domain/failure.ts'
import type {Selected} from '../flow/select-pods.ts'
import type {OpenPods} from './opened-pods.ts'

/** The pod as it is now, undefined where it has gone; as it was where that cannot be told: the look itself says what is wrong then. */
export async function refreshPod(
  selected: Selected,
  signal: AbortSignal,
  pods: OpenPods,
): Promise<Selected | undefined> {
  try {
    const pod = await pods.readPod(selected.pod, signal)
    return pod && {pod, ...pods.recognise(pod)}
  } catch (error) {
    if (error instanceof ProbeError) return selected
    throw error
  }
}
