import {collectNotes} from '../compare/collect-notes.ts'
import {type GatheredEvidence, gatherEvidence} from '../compare/gather.ts'
import {findFailures, findGaps} from '../compare/find-gaps.ts'
import {reportSides} from '../compare/report-sides.ts'
import type {CertificateReader} from '../decode/x509/certificate-reader.ts'
import type {Skip} from '../domain/agent.ts'
import {hasAnswer, type PodItem} from '../domain/report.ts'
import type {Failure} from '../domain/failure.ts'
import {podKey} from '../domain/pod.ts'
import type {Row} from '../judge/describe-row.ts'
import type {Case, Judgement} from '../judge/judge-pod.ts'
import type {ReadPod, Reading} from './reading.ts'
import type {Selected} from './select-pods.ts'

/** What looking at a pod needs beside the pod. */
export interface Looking {
  readonly read: ReadPod
  /** The moment certificates are judged as of, ms since 1970: `--now`, or the clock as it is then. */
  readonly nowMs: () => number
  readonly reading: 'files' | 'live'
  /** Of this run: it remembers who has signed whom. */
  readonly certificates: CertificateReader
  /** The pod was looked at before. */
  readonly isAgain?: boolean
  /** `--secret`; absent: all. */
  readonly secretNames?: readonly string[]
}

const NOT_ASKED = {state: 'not-asked', answers: []} as const

/** The item of a pod that is not to be asked; `undefined` where it is. */
export function itemWithoutAsking({pod, agent, skip, failure}: Selected): PodItem | undefined {
  const about = {
    pod,
    ...(agent !== undefined && {agent}),
    sides: {agent: NOT_ASKED, proxy: NOT_ASKED},
    findings: [],
  }
  if (skip !== undefined) return {...about, verdict: 'skipped', skipped: skip, failures: [], incomplete: false}
  if (failure !== undefined) return {...about, verdict: 'unknown', failures: [failure], incomplete: true}
  return undefined
}

/** One look at a pod: what was read, as evidence, or why nothing can be. `isAgain` as for `ReadPod`. */
export async function readEvidence(
  {pod, agent, failure}: Selected,
  signal: AbortSignal,
  looking: Looking,
  isAgain: boolean,
): Promise<GatheredEvidence> {
  if (agent === undefined) throw new Error(`${podKey(pod)} was asked without an agent`)
  const again = isAgain || looking.isAgain === true
  const reading = failure === undefined ? await looking.read(pod, agent, signal, again) : unreadable(failure)
  return gatherEvidence({
    pod,
    agent,
    ...reading,
    nowMs: looking.nowMs(),
    reading: looking.reading,
    ...(looking.secretNames !== undefined && {secretNames: looking.secretNames}),
  })
}

/** What is read of a pod that cannot be asked. */
function unreadable(failure: Failure): Reading {
  return {observations: [], failures: [failure], asked: {sources: []}}
}

/** The item of a pod that was asked: its rows, judged, and what of it could not be seen. */
export function itemOf<R extends Row>(
  selected: Selected,
  evidence: GatheredEvidence,
  rows: readonly R[],
  judge: (seen: Case<R>) => Judgement,
): PodItem & {readonly rows: readonly R[]} {
  const about = aboutAsked(selected, evidence, rows)
  const {skipped} = about
  const judgement = judge({
    rows,
    gaps: findGaps(evidence),
    observations: evidence.observations,
    ...(skipped !== undefined && {skip: skipped}),
  })
  return {...about, ...judgement, rows: skipped === undefined ? rows : []}
}

/** What an item says of a pod that was asked, but for the judgement. */
export function aboutAsked(
  selected: Selected,
  evidence: GatheredEvidence,
  rows: readonly unknown[],
): Omit<PodItem, keyof Judgement> {
  const sides = reportSides(evidence)
  const skip = skipAfterAsking(selected, evidence, rows, sides)
  return {
    pod: selected.pod,
    agent: evidence.agent,
    ...(skip !== undefined && {skipped: skip}),
    sides,
    failures: skip === undefined ? findFailures(evidence) : [],
    notes: skip === undefined ? collectNotes(evidence) : [],
  }
}

/**
 * A pod that has gone since it was listed, or is going away while it is asked, or whose agent has no secrets by its
 * kind, or none of those that were asked for by name: no failure, but a skip.
 */
function skipAfterAsking(
  {pod, agent, leaving}: Selected,
  evidence: GatheredEvidence,
  rows: readonly unknown[],
  sides: PodItem['sides'],
): Skip | undefined {
  const {secretNames} = evidence
  if (secretNames !== undefined && rows.length === 0 && findGaps(evidence).length === 0) {
    return {code: 'no-secrets', message: `No side of ${podKey(pod)} holds a secret ${secretNames.join(' or ')}`}
  }
  if (evidence.asked.isNothing === true) {
    return {code: 'no-secrets', message: `${podKey(pod)} is ${agent?.kind ?? 'an agent'} and holds no proxy's secrets`}
  }
  // Also where it was half read before: nobody can read the other half any more, or mend what the first one shows.
  const gone = evidence.failures.find(({code}) => code === 'pod-gone')
  if (gone !== undefined) return {code: 'gone', message: gone.message}
  // What the control plane says of roots says nothing of the pod.
  if (hasAnswer(sides)) return undefined
  const [failure] = evidence.failures
  if (!leaving || failure === undefined) return undefined
  return {code: 'terminating', message: `${podKey(pod)} is going away: ${failure.message}`}
}
