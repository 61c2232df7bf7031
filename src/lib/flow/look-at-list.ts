import type {GatheredEvidence} from '../compare/gather.ts'
import {listSecrets} from '../compare/list-secrets.ts'
import type {PodItem, SecretListItem} from '../domain/report.ts'
import type {SecretListRow} from '../domain/row.ts'
import {judgeList} from '../judge/judge-pod.ts'
import {itemOf, itemWithoutAsking, type Looking, readEvidence} from './look.ts'
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
  rowsOf: (evidence: GatheredEvidence) => readonly Row[],
): Promise<PodItem & {readonly rows: readonly Row[]}> {
  const known = itemWithoutAsking(selected)
  if (known !== undefined) return {...known, rows: []}
  const evidence = await readEvidence(selected, signal, looking, false)
  return itemOf(selected, evidence, rowsOf(evidence), judgeList)
}
