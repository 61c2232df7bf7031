import {podKey} from '../domain/pod.ts'
import type {Failure} from '../domain/failure.ts'
import type {GatheredEvidence} from './gather.ts'
import {isUsable} from './held.ts'
import {canSpeakFor, isBesidePods, isHarmless, isOfSecondPlace, sideOfFailure} from './source-scope.ts'
import {ROOT_SECRET} from '../domain/secret.ts'

/**
 * All failures of a pod, for its item: of questions, of parts of answers, of answers that are another pod's, and that
 * nothing at all was held where something had to be.
 */
export function findFailures(evidence: GatheredEvidence): readonly Failure[] {
  const none = noSecrets(evidence)
  return [
    ...evidence.gathered.failures.filter((failure) => !isHarmless(failure)),
    ...(none === undefined ? [] : [none]),
  ]
}

/** The failures that no other source makes up for: a part of the answer is missing by them. */
export function findGaps(evidence: GatheredEvidence): readonly Failure[] {
  return findFailures(evidence).filter((failure) => !isMadeUpFor(failure, evidence))
}

function isMadeUpFor(failure: Failure, {agent, gathered}: GatheredEvidence): boolean {
  const {agent: ours, proxy: theirs, failures} = gathered
  const {source} = failure
  const side = sideOfFailure(failure)
  if (source === undefined || side === undefined) return false
  if (isBesidePods(failure)) return true
  if (side === 'proxy') return theirs.complete[0] !== undefined && theirs.complete[0] !== source
  if (source === 'published-root') {
    const isWanted = theirs.complete.length === 0 || theirs.held.some(({item}) => item.name === ROOT_SECRET)
    if (!isWanted || agent.trustSource !== 'istiod') return true
    if (isOfSecondPlace(failure, failures)) return true
  }
  // Who serves a gateway knows what it serves.
  if (isOfGateways(source) && ours.complete.includes('istiod-config-dump')) return true
  // Of several istiods the one that knows the proxy speaks for all.
  if (source === 'istiod-config-dump' && ours.complete.includes(source)) return true
  return ours.held.some((one) => one.by.source !== source && canSpeakFor(source, one.item.name) && isUsable(one))
}

function isOfGateways(source: Failure['source']): boolean {
  return source === 'cert-manager' || source === 'kubernetes-secret'
}

/** A proxy that answers and holds nothing is not well for that; where it is known what it should hold, the rows say it. */
function noSecrets({pod, agent, gathered}: GatheredEvidence): Failure | undefined {
  const {agent: ours, proxy, expected, failures} = gathered
  const isNothing = proxy.answeredBy !== undefined && proxy.held.length === 0 && ours.held.length === 0
  if (!isNothing || failures.length > 0 || expected !== undefined) return undefined
  const isZtunnel = agent.dialect === 'ztunnel'
  return {
    side: 'proxy',
    source: proxy.answeredBy,
    stage: 'decode',
    code: 'empty-answer',
    message: `The proxy of ${podKey(pod)} answers and holds ${isZtunnel ? 'no certificates yet' : 'no secrets'}`,
    hint: isZtunnel
      ? 'Look at its log for refused certificate requests: kubectl logs -n istio-system ds/ztunnel'
      : 'Look whether it reaches its agent or control plane, and whether the answer is of the whole dump',
  }
}
