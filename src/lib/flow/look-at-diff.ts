import {collectNotes} from '../compare/collect-notes.ts'
import {compareSecrets} from '../compare/compare-secrets.ts'
import {confirm, needsSecondReading} from '../compare/confirm.ts'
import {explainDifferences} from '../compare/explain-differences.ts'
import type {Evidence} from '../compare/evidence.ts'
import {findFailures, findGaps} from '../compare/find-gaps.ts'
import {reportSides} from '../compare/report-sides.ts'
import type {SecretDiffItem} from '../domain/report.ts'
import type {SecretDiffRow} from '../domain/row.ts'
import {judgeDiff} from '../judge/judge-pod.ts'
import {pause} from './deadline.ts'
import {evidenceOf, itemWithoutAsking, type Looking, skipAfterAsking} from './look.ts'
import type {Selected} from './select-pods.ts'

export interface DiffLooking extends Looking {
  /** Wait before the second reading, ms. */
  readonly settleMs: number
  /** `--detail` */
  readonly detail: boolean
}

interface Compared {
  /** Of the last reading. */
  readonly evidence: Evidence
  readonly rows: readonly SecretDiffRow[]
}

/** The item of `secrets diff`: both sides compared, and what differs read once more. */
export async function lookAtDiff(
  selected: Selected,
  signal: AbortSignal,
  looking: DiffLooking,
): Promise<SecretDiffItem> {
  const known = itemWithoutAsking(selected)
  if (known !== undefined) return {...known, rows: [], ...(looking.detail && {differences: []})}
  const {evidence, rows} = await compareConfirmed(selected, signal, looking)
  const skip = skipAfterAsking(selected, evidence, rows)
  const judgement = judgeDiff({
    rows,
    gaps: findGaps(evidence),
    observations: evidence.observations,
    ...(skip !== undefined && {skip}),
  })
  return {
    pod: selected.pod,
    agent: evidence.agent,
    ...judgement,
    ...(skip !== undefined && {skipped: skip}),
    sides: reportSides(evidence),
    failures: skip === undefined ? findFailures(evidence) : [],
    notes: skip === undefined ? collectNotes(evidence) : [],
    rows: skip === undefined ? rows : [],
    ...(looking.detail && {differences: skip === undefined ? explainDifferences(rows) : []}),
  }
}

async function compareConfirmed(selected: Selected, signal: AbortSignal, looking: DiffLooking): Promise<Compared> {
  const first = await compareOnce(selected, signal, looking, false)
  if (!needsSecondReading(first.rows)) return first
  await pause(looking.settleMs, signal)
  const second = await compareOnce(selected, signal, looking, true)
  return {evidence: second.evidence, rows: confirm(first.rows, second.rows, findFailures(second.evidence))}
}

async function compareOnce(
  selected: Selected,
  signal: AbortSignal,
  looking: DiffLooking,
  isAgain: boolean,
): Promise<Compared> {
  if (selected.agent === undefined) throw new Error(`${selected.pod.name} was asked without an agent`)
  const evidence = evidenceOf(selected, await looking.read(selected.pod, selected.agent, signal, isAgain), looking)
  return {evidence, rows: compareSecrets(evidence)}
}
