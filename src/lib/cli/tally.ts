import {standing} from '../domain/finding.ts'
import {type FleetReport, hasAnswer, type PodItem, type ReportEvent} from '../domain/report.ts'
import {EXIT_CODES} from './exit-codes.ts'

/** What of a run decides how it ends. */
export interface Tally {
  readonly pods: number
  readonly skipped: number
  readonly failing: number
  readonly warning: number
  /** Pods of which something that was asked for is missing, those of which nothing is known among them. */
  readonly incomplete: number
  /** Pods of which nobody answered. */
  readonly unseen: number
  readonly stopped?: string
}

export const EMPTY_TALLY: Tally = {pods: 0, skipped: 0, failing: 0, warning: 0, incomplete: 0, unseen: 0}

/** Adds one event. */
export function count(tally: Tally, event: ReportEvent): Tally {
  if (event.type === 'item') return countItem(tally, event.item)
  if (event.type === 'stopped') return {...tally, stopped: event.code}
  if (event.type === 'page') return tally
  return {
    ...tally,
    incomplete: Math.max(tally.incomplete, notProven(event), Number(event.check?.incomplete === true)),
    failing: tally.failing + standing(event.findings).filter(({severity}) => severity === 'fail').length,
    warning: tally.warning + standing(event.findings).filter(({severity}) => severity === 'warn').length,
  }
}

/** Pods that were not read are among them, and counted already. An answer of no pod at all lacks one. */
function notProven({roots}: FleetReport): number {
  const open = (roots?.answers ?? []).filter(({verdict}) => verdict === 'unknown')
  return Math.max(0, ...open.map((answer) => Math.max(1, answer.notProven.length)))
}

function countItem(tally: Tally, item: PodItem): Tally {
  const {verdict, incomplete, sides} = item
  return {
    ...tally,
    pods: tally.pods + 1,
    skipped: tally.skipped + Number(verdict === 'skipped'),
    failing: tally.failing + Number(verdict === 'fail'),
    warning: tally.warning + Number(verdict === 'warn'),
    unseen: tally.unseen + Number(verdict === 'unknown' && !hasAnswer(sides)),
    incomplete: tally.incomplete + Number(incomplete || verdict === 'unknown'),
  }
}

/** The flags that change an exit code. */
export interface ExitPolicy {
  readonly failOn: 'fail' | 'warn'
  readonly exitZero: boolean
  readonly allowIncomplete: boolean
  /** Nothing selected, or all skipped, is no failure. */
  readonly allowEmpty: boolean
  /** Pods that may be incomplete. */
  readonly maxUnknown: {readonly count: number} | {readonly percent: number} | undefined
}

/** The exit code of a run that had an answer. */
export function exitCodeOf(tally: Tally, policy: ExitPolicy): number {
  if (tally.stopped === 'interrupted') return EXIT_CODES.interrupted.code
  const isBad = tally.failing > 0 || (policy.failOn === 'warn' && tally.warning > 0)
  if (isBad) return policy.exitZero ? EXIT_CODES.ok.code : EXIT_CODES.findings.code
  const looked = tally.pods - tally.skipped
  if (tally.stopped !== undefined) return tally.unseen === looked ? EXIT_CODES.nothing.code : incomplete(policy)
  if (looked === 0) return policy.allowEmpty ? EXIT_CODES.ok.code : EXIT_CODES.nothing.code
  if (tally.unseen === looked) return EXIT_CODES.nothing.code
  return isTolerated(tally, looked, policy) ? EXIT_CODES.ok.code : incomplete(policy)
}

function incomplete(policy: ExitPolicy): number {
  return policy.exitZero || policy.allowIncomplete ? EXIT_CODES.ok.code : EXIT_CODES.incomplete.code
}

function isTolerated(tally: Tally, looked: number, {maxUnknown}: ExitPolicy): boolean {
  if (tally.incomplete === 0) return true
  if (maxUnknown === undefined) return false
  const allowed = 'count' in maxUnknown ? maxUnknown.count : (maxUnknown.percent / 100) * looked
  return tally.incomplete <= allowed
}
