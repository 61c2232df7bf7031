import type {Observation} from '../domain/observation.ts'
import type {Evidence} from './evidence.ts'
import {isOfAnotherPod} from './gather.ts'
import {ofCaptured} from './of-captured.ts'

/**
 * What is worth a line and no fault, each once: what the answers of a pod say (noise around JSON, a secret that is
 * waited for), and names that were asked for and that no side holds.
 */
export function collectNotes(evidence: Evidence): readonly string[] {
  const {observations, pod, secretNames = []} = evidence
  const foreign = new Set<Observation>(observations.filter((one) => isOfAnotherPod(one, pod)))
  const ours = ofCaptured(
    observations.filter((one) => !foreign.has(one)),
    evidence,
  )
  const own = ours.filter((one) => one.type === 'secrets')
  const held = new Set([
    ...own.flatMap(({items}) => items.map(({name}) => name)),
    ...observations.flatMap((one) => (one.type === 'expiry' ? [one.name] : [])),
  ])
  const absent = secretNames.filter((name) => own.length > 0 && !held.has(name))
  return [...new Set([...own.flatMap(({notes}) => notes), ...absent.map((name) => `no side holds a secret ${name}`)])]
}
