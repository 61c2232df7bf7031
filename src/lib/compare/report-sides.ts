import type {Observation} from '../domain/observation.ts'
import type {Side, Source} from '../domain/question.ts'
import {isBesideSecrets, isReference, sideOfSource} from '../domain/source-side.ts'
import type {SideReport, SideState} from '../domain/report.ts'
import {type GatheredEvidence, isOfAnotherPod} from './gather.ts'
import {isBesidePods, isHarmless, sideOfFailure} from './source-scope.ts'

/** How far each side could be read, and who answered for it. */
export function reportSides(evidence: GatheredEvidence): {readonly agent: SideReport; readonly proxy: SideReport} {
  return {agent: reportSide('agent', evidence), proxy: reportSide('proxy', evidence)}
}

function reportSide(side: Side, evidence: GatheredEvidence): SideReport {
  const answers = answersOf(side, evidence)
  return {state: stateOf(side, answers, evidence), answers}
}

function stateOf(side: Side, answers: SideReport['answers'], evidence: GatheredEvidence): SideState {
  const {asked} = evidence
  // A reference for the agent's side is not the agent.
  const isRead =
    answers.some(({source}) => tellsSecrets(source)) ||
    asked.sources.some((one) => tellsSecrets(one.source) && one.side === side)
  const failures = evidence.gathered.failures.filter(
    (failure) => !isHarmless(failure) && !isBesidePods(failure) && (sideOfFailure(failure) ?? side) === side,
  )
  if (failures.length > 0) return answers.some(({source}) => tellsSecrets(source)) ? 'partial' : 'failed'
  if (isRead) return 'read'
  const isLeftOut = asked.excluded?.some((source) => tellsSecrets(source) && sideOfSource(source) === side) === true
  return isLeftOut ? 'not-asked' : 'none'
}

/** How far a side is known is how far its secrets are. */
function tellsSecrets(source: Source): boolean {
  return !isReference(source) && !isBesideSecrets(source)
}

function answersOf(side: Side, {observations, pod}: GatheredEvidence): SideReport['answers'] {
  const answers = new Map<Source, SideReport['answers'][number]>()
  for (const observation of observations) {
    if (isOfAnotherPod(observation, pod) || sideOf(observation) !== side || !('by' in observation)) continue
    const {source, route} = observation.by
    answers.set(source, {source, route})
  }
  return [...answers.values()]
}

/** Of these no side is any better known: where speakers are, what owns the pod, what an agent counts or may do. */
const OF_NO_SIDE: ReadonlySet<Observation['type']> = new Set([
  'unusable',
  'speakers',
  'proxy-unknown',
  'sync-states',
  'daemon-set',
  'counters',
  'role-bindings',
  'cluster-role',
])

function sideOf(observation: Observation): Side | undefined {
  if (OF_NO_SIDE.has(observation.type)) return undefined
  return observation.type === 'secrets' || observation.type === 'readiness' ? observation.side : 'agent'
}
