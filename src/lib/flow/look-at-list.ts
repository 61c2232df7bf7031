import type {Evidence} from '../compare/evidence.ts'
import {collectNotes} from '../compare/collect-notes.ts'
import {findFailures, findGaps} from '../compare/find-gaps.ts'
import {listSecrets} from '../compare/list-secrets.ts'
import {reportSides} from '../compare/report-sides.ts'
import type {PodItem, SecretListItem} from '../domain/report.ts'
import type {SecretListRow} from '../domain/row.ts'
import {judgeList} from '../judge/judge-pod.ts'
import {evidenceOf, itemWithoutAsking, type Looking, skipAfterAsking} from './look.ts'
import type {Selected} from './select-pods.ts'

/** The item of `secrets list`: what each side holds, nothing against the other. */
export async function lookAtList(selected: Selected, signal: AbortSignal, looking: Looking): Promise<SecretListItem> {
  return await lookAtHeld(selected, signal, looking, listSecrets)
}

/** One reading of a pod, told by what `rowsOf` makes of it, each row judged by itself. */
export async function lookAtHeld<Row extends SecretListRow>(
  selected: Selected,
  signal: AbortSignal,
  looking: Looking,
  rowsOf: (evidence: Evidence) => readonly Row[],
): Promise<PodItem & {readonly rows: readonly Row[]}> {
  const known = itemWithoutAsking(selected)
  if (known !== undefined) return {...known, rows: []}
  const {pod, agent} = selected
  if (agent === undefined) throw new Error(`${pod.name} was asked without an agent`)
  const evidence = evidenceOf(selected, await looking.read(pod, agent, signal, false), looking)
  const rows = rowsOf(evidence)
  const skip = skipAfterAsking(selected, evidence, rows)
  const judgement = judgeList({
    rows,
    gaps: findGaps(evidence),
    observations: evidence.observations,
    ...(skip !== undefined && {skip}),
  })
  return {
    pod,
    agent,
    ...judgement,
    ...(skip !== undefined && {skipped: skip}),
    sides: reportSides(evidence),
    failures: skip === undefined ? findFailures(evidence) : [],
    notes: skip === undefined ? collectNotes(evidence) : [],
    rows: skip === undefined ? rows : [],
  }
}
