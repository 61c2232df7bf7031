import type {Evidence} from './evidence.ts'
import {isOfAnotherPod} from './gather.ts'

/** What the answers of a pod say that is worth a line and no fault, each once: noise around JSON, a secret that is waited for. */
export function collectNotes({observations, pod}: Evidence): readonly string[] {
  const own = observations.filter((one) => one.type === 'secrets').filter((one) => !isOfAnotherPod(one, pod))
  return [...new Set(own.flatMap(({notes}) => notes))]
}
