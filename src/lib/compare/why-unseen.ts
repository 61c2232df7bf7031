import {BY_DESIGN} from '../domain/rank.ts'
import type {Side} from '../domain/question.ts'
import type {Evidence} from './evidence.ts'
import type {Gathered} from './gather.ts'
import {sideOfSource} from '../domain/source-side.ts'
import {canSpeakFor, isHarmless, isOfSecondPlace, sideOfFailure} from './source-scope.ts'

/** Why nothing is known of this secret on this side: the failure, what the user left out, or that no source exists. */
export function whyUnseen(side: Side, name: string, {asked}: Evidence, {failures}: Gathered): string {
  const failure = failures.find(
    (one) =>
      !isHarmless(one) &&
      !isOfSecondPlace(one, failures) &&
      (sideOfFailure(one) ?? side) === side &&
      (one.source === undefined || canSpeakFor(one.source, name)),
  )
  if (failure !== undefined) return failure.message
  const isLeftOut =
    asked.excluded?.some((source) => sideOfSource(source) === side && canSpeakFor(source, name)) === true
  return isLeftOut ? BY_DESIGN.notAsked : BY_DESIGN.noSource
}
