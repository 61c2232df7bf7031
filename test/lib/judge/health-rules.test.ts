import {expect, test} from '@jest/globals'
import {compareSecrets} from '../../../src/lib/compare/compare-secrets.ts'
import {reportSides} from '../../../src/lib/compare/report-sides.ts'
import {showSecrets} from '../../../src/lib/compare/show-secrets.ts'
import type {Agent} from '../../../src/lib/domain/agent.ts'
import type {Failure} from '../../../src/lib/domain/failure.ts'
import type {CountersSeen, ReadinessSeen} from '../../../src/lib/domain/health-seen.ts'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {Container, Pod} from '../../../src/lib/domain/pod.ts'
import type {Side} from '../../../src/lib/domain/question.ts'
import {isEvaluated, type Judged, type PodRule, type PodSeen} from '../../../src/lib/judge/rule.ts'
import {agentConfigInvalid} from '../../../src/lib/judge/rules/agent-config-invalid.ts'
import {agentNotReady} from '../../../src/lib/judge/rules/agent-not-ready.ts'
import {csrFailing} from '../../../src/lib/judge/rules/csr-failing.ts'
import {proxyNotReady} from '../../../src/lib/judge/rules/proxy-not-ready.ts'
import {DEFAULT_THRESHOLDS} from '../../../src/lib/judge/thresholds.ts'
import {meshPod} from '../../support/mesh-pods.ts'
import {AGENT, chain, evidence, expiryAt, failureOf, leaf, NOW, proxyHolds} from '../compare/builders.ts'

const SIDECAR: Agent = {...AGENT, tellsReady: ['agent', 'proxy']}
const PROXY_ALONE: Agent = {...AGENT, tellsReady: ['proxy']}

interface Case {
  readonly pod?: Pod
  readonly agent?: Agent
  readonly observations?: readonly Observation[]
  readonly failures?: readonly Failure[]
}

function see({pod = meshPod(), agent = SIDECAR, observations = [], failures = []}: Case): PodSeen {
  const it = evidence(observations, {agent, failures})
  return {
    pod,
    agent,
    rows: compareSecrets(it),
    held: showSecrets(it, {issuers: new Map(), untried: new Set()}),
    managed: [],
    observations,
    failures,
    sides: reportSides(it),
    nowMs: NOW,
    thresholds: DEFAULT_THRESHOLDS,
  }
}

function says(side: Side, ready: boolean, text?: string): ReadinessSeen {
  const by = {source: side === 'agent' ? 'agent-ready' : 'proxy-ready', route: 'port-forward'} as const
  return {type: 'readiness', by, side, ready, status: ready ? 200 : 503, ...(text !== undefined && {text})}
}

/** `pass`, `fail: message`, or why not. */
function told(judged: Judged): string {
  if (judged === undefined) return 'not about it'
  if (!isEvaluated(judged)) return `${judged.cause}: ${judged.reason}`
  return judged.map(({severity, message}) => `${severity}: ${message}`).join('; ') || 'pass'
}

function judge(rule: PodRule, what: Case): string {
  return told(rule.judge(see(what)))
}

