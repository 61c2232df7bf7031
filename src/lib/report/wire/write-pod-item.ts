import type {Failure} from '../../domain/failure.ts'
import type {Finding} from '../../domain/finding.ts'
import type {PodRef} from '../../domain/pod.ts'
import type {PodItem, SideReport} from '../../domain/report.ts'
import {dropAbsent} from '../drop-absent.ts'
import type {WireOptions} from '../view.ts'
import type {FindingWire, PodItemWire} from './pod-item.schema.ts'

/** The context of a pod: its own where there are several, else the only one. */
export function contextOf({context}: PodRef, contexts: readonly string[]): string | undefined {
  return context ?? (contexts.length === 1 ? contexts[0] : undefined)
}

/** The part of an item that tells of its pod, as it is written. */
export function writePodItem(item: PodItem, {contexts}: WireOptions): PodItemWire {
  const {pod, agent, skipped} = item
  return dropAbsent<PodItemWire>({
    context: contextOf(pod, contexts),
    namespace: pod.namespace,
    pod: pod.name,
    node: pod.node,
    // No container of a captured pod is an agent.
    container: agent?.capturedAs === undefined ? agent?.container : undefined,
    agentKind: agent?.kind,
    verdict: item.verdict,
    skipped: skipped === undefined ? undefined : {code: skipped.code, message: skipped.message},
    sides: {agent: writeSide(item.sides.agent), proxy: writeSide(item.sides.proxy)},
    failures: item.failures.map(writeFailure),
    findings: item.findings.length === 0 ? undefined : item.findings.map(writeFinding),
    notes: item.notes === undefined || item.notes.length === 0 ? undefined : [...item.notes],
  })
}

/** A finding, as it is written. */
export function writeFinding(finding: Finding): FindingWire {
  const {rule, severity, message, subject, values, hint, accepted} = finding
  return dropAbsent<FindingWire>({
    rule,
    severity,
    message,
    subject,
    values: values && {...values},
    hint,
    accepted: accepted && {...accepted},
  })
}

function writeSide({state, answers}: SideReport): PodItemWire['sides']['agent'] {
  return {state, answers: answers.map(({source, route}) => ({source, route}))}
}

function writeFailure(failure: Failure): PodItemWire['failures'][number] {
  const {side, source, route, stage, code, message, hint} = failure
  return dropAbsent({side, source, route, stage, code, message, hint})
}
