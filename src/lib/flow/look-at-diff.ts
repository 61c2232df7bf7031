import {compareSecrets} from '../compare/compare-secrets.ts'
import {confirm, needsSecondReading} from '../compare/confirm.ts'
import {explainDifferences} from '../compare/explain-differences.ts'
import type {GatheredEvidence} from '../compare/gather.ts'
import {findFailures} from '../compare/find-gaps.ts'
import type {SecretDiffItem} from '../domain/report.ts'
import type {SecretDiffRow} from '../domain/row.ts'
import {judgeDiff} from '../judge/judge-pod.ts'
import {pause} from './deadline.ts'
import {itemOf, itemWithoutAsking, type Looking, readEvidence} from './look.ts'
import type {Selected} from './select-pods.ts'

export interface DiffLooking extends Looking {
  /** Wait before the second reading, ms. */
  readonly settleMs: number
  /** `--detail` */
  readonly detail: boolean
}

interface Compared {
  /** Of the last reading. */
  readonly evidence: GatheredEvidence
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
  const item = itemOf(selected, evidence, rows, judgeDiff)
  return {...item, ...(looking.detail && {differences: explainDifferences(item.rows)})}
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
  const evidence = await readEvidence(selected, signal, looking, isAgain)
  return {evidence, rows: compareSecrets(evidence)}
}
