import {countedLifeMs} from '../src/lib/domain/renewal.ts'
import type {Agent} from '../src/lib/domain/agent.ts'
import type {Certificate} from '../src/lib/domain/certificate.ts'
import type {Finding} from '../src/lib/domain/finding.ts'
import type {SecretDiffRow, SecretShowRow} from '../src/lib/domain/row.ts'
import type {PodRule, PodSeen} from '../src/lib/judge/rule.ts'
import {isEvaluated} from '../src/lib/judge/rule.ts'
import {certExpired} from '../src/lib/judge/rules/cert-expired.ts'
import {certExpiring} from '../src/lib/judge/rules/cert-expiring.ts'
import {rotationOverdue} from '../src/lib/judge/rules/rotation-overdue.ts'
import {DEFAULT_THRESHOLDS, type Thresholds} from '../src/lib/judge/thresholds.ts'

const DAY_S = 86_400
/** istiod puts the beginning back by two minutes. */
const PUT_BACK_S = 120

/** A certificate of whose life it is told when it becomes a warning, and a failure. */
export interface Life {
  readonly title: string
  readonly seconds: number
  readonly position: Certificate['position']
  /** The share that is left when an agent renews it; absent where no agent does. */
  readonly graceRatio?: number
  readonly thresholds?: Thresholds
}

/** The lives that people have. */
export const LIVES: readonly Life[] = [
  {
    title: 'leaf of 24 h, renewed by its agent at half its life',
    seconds: DAY_S + PUT_BACK_S,
    position: 'leaf',
    graceRatio: 0.5,
  },
  {
    title: 'leaf of 24 h, renewed by its agent with 20% left',
    seconds: DAY_S + PUT_BACK_S,
    position: 'leaf',
    graceRatio: 0.2,
  },
  {
    title: 'leaf of 90 s, renewed by its agent at half its life',
    seconds: 90 + PUT_BACK_S,
    position: 'leaf',
    graceRatio: 0.5,
  },
  {title: 'leaf of 90 d, of a gateway', seconds: 90 * DAY_S, position: 'leaf'},
  {title: 'leaf of 397 d, of a gateway', seconds: 397 * DAY_S, position: 'leaf'},
  {title: 'intermediate of 1 y', seconds: 365 * DAY_S, position: 'intermediate'},
  {title: 'root of 10 y', seconds: 3650 * DAY_S, position: 'root'},
]

/** Rules, and the first second at which each tells something; seconds after the certificate's beginning. */
export interface Turn {
  readonly rule: string
  readonly severity: Finding['severity']
  readonly second: number
  /** Less than these many seconds are left then. */
  readonly leftSeconds: number
}

const RULES: readonly PodRule[] = [certExpiring, rotationOverdue, certExpired]

/** The moments at which a certificate becomes a warning and a failure, found by asking the rules themselves. */
export function turnsOf(life: Life): readonly Turn[] {
  return RULES.flatMap((rule) =>
    (['warn', 'fail'] as const).flatMap((severity) => {
      const isFound = (second: number): boolean => severitiesAt(rule, life, second).includes(severity)
      // What is left only shrinks: from its first second on a failure stays one, and a warning is no less than that.
      const isAtLeast = (second: number): boolean =>
        severity === 'warn' ? severitiesAt(rule, life, second).length > 0 : isFound(second)
      const second = firstSecond(life.seconds + Number(rule === certExpired), isAtLeast)
      if (second === undefined || !isFound(second)) return []
      return [{rule: rule.name, severity, second, leftSeconds: life.seconds - second + 1}]
    }),
  ).toSorted((one, other) => one.second - other.second)
}

/** The life as its agent counts it, seconds. */
export function countedSeconds({seconds, graceRatio}: Life): number {
  const dates = {notBeforeMs: 0, notAfterMs: seconds * 1000}
  return graceRatio === undefined ? seconds : (countedLifeMs(dates) ?? 0) / 1000
}

function firstSecond(end: number, isFound: (second: number) => boolean): number | undefined {
  if (!isFound(end)) return undefined
  let [before, at] = [-1, end]
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2)
    if (isFound(middle)) at = middle
    else before = middle
  }
  return at
}

function severitiesAt(rule: PodRule, life: Life, second: number): readonly Finding['severity'][] {
  const said = rule.judge(seenAt(life, second))
  return isEvaluated(said) ? said.map(({severity}) => severity) : []
}

/** A pod that holds this one certificate, at a second of its life. */
function seenAt({seconds, position, graceRatio, thresholds = DEFAULT_THRESHOLDS}: Life, second: number): PodSeen {
  const certificate: Certificate = {
    readable: true,
    fingerprint: 'ab'.repeat(32),
    serial: '46a2',
    notBeforeMs: 0,
    notAfterMs: seconds * 1000,
    subject: 'O=cluster.local',
    issuer: 'O=cluster.local',
    sans: [],
    spiffeIds: [],
    isCa: position !== 'leaf',
    selfSigned: position === 'root',
    key: {type: 'EC', size: 256, curve: 'P-256'},
    position,
  }
  const row = {
    name: position !== 'leaf' ? 'ROOTCA' : graceRatio === undefined ? 'kubernetes://shop-cert' : 'default',
    type: position === 'leaf' ? 'Cert Chain' : 'CA',
    state: 'ACTIVE',
    certificate,
    chain: [],
    status: second > seconds ? 'EXPIRED' : 'VALID',
    secondsLeft: seconds - second,
    keyFound: false,
    notes: [],
  } as const
  const compared: SecretDiffRow = {
    ...row,
    agent: 'PRESENT',
    proxy: 'ACTIVE',
    result: 'MATCH',
    reason: '',
    confirmed: true,
    comparedBy: 'fingerprint',
  }
  const shown: SecretShowRow = {...row, side: 'proxy', source: 'envoy-config-dump'}
  const side = {state: 'read', answers: [{source: 'envoy-config-dump', route: 'port-forward'}]} as const
  return {
    pod: POD,
    agent: {...AGENT, graceRatio: graceRatio ?? AGENT.graceRatio},
    rows: [compared],
    held: [shown],
    observations: [],
    managed: [],
    failures: [],
    sides: {agent: side, proxy: side},
    nowMs: second * 1000,
    thresholds,
  }
}

const AGENT: Agent = {
  kind: 'istio-sidecar',
  because: 'made for the table',
  container: 'istio-proxy',
  dialect: 'envoy',
  admin: {type: 'port', port: 15_000},
  graceRatio: 0.5,
  trustSource: 'istiod',
  warnings: [],
}

const POD: PodSeen['pod'] = {
  namespace: 'shop',
  name: 'cart-1',
  uid: '',
  labels: {},
  annotations: {},
  owners: [],
  phase: 'Running',
  ips: [],
  hostNetwork: false,
  conditions: [],
  containers: [],
  volumes: {},
}
