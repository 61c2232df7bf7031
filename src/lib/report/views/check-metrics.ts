import {contextOf} from '../wire/write-pod-item.ts'
import {type Finding, standing} from '../../domain/finding.ts'
import type {CheckItem, FleetReport, Verdict} from '../../domain/report.ts'
import type {SecretDiffRow} from '../../domain/row.ts'
import type {MetricSample, MetricsView} from '../view.ts'
import type {RenderStyle} from '../style.ts'

type Labels = MetricSample['labels']

const VERDICTS: readonly Verdict[] = ['pass', 'warn', 'fail', 'unknown', 'skipped']

/**
 * What `check` found, and when each certificate ends, under the names that x509-certificate-exporter gave to it. All of
 * them are gauges.
 */
export const checkMetrics: MetricsView<CheckItem> = {
  families: {
    x509_cert_not_before: 'First second of a certificate, in seconds since 1970',
    x509_cert_not_after: 'Last second of a certificate, in seconds since 1970',
    x509_cert_expired: '1 where a certificate has ended',
    agentctl_check_verdict: '1 for the verdict on a pod',
    agentctl_check_findings: 'Findings of a rule on a pod, or on nodes and the fleet, by severity',
    agentctl_check_accepted_findings: 'Findings that are accepted for a while',
    agentctl_check_evaluated_pods: 'Pods that a rule was held against',
    agentctl_check_not_evaluated_pods: 'Pods that a rule could say nothing of, by cause',
    agentctl_check_complete: '0 where the run did not come to all selected pods',
    agentctl_check_timestamp_seconds: 'When the report was made, in seconds since 1970',
  },
  ofItem,
  ofFleet,
}

function ofItem(item: CheckItem, {contexts, nowMs}: RenderStyle): readonly MetricSample[] {
  const {pod, rows, findings, verdict} = item
  const context = contextOf(pod, contexts)
  const place = {...(context !== undefined && {context}), namespace: pod.namespace, pod: pod.name}
  return [
    ...VERDICTS.map((one) => ({
      name: 'agentctl_check_verdict',
      labels: {...place, verdict: one},
      value: Number(one === verdict),
    })),
    ...ofFindings(findings, place),
    ...rows.flatMap((row) => ofRow(row, place, nowMs)),
  ]
}

function ofFleet({complete, findings, check}: FleetReport, {generatedAtMs}: RenderStyle): readonly MetricSample[] {
  return [
    {name: 'agentctl_check_complete', labels: {}, value: Number(complete)},
    {name: 'agentctl_check_timestamp_seconds', labels: {}, value: generatedAtMs / 1000},
    ...ofFindings(findings, {}),
    ...(check?.coverage ?? []).flatMap(({rule, evaluated, notEvaluated}) => [
      {name: 'agentctl_check_evaluated_pods', labels: {rule}, value: evaluated},
      ...notEvaluated.map(({cause, pods}) => ({
        name: 'agentctl_check_not_evaluated_pods',
        labels: {rule, cause},
        value: pods,
      })),
    ]),
  ]
}

function ofFindings(findings: readonly Finding[], place: Labels): readonly MetricSample[] {
  const accepted = findings.filter((finding) => finding.accepted !== undefined)
  return [
    ...countOf('agentctl_check_findings', standing(findings), place),
    ...countOf('agentctl_check_accepted_findings', accepted, place),
  ]
}

/** Several findings of a rule on one pod are one sample: no two may have the same labels. */
function countOf(name: string, findings: readonly Finding[], place: Labels): readonly MetricSample[] {
  return [...Map.groupBy(findings, ({rule, severity}) => `${rule} ${severity}`)].map(([key, same]) => {
    const [rule = '', severity = ''] = key.split(' ')
    return {name, labels: {...place, rule, severity}, value: same.length}
  })
}

function ofRow(row: SecretDiffRow, place: Labels, nowMs: number): readonly MetricSample[] {
  const side = row.proxy === '' ? 'agent' : 'proxy'
  const all = [...(row.certificate === undefined ? [] : [row.certificate]), ...row.chain.map((one) => one.certificate)]
  return all.flatMap((certificate): readonly MetricSample[] => {
    // What only a metric tells of is no certificate that anybody could look at.
    if (!certificate.readable || certificate.serial === undefined) return []
    const {serial, subject, issuer, notBeforeMs, notAfterMs, position, spiffeIds} = certificate
    const labels = {
      ...place,
      secret: row.name,
      side,
      position,
      serial_number: decimal(serial),
      subject,
      issuer,
      spiffe_id: spiffeIds[0] ?? '',
    }
    const isOver = Math.floor(nowMs / 1000) > Math.floor(notAfterMs / 1000)
    return [
      ...(notBeforeMs === undefined ? [] : [{name: 'x509_cert_not_before', labels, value: notBeforeMs / 1000}]),
      {name: 'x509_cert_not_after', labels, value: notAfterMs / 1000},
      {name: 'x509_cert_expired', labels, value: Number(isOver)},
    ]
  })
}

/** As the exporter writes it; ours are hexadecimal everywhere else. */
function decimal(serial: string): string {
  return /^-?[0-9a-f]+$/.test(serial) ? String(BigInt(`0x${serial.replace('-', '')}`)) : serial
}
