import {podKey} from '../../domain/pod.ts'
import type {PodItem, ReportEvent} from '../../domain/report.ts'
import {summarise} from '../summary.ts'
import type {View} from '../view.ts'
import {SameFindings} from './same-findings.ts'

/** A whole run, as formats tell it that fold: the same finding once, and so many pods by name. */
export interface GatheredReport {
  readonly found: SameFindings
  /** Pods of which something is missing, and what. */
  readonly unseen: readonly {readonly pod: string; readonly why: string}[]
  /** How many there are of those. */
  readonly unseenPods: number
  /** Why the run ended early; absent where it did not. */
  readonly stopped?: string
  /** The count of pods. */
  readonly summary: string
}

/** Gathers a run to its end; no more than `maxUnseen` pods that were not seen are told by name. */
export async function gatherReport<Item extends PodItem>(
  view: View<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
  maxUnseen: number,
): Promise<GatheredReport> {
  const found = new SameFindings()
  const summary = summarise(view)
  const unseen: GatheredReport['unseen'][number][] = []
  let unseenPods = 0
  let stopped: string | undefined
  for await (const event of events) {
    summary.take(event)
    if (event.type === 'item') {
      const {findings, failures, incomplete} = event.item
      const pod = podKey(event.item.pod)
      found.take(findings, () => pod)
      if (incomplete) {
        unseenPods += 1
        if (unseen.length < maxUnseen) unseen.push({pod, why: failures[0]?.message ?? 'not all could be seen'})
      }
    }
    if (event.type === 'fleet') found.take(event.findings, ({subject = 'fleet'}) => subject)
    if (event.type === 'stopped') stopped = event.message
  }
  return {found, unseen, unseenPods, ...(stopped !== undefined && {stopped}), summary: summary.line()}
}