const NOT_READY: Partial<Container> = {ready: false}
const CRASHING: Partial<Container> = {
  ready: false,
  restarts: 4,
  state: {phase: 'waiting', reason: 'CrashLoopBackOff'},
  lastEnd: {phase: 'terminated', reason: 'Error', exitCode: 255},
}
const UNHEARD = meshPod({}, {conditions: [{type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown'}]})
const PENDING = meshPod({state: {phase: 'unknown'}, ready: false}, {phase: 'Pending'})
const LEAVING = meshPod(NOT_READY, {deletedAt: '2026-06-01T12:00:00Z'})
const HUNG = failureOf('agent-ready', {code: 'timeout', message: 'no answer in time'})

test.each<[string, Case, string]>([
  ['its endpoint says that it is', {observations: [says('agent', true)]}, 'pass'],
  [
    'its endpoint says that it is not',
    {observations: [says('agent', false)]},
    'fail: the agent is not ready: HTTP 503, no reason given',
  ],
  [
    'it says so, and the kubelet does not',
    {observations: [says('agent', true)], pod: meshPod(NOT_READY)},
    'warn: the agent says that it is ready, but the kubelet does not find container istio-proxy ready',
  ],
  ['nobody may ask it, and the kubelet finds it ready', {failures: [failureOf('agent-ready')]}, 'pass'],
  [
    'nobody may ask it, and the kubelet does not find it ready',
    {failures: [failureOf('agent-ready')], pod: meshPod(NOT_READY)},
    'fail: the kubelet does not find container istio-proxy ready',
  ],
  ['it was not asked', {}, 'pass'],
  [
    'it was not asked, and its status is not known',
    {pod: meshPod({state: {phase: 'unknown'}})},
    'scope: its agent was not asked whether it is ready',
  ],
  ['it does not answer, whatever the kubelet found before', {failures: [HUNG]}, 'failed: no answer in time'],
  [
    'its container crashes',
    {pod: meshPod(CRASHING)},
    'fail: container istio-proxy is not running: CrashLoopBackOff, 4 restarts, ended before by Error (exit code 255)',
  ],
  ['nothing is heard of its node', {pod: UNHEARD}, 'fail: nothing is heard of its node (NodeStatusUnknown)'],
  ['its pod is pending', {pod: PENDING}, 'fail: container istio-proxy is not running: Pending'],
  ['its pod is going away', {pod: LEAVING}, 'scope: it is going away, and gives up being ready'],
  ['its pod is captured', {agent: {...AGENT, capturedAs: 'cart'}}, 'not about it'],
  ['it is a proxy alone', {agent: PROXY_ALONE, pod: meshPod(CRASHING)}, 'not about it'],
])('agent-not-ready, where %s', (_where, what, expected) => {
  expect(judge(agentNotReady, what)).toBe(expected)
})

test.each<[string, Case, string]>([
  ['it is live', {observations: [says('proxy', true, 'LIVE')]}, 'pass'],
  [
    'it waits',
    {observations: [says('proxy', false, 'PRE_INITIALIZING')]},
    'fail: the proxy is not ready: HTTP 503, PRE_INITIALIZING',
  ],
  ['nobody may ask it', {failures: [failureOf('proxy-ready', {message: 'forbidden'})]}, 'forbidden: forbidden'],
  ['it was not asked', {}, 'scope: its proxy was not asked whether it is ready'],
  // Its container is the agent's too, of which another rule tells.
  ['the container is not ready', {observations: [says('proxy', true)], pod: meshPod(NOT_READY)}, 'pass'],
  [
    'it is a proxy alone, whose container is not ready',
    {agent: PROXY_ALONE, failures: [failureOf('proxy-ready')], pod: meshPod(NOT_READY)},
    'fail: the kubelet does not find container istio-proxy ready',
  ],
  ['there is none', {agent: {...AGENT, tellsReady: ['agent']}}, 'not about it'],
])('proxy-not-ready, where %s', (_where, what, expected) => {
  expect(judge(proxyNotReady, what)).toBe(expected)
})

function counted(csrsSent: number, csrsFailed: number, more: Partial<CountersSeen> = {}): CountersSeen {
  const counts = {
    'csrs-sent': csrsSent,
    'csrs-failed': csrsFailed,
    'istiod-connection-failures': 0,
    'istiod-connection-errors': 0,
    'scrape-failures': 0,
  }
  return {type: 'counters', by: {source: 'agent-metrics', route: 'port-forward'}, counts, ...more}
}

/** Begun 13 h ago, and renewed at half of its day. */
const OLD = leaf('old', {notBeforeMs: NOW - 13 * 3_600_000, notAfterMs: NOW + 11 * 3_600_000})
const OVER = leaf('over', {notBeforeMs: NOW - 25 * 3_600_000, notAfterMs: NOW - 3_600_000})
const YOUNG = leaf('a')

function holding(certificate: typeof OLD, agentEndsMs = certificate.notAfterMs): readonly Observation[] {
  return [expiryAt(agentEndsMs), proxyHolds([chain('default', [certificate])])]
}

const DUE = '2026-06-01T11:15:22Z'

test.each<[string, Case, string]>([
  ['none has failed', {observations: [counted(3, 0), ...holding(OLD)]}, 'pass'],
  ['some failed before the one in use was given', {observations: [counted(3, 2), ...holding(YOUNG)]}, 'pass'],
  [
    'some failed, and it is past its renewal',
    {observations: [counted(3, 2), ...holding(OLD)]},
    `fail: 2 of 3 certificate requests failed, and its certificate was to be renewed by ${DUE}`,
  ],
  [
    'the agent renewed, and its proxy holds the old one yet',
    {observations: [counted(3, 2), ...holding(OLD, NOW + 23 * 3_600_000)]},
    'pass',
  ],
  [
    'its beginning is not known, and it is over',
    {observations: [counted(3, 2), expiryAt(OVER.notAfterMs)]},
    'fail: 2 of 3 certificate requests failed, and its certificate was to be renewed by 2026-06-01T11:00:00Z',
  ],
  [
    'further ones failed during a sample',
    {observations: [counted(5, 4, {sample: {ms: 10_000, grown: counted(3, 3).counts}}), ...holding(YOUNG)]},
    'fail: certificate requests fail: 3 within 10 s',
  ],
  [
    'a sample could not be taken',
    {observations: [counted(1, 0, {sample: {failure: HUNG}}), ...holding(YOUNG)]},
    'failed: no answer in time',
  ],
  [
    'nobody may ask for metrics',
    {failures: [failureOf('agent-metrics', {message: 'forbidden'})]},
    'forbidden: forbidden',
  ],
  ['the metrics were left out', {}, 'scope: its agent was not asked for its metrics'],
  ['certificates come from elsewhere', {agent: {...SIDECAR, trustSource: 'SPIRE'}}, 'not about it'],
  ['it is a ztunnel', {agent: {...SIDECAR, dialect: 'ztunnel', tellsReady: ['agent']}}, 'not about it'],
])('csr-failing, where %s', (_where, what, expected) => {
  expect(judge(csrFailing, what)).toBe(expected)
})

test.each<[string, Case, string]>([
  ['the spec is not known', {}, "scope: the pod's spec is not known"],
  ['all can be taken', {agent: {...SIDECAR, invalidOptions: []}}, 'pass'],
  [
    'one can not',
    {agent: {...SIDECAR, invalidOptions: [{where: 'Variable SECRET_TTL', problem: 'says\na day'}]}},
    'fail: Variable SECRET_TTL says a day',
  ],
  [
    'one is taken otherwise',
    {agent: {...SIDECAR, invalidOptions: [{where: 'Variable OUTPUT_CERTS', problem: 'says x', isTaken: true}]}},
    'warn: Variable OUTPUT_CERTS says x',
  ],
])('agent-config-invalid, where %s', (_where, what, expected) => {
  expect(judge(agentConfigInvalid, what)).toBe(expected)
})

test('what else fails during a sample is a warning of agent-not-ready, on things of its own', () => {
  const grown = {...counted(0, 0).counts, 'scrape-failures': 2, 'istiod-connection-failures': 1}
  const observations = [says('agent', true), counted(1, 0, {sample: {ms: 5000, grown}})]

  const judged = agentNotReady.judge(see({observations}))

  expect(told(judged)).toBe(
    'warn: attempts to connect to istiod failed: 1 within 5 s; warn: scrapes of metrics failed: 2 within 5 s',
  )
  expect(isEvaluated(judged) && new Set(judged.map(({subject}) => subject)).size).toBe(2)
})
