import {podKey} from '../../../src/lib/domain/pod.ts'
import type {CertificateBlock} from '../../../src/lib/domain/certificate.ts'
import type {ManagedCertificate} from '../../../src/lib/domain/kubernetes-seen.ts'
import type {Observation, SecretsSeen} from '../../../src/lib/domain/observation.ts'
import type {SyncStatesSeen, TypeSync} from '../../../src/lib/domain/mesh-seen.ts'
import type {SecretItem} from '../../../src/lib/domain/secret.ts'

/** What observations say, as lines that a golden file can hold and a person can read. */
export function factsOf(observations: readonly Observation[]): string[] {
  return observations.flatMap(observationFacts)
}

function observationFacts(observation: Observation): string[] {
  if (observation.type === 'secrets') return secretsFacts(observation)
  if (observation.type === 'expiry') {
    return [line(['expiry', observation.name, time(observation.notAfterMs), `from ${observation.countedFrom}`])]
  }
  if (observation.type === 'published-roots') {
    return [
      line(['published roots', observation.from]),
      ...observation.roots.map((root) => `  ${certificateFacts(root)}`),
    ]
  }
  if (observation.type === 'certificates-managed') {
    return [
      line(['certificates of', observation.namespace, observation.next && `next ${observation.next}`]),
      ...observation.certificates.map(managedFacts),
    ]
  }
  if (observation.type === 'kubernetes-secret') {
    const {namespace, name, exists, chain, roots} = observation
    const parts = [
      ...(chain === undefined ? [] : itemFacts({name: 'chain', type: 'Cert Chain', ...chain})),
      ...(roots === undefined ? [] : itemFacts({name: 'roots', type: 'CA', ...roots})),
    ]
    return [line(['kubernetes secret', `${namespace}/${name}`, exists ? undefined : 'does not exist']), ...parts]
  }
  if (observation.type === 'signing') return [line([`signing ${observation.of} ends`, time(observation.notAfterMs)])]
  if (observation.type === 'identities-expected') return [line(['expected', ...observation.identities])]
  if (observation.type === 'speakers') return [line(['speakers', ...observation.pods.map(podKey)])]
  if (observation.type === 'proxy-unknown')
    return [line(['proxy unknown', podKey(observation.at), observation.instead])]
  if (observation.type === 'sync-states') return syncFacts(observation)
  if (observation.type === 'cni')
    return [line(['cni', `installed ${observation.installed}`, `ztunnel ${observation.ztunnelConnected}`])]
  if (observation.type === 'daemon-set') {
    const {namespace, name, ready, desired, isRollingOut} = observation
    return [line(['daemon set', `${namespace}/${name}`, `${ready} of ${desired}`, isRollingOut ? 'rolling out' : ''])]
  }
  if (observation.type === 'counters') {
    const counted = Object.entries(observation.counts).filter(([, count]) => count > 0)
    return [line(['counters', ...counted.map(([name, count]) => `${name} ${count}`)])]
  }
  if (observation.type === 'readiness') {
    const {side, ready, status, text} = observation
    return [line([`${side} ${ready ? 'ready' : 'not ready'}`, `HTTP ${status}`, text])]
  }
  if (observation.type === 'role-bindings') {
    const {bindings, next} = observation
    return [
      ...bindings.map(({name, role, accounts, groups}) => line(['binding', name, role, ...accounts, ...groups])),
      ...(next === undefined ? [] : [line(['more at', next])]),
    ]
  }
  if (observation.type === 'cluster-role') {
    const {name, rules} = observation
    return [line(['cluster role', name]), ...rules.map((rule) => line(['rule', JSON.stringify(rule)]))]
  }
  const {stage, code, message, side, source, hint} = observation.failure
  return [line(['unusable', stage, code, `${side} ${source}`, message, hint && `hint: ${hint}`])]
}

function syncFacts({istiod, version, proxies}: SyncStatesSeen): string[] {
  const head = line(['sync states', podKey(istiod), version])
  const ofProxies = [...proxies].flatMap(([id, connections]) =>
    connections.map(
      ({version: own, clusterId, kind, types}) => `  ${line([id, kind, own, clusterId, ...types.map(typeFacts)])}`,
    ),
  )
  return [head, ...ofProxies]
}

function typeFacts({type, state, sentMs, neverAcked, error}: TypeSync): string {
  const parts = [
    type,
    state,
    neverAcked === true ? '(never)' : '',
    sentMs === undefined ? '' : time(sentMs),
    error ?? '',
  ]
  return parts.filter((part) => part !== '').join(' ')
}

function managedFacts({
  name,
  secretName,
  notAfterMs,
  renewalMs,
  ready,
  isIssuing,
  problems,
}: ManagedCertificate): string {
  const condition = ready && `Ready ${ready.isTrue} ${ready.reason} ${JSON.stringify(ready.message)}`
  return `  ${line([
    name,
    `in ${secretName}`,
    notAfterMs === undefined ? undefined : `ends ${time(notAfterMs)}`,
    renewalMs === undefined ? undefined : `renewed ${time(renewalMs)}`,
    condition,
    isIssuing ? 'issuing' : undefined,
    ...problems,
  ])}`
}

function secretsFacts({by, side, complete, node, notes, items}: SecretsSeen): string[] {
  const of = node && `of ${node.namespace}/${node.pod}`
  return [
    line(['secrets', side, by.source, complete ? 'complete' : 'not complete', of]),
    ...notes.map((note) => `  note: ${note}`),
    ...items.flatMap(itemFacts),
  ]
}

function itemFacts(item: SecretItem): string[] {
  const head = line([
    JSON.stringify(item.name),
    item.type,
    item.state,
    item.stateReason && JSON.stringify(item.stateReason),
    item.trustDomain && `trust domain ${item.trustDomain}`,
    item.origin && `origin ${item.origin}`,
    item.parts === undefined ? undefined : `${item.parts} parts`,
    item.absent && `${item.absent.status}: ${item.absent.message}`,
    item.keyFound ? 'KEY FOUND' : undefined,
    item.rejected && `rejected at ${item.rejected.at}: ${item.rejected.details}`,
    item.version && `version ${item.version}`,
    item.createdMs === undefined ? undefined : `created ${time(item.createdMs)}`,
  ])
  return [
    head,
    ...item.notes.map((note) => `  note: ${note}`),
    ...item.certificates.map((block) => `  ${certificateFacts(block)}`),
  ]
}

function certificateFacts(block: CertificateBlock): string {
  if (!block.readable) return line([block.position, `problem: ${block.problem}`])
  const {key} = block
  return line([
    block.position,
    block.serial,
    block.notBeforeMs === undefined ? undefined : time(block.notBeforeMs),
    time(block.notAfterMs),
    [key.type, key.curve, key.size].filter((part) => part !== undefined).join(' '),
    block.fingerprint?.slice(0, 16),
    block.subject === '' ? '(no subject)' : block.subject,
    `by ${block.issuer}`,
    block.isCa ? 'CA' : undefined,
    block.selfSigned ? 'self-signed' : undefined,
    ...block.sans,
  ])
}

function time(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}

function line(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' | ')
}
