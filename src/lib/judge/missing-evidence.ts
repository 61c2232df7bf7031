import type {Failure} from '../domain/failure.ts'
import {isCompared, rowSeverity} from '../domain/rank.ts'
import type {Side, Source} from '../domain/question.ts'
import type {SecretDiffRow} from '../domain/row.ts'
import {isBesideSecrets, sideOfSource} from '../domain/source-side.ts'
import type {NotEvaluated, PodSeen} from './rule.ts'

/** Why the secrets of one side are not known, or not all of them; undefined where they are. */
function missingSide(side: Side, {sides, failures}: PodSeen): NotEvaluated | undefined {
  const {state} = sides[side]
  const nothing = failures.find((one) => one.code === 'empty-answer' && one.side === side)
  if (state === 'read') return nothing && asNotEvaluated(nothing)
  if (state === 'none') return {cause: 'scope', reason: `nobody tells what its ${side} holds`}
  if (state === 'not-asked') return {cause: 'scope', reason: `its ${side} was not asked`}
  const failure = failures.find(
    (one) => !isBesideSecrets(one.source) && (one.side ?? (one.source && sideOfSource(one.source)) ?? side) === side,
  )
  return failure === undefined ? undefined : asNotEvaluated(failure)
}

/** Why no certificates are known that the pod has in use. */
export function missingCertificates(seen: PodSeen): NotEvaluated | undefined {
  // An agent without a proxy is all there is.
  if (seen.sides.proxy.state === 'none' && seen.sides.agent.state !== 'none') return missingSide('agent', seen)
  return missingSide('proxy', seen)
}

/** Why the two sides were not held against each other for some of the rows that a rule is about. */
export function missingComparison(seen: PodSeen, isAbout: (row: SecretDiffRow) => boolean): NotEvaluated | undefined {
  const rows = seen.rows.filter(isAbout)
  const lost = missingSide('proxy', seen)
  if (lost !== undefined) return lost
  const open = rows.find((row) => !isCompared(row) && rowSeverity(row) === 'unknown')
  if (open !== undefined) return missingSide('agent', seen) ?? {cause: 'failed', reason: open.reason}
  if (rows.some(isCompared)) return undefined
  const [first] = rows
  return {
    cause: 'scope',
    reason: first === undefined || first.reason === '' ? 'there is nothing to compare' : first.reason,
  }
}

/**
 * Why a source says nothing: what it failed with, or what keeps the pod as a whole from being asked. Undefined where it
 * was not asked.
 */
export function missingSource(source: Source, {failures}: Pick<PodSeen, 'failures'>): NotEvaluated | undefined {
  const failure = failures.find((one) => one.source === source) ?? failures.find((one) => one.source === undefined)
  // That there is no such thing is no failure.
  if (failure?.code === 'not-found') return {cause: 'scope', reason: failure.message}
  return failure && asNotEvaluated(failure)
}

/** A failure as the reason why a rule says nothing. */
export function asNotEvaluated({code, message}: Failure): NotEvaluated {
  return {cause: code === 'forbidden' ? 'forbidden' : 'failed', reason: message}
}
