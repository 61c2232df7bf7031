import type {Observation} from '../domain/observation.ts'
import {type GatheredEvidence, isOfAnotherPod} from './gather.ts'
import {ofCaptured} from './of-captured.ts'

/**
 * What is worth a line and no fault, each once: what the answers of a pod say (noise around JSON, a secret that is
 * waited for), where the published roots are from, what sources say of a secret beside its comparison, and names that
 * were asked for and that no side holds.
 */
export function collectNotes(evidence: GatheredEvidence): readonly string[] {
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
  const published = ours.flatMap((one) =>
    one.type === 'published-roots' && one.from !== undefined ? [`the published roots are those of ${one.from}`] : [],
  )
  const absent = secretNames.filter((name) => own.length > 0 && !held.has(name))
  const remarks = [...evidence.gathered.remarks]
    .filter(([name]) => evidence.secretNames?.includes(name) ?? true)
    .flatMap(([name, notes]) => notes.map((note) => `${name}: ${note}`))
  const answers = own.flatMap(({notes}) => notes)
  return [...new Set([...answers, ...published, ...remarks, ...absent.map((name) => `no side holds a secret ${name}`)])]
}
