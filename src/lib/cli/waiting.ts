import pLimit from 'p-limit'
import {isUnsettled} from '../judge/mesh-facts.ts'
import {RunError} from '../domain/failure.ts'
import type {CheckItem, PodItem} from '../domain/report.ts'
import {pause} from '../flow/deadline.ts'
import type {Waiting} from '../flow/look-until-well.ts'
import {hasLastingFailure} from '../judge/may-pass.ts'
import {parseDuration} from './flags/values.ts'
import type {OpenPods} from './opened-pods.ts'
import {refreshPod} from './refresh-pod.ts'

/** The flags that say whether to wait, as oclif gives them. */
export interface WaitFlagValues {
  readonly wait?: string
  readonly interval?: string
  readonly sample?: string | undefined
  readonly file?: readonly string[] | undefined
}

/** For how long to ask again, and how often, ms. */
export interface Patience {
  readonly waitMs: number
  readonly intervalMs: number
}

/** What the flags say of waiting; undefined for not at all. Throws RunError (usage). */
export function readPatience({wait = '0', interval = '5s', file}: WaitFlagValues): Patience | undefined {
  const waitMs = parseDuration(wait, 'wait')
  const intervalMs = parseDuration(interval, 'interval')
  if (waitMs === 0) return undefined
  if (file !== undefined)
    throw new RunError(2, 'bad-flag', '--wait and --file cannot be used together: files stay as they are')
  return {waitMs, intervalMs: Math.max(intervalMs, MIN_INTERVAL_MS)}
}

/** How far apart counters are read twice, ms; undefined for not at all. Throws RunError (usage). */
export function readSample({sample, file}: WaitFlagValues): number | undefined {
  if (sample === undefined) return undefined
  const ms = parseDuration(sample, 'sample')
  if (file !== undefined)
    throw new RunError(2, 'bad-flag', '--sample and --file cannot be used together: files stay as they are')
  if (ms < MIN_SAMPLE_MS)
    throw new RunError(2, 'bad-flag', `Bad value for --sample: expected ${MIN_SAMPLE_MS / 1000}s or more`)
  return ms
}

/** Sooner no agent tries again. */
const MIN_SAMPLE_MS = 1000

/** Faster than that nobody's state changes, and the API server would have nothing but us to do. */
const MIN_INTERVAL_MS = 100

/** Waiting for the pods of one run, which begins now. */
export function waitFor(
  pods: OpenPods,
  {waitMs, intervalMs}: Patience,
  run: {readonly concurrency: number; readonly failOn: 'fail' | 'warn'; readonly nowMs: () => number},
): Waiting<PodItem> {
  const inTurn = pLimit(run.concurrency)
  return {
    untilMs: run.nowMs() + waitMs,
    intervalMs,
    nowMs: run.nowMs,
    pause,
    judge: (item) => stateOf(item, run.failOn),
    refresh: async (selected, signal) => await refreshPod(selected, signal, pods),
    inTurn: async (look) => await inTurn(look),
  }
}

function stateOf(item: PodItem, failOn: 'fail' | 'warn'): 'well' | 'may-pass' | 'lasts' {
  if (hasLastingFailure(item.findings)) return 'lasts'
  // Pending pods are about to become something.
  if (item.verdict === 'skipped') return item.skipped?.code === 'pending' ? 'may-pass' : 'well'
  // What a pod tells of its node, or of the DaemonSet that owns it, makes findings on those: they are waited for as well.
  if (isCheck(item) && item.mesh !== undefined && isUnsettled(item.mesh)) return 'may-pass'
  const isWell = item.verdict === 'pass' || (item.verdict === 'warn' && failOn === 'fail')
  return isWell && !item.incomplete ? 'well' : 'may-pass'
}

function isCheck(item: PodItem): item is CheckItem {
  return 'outcomes' in item
}
