import {compareSecrets} from '../compare/compare-secrets.ts'
import {confirm, needsSecondReading} from '../compare/confirm.ts'
import {findFailures} from '../compare/find-gaps.ts'
import type {GatheredEvidence} from '../compare/gather.ts'
import {managedBehind} from '../compare/managed-secrets.ts'
import {reportSides} from '../compare/report-sides.ts'
import {readPodRoots} from '../compare/roots/read-pod-roots.ts'
import {showSecrets} from '../compare/show-secrets.ts'
import {checkSignatures} from '../decode/x509/check-signatures.ts'
import type {MeshFacts} from '../domain/mesh-facts.ts'
import type {CheckItem} from '../domain/report.ts'
import type {PodRoots} from '../domain/roots.ts'
import type {SecretDiffRow} from '../domain/row.ts'
import type {CheckPolicy} from '../judge/check-policy.ts'
import {findMeshFacts, isUnsettled} from '../judge/mesh-facts.ts'
import {stoppedService} from '../judge/node-service.ts'
import {type Checked, checkPod, needsConfirmation} from '../judge/judge-check.ts'
import {aboutAsked, itemWithoutAsking, type Looking, readEvidence} from './look.ts'
import type {ReadPod} from './reading.ts'
import {keepSample, sampleCounters} from './sample-counters.ts'
import {asGone, type Selected} from './select-pods.ts'

export interface CheckLooking extends Looking {
  /** Wait before the second reading, ms. */
  readonly settleMs: number
  readonly policy: CheckPolicy
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** The pod as it is now; undefined where it has gone. */
  readonly refresh: (selected: Selected, signal: AbortSignal) => Promise<Selected | undefined>
  /** `--sample`: how long after the first reading an agent's counters are read again, and what reads them. */
  readonly sample?: {readonly ms: number; readonly read: ReadPod}
}

/** One reading of a pod, and what the rules say of it. */
interface Look {
  readonly evidence: GatheredEvidence
  readonly rows: readonly SecretDiffRow[]
  readonly roots: PodRoots
  readonly checked: Checked
  readonly mesh: MeshFacts
}

const NO_ROOTS: PodRoots = {bundles: [], leaves: [], signing: []}

/**
 * The item of `check`: the rules held against one pod, and what may pass within moments read once more, with the pod as
 * it then is. Of a pod that cannot be asked its status is all that there is to judge.
 */
export async function lookAtCheck(selected: Selected, signal: AbortSignal, looking: CheckLooking): Promise<CheckItem> {
  const skipped = itemIfSkipped(selected)
  if (skipped !== undefined) return skipped
  const first = await lookOnce(selected, signal, looking)
  const isSettled =
    !needsSecondReading(first.rows) && !needsConfirmation(first.checked.findings) && !isUnsettled(first.mesh)
  // Files stay as they are.
  if (isSettled || looking.reading === 'files') return itemOf(selected, first)
  await looking.pause(looking.settleMs, signal)
  const now = (await looking.refresh(selected, signal)) ?? asGone(selected)
  return itemIfSkipped(now) ?? itemOf(now, await lookOnce(now, signal, looking, first))
}

function itemIfSkipped(selected: Selected): CheckItem | undefined {
  if (selected.skip === undefined) return undefined
  const item = itemWithoutAsking(selected)
  return item && {...item, outcomes: [], rows: [], roots: NO_ROOTS}
}

async function lookOnce(selected: Selected, signal: AbortSignal, looking: CheckLooking, earlier?: Look): Promise<Look> {
  const evidence = await readOnce(selected, signal, looking, earlier)
  const failures = findFailures(evidence)
  const read = compareSecrets(evidence)
  const rows = earlier === undefined ? read : confirm(earlier.rows, read, failures)
  const signatures = checkSignatures(evidence.observations, looking.certificates)
  const seen = {
    pod: selected.pod,
    agent: evidence.agent,
    rows,
    held: showSecrets(evidence, signatures),
    observations: evidence.observations,
    managed: managedBehind(evidence),
    ...(looking.policy.expectedRoots !== undefined && {expectedRoots: looking.policy.expectedRoots}),
    failures,
    sides: reportSides(evidence),
    nowMs: evidence.nowMs,
    thresholds: looking.policy.thresholds,
  }
  return {
    evidence,
    rows,
    roots: readPodRoots(evidence, signatures),
    checked: checkPod(seen, looking.policy, earlier?.checked),
    mesh: findMeshFacts(seen, earlier?.mesh),
  }
}

async function readOnce(
  selected: Selected,
  signal: AbortSignal,
  looking: CheckLooking,
  earlier: Look | undefined,
): Promise<GatheredEvidence> {
  const {sample} = looking
  if (sample === undefined || selected.failure !== undefined)
    return await readEvidence(selected, signal, looking, earlier !== undefined)
  // What a sample showed took two readings: it is not taken again.
  const read: ReadPod = async (...asked) => {
    const reading = await looking.read(...asked)
    return earlier === undefined
      ? await sampleCounters(reading, sample.ms, async () => {
          await looking.pause(sample.ms, signal)
          return await sample.read(...asked)
        })
      : keepSample(reading, earlier.evidence.observations)
  }
  return await readEvidence(selected, signal, {...looking, read}, earlier !== undefined)
}

function itemOf(selected: Selected, {evidence, rows, roots, checked, mesh}: Look): CheckItem {
  const about = aboutAsked(selected, evidence, rows)
  if (about.skipped !== undefined)
    return {...about, verdict: 'skipped', incomplete: false, findings: [], outcomes: [], rows: [], roots: NO_ROOTS}
  return {...about, ...checked, rows, roots, mesh: {...mesh, ...stopped(selected)}}
}

/** A node's agent that does not run is known without a question. */
function stopped({agent, failure}: Selected): Partial<MeshFacts> {
  const service = agent && failure && stoppedService(agent, failure)
  return service === undefined ? {} : {service}
}
