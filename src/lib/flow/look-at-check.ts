import {compareSecrets} from '../compare/compare-secrets.ts'
import {confirm, needsSecondReading} from '../compare/confirm.ts'
import {findFailures} from '../compare/find-gaps.ts'
import type {GatheredEvidence} from '../compare/gather.ts'
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
import type {Selected} from './select-pods.ts'

export interface CheckLooking extends Looking {
  /** Wait before the second reading, ms. */
  readonly settleMs: number
  readonly policy: CheckPolicy
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/** One reading of a pod, and what the rules say of it. */
interface Look {
  readonly evidence: GatheredEvidence
  readonly rows: readonly SecretDiffRow[]
  readonly roots: PodRoots
  readonly checked: Checked
  readonly mesh: MeshFacts
}

const NO_ROOTS: PodRoots = {bundles: [], leaves: [], signingRootEndsMs: []}

/** The item of `check`: the rules held against one pod, and what may pass within moments read once more. */
export async function lookAtCheck(selected: Selected, signal: AbortSignal, looking: CheckLooking): Promise<CheckItem> {
  const known = itemWithoutAsking(selected)
  if (known !== undefined) return {...known, outcomes: [], rows: [], roots: NO_ROOTS, ...meshWithoutAsking(selected)}
  const first = await lookOnce(selected, signal, looking)
  const isSettled =
    !needsSecondReading(first.rows) && !needsConfirmation(first.checked.findings) && !isUnsettled(first.mesh)
  if (isSettled) return itemOf(selected, first)
  await looking.pause(looking.settleMs, signal)
  return itemOf(selected, await lookOnce(selected, signal, looking, first))
}

async function lookOnce(selected: Selected, signal: AbortSignal, looking: CheckLooking, earlier?: Look): Promise<Look> {
  const evidence = await readEvidence(selected, signal, looking, earlier !== undefined)
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
    failures,
    sides: reportSides(evidence),
    nowMs: evidence.nowMs,
    thresholds: looking.policy.thresholds,
  }
  return {
    evidence,
    rows,
    roots: readPodRoots(evidence, signatures),
    checked: checkPod(seen, looking.policy, earlier?.checked.findings),
    mesh: findMeshFacts(seen, earlier?.mesh),
  }
}

function itemOf(selected: Selected, {evidence, rows, roots, checked, mesh}: Look): CheckItem {
  const about = aboutAsked(selected, evidence, rows)
  if (about.skipped !== undefined)
    return {...about, verdict: 'skipped', incomplete: false, findings: [], outcomes: [], rows: [], roots: NO_ROOTS}
  return {...about, ...checked, rows, roots, mesh}
}

/** A node's agent that does not run is known without a question. */
function meshWithoutAsking({agent, failure}: Selected): Pick<CheckItem, 'mesh'> {
  const service = agent && failure && stoppedService(agent, failure)
  return service === undefined ? {} : {mesh: {service, controlPlanes: []}}
}
