import type {Finding} from '../../domain/finding.ts'
import type {WantedRoot} from '../../domain/roots.ts'
import {disagreementOf, isBundle} from '../disagreement.ts'
import {isMeshIdentity, isRenewedByAgent} from '../mesh-identity.ts'
import {type MeshRoots, meshRootsOf} from '../mesh-roots.ts'
import {missingCertificates} from '../missing-evidence.ts'
import {ruleOnComparison} from '../over-rows.ts'
import {rowFinding} from '../row-finding.ts'
import {isEvaluated, type Judged, type PodSeen, type RowRule} from '../rule.ts'

const onRows = ruleOnComparison(
  {
    name: 'root-missing',
    severity: 'fail',
    summary: 'Every proxy trusts the roots that it should',
    meaning: `A proxy has no root for the mesh that is valid now; or a root is not among those of the proxy that the control
plane publishes or the other side holds: a warning until the next renewal of the pod's certificate is due, with which it
takes up new roots. With --roots, those are expected in place of the published ones, at once.`,
    importance: 'The proxy refuses whoever shows a certificate of that root.',
    action: 'See who lacks it with agentctl secrets roots --expect ROOT; a restart of the pod takes up the roots',
    sources: ['envoy-config-dump', 'ztunnel-config-dump', 'published-root', 'agent-files'],
    flags: ['--roots'],
  },
  (row, rule) => {
    if (!('result' in row)) return []
    if (row.result === 'PENDING') return [rowFinding(rule, row, {text: row.reason, severity: 'warn'})]
    const found = disagreementOf(row)
    return found?.rule === 'root-missing' ? [rowFinding(rule, row, {text: found.row.reason})] : []
  },
  isBundle,
)

/** A root that is published, expected, or that the agent has, and that the proxy does not trust; or no root at all. */
export const rootMissing: RowRule = {
  ...onRows,
  judge(seen) {
    const {expectedRoots} = seen
    const without = unusable(seen)
    if (expectedRoots === undefined) {
      const compared = onRows.judge(seen)
      return without.length > 0 ? [...without, ...(isEvaluated(compared) ? compared : [])] : compared
    }
    return judgeExpected(seen, expectedRoots, without)
  },
}

function judgeExpected(seen: PodSeen, expected: readonly WantedRoot[], without: readonly Finding[]): Judged {
  const known = meshRootsOf(seen)
  const findings = [
    ...without,
    ...seen.rows.filter(({comparedBy}) => comparedBy !== 'published').flatMap((row) => onRows.judgeRow(row)),
    ...known.flatMap((one) => expected.filter((root) => !holds(one, root)).map((root) => notHeld(one, root))),
  ]
  if (findings.length > 0) return findings
  return (
    missingCertificates(seen) ?? (known.length > 0 ? [] : {cause: 'scope', reason: 'it shows no roots of the mesh'})
  )
}

function holds({roots}: MeshRoots, {fingerprint}: WantedRoot): boolean {
  return roots.some(
    ({certificate}) => certificate.readable && certificate.fingerprint?.startsWith(fingerprint) === true,
  )
}

function notHeld({row}: MeshRoots, {fingerprint, certificate}: WantedRoot): Finding {
  const name = certificate === undefined || certificate.subject === '' ? '' : ` (${certificate.subject})`
  const found = rowFinding(onRows, row, {
    text: `expected root ${fingerprint.slice(0, 16)}${name} is not trusted`,
    values: {expected: fingerprint},
  })
  return {...found, subject: `root ${fingerprint.slice(0, 16)} for ${found.subject ?? row.name}`}
}

/** A workload that has its identity, and no valid root to verify anybody with. */
function unusable(seen: PodSeen): readonly Finding[] {
  const {agent, held, sides} = seen
  if (agent.dialect !== 'envoy' || sides.proxy.state !== 'read') return []
  const identity = held.find(
    (row) =>
      row.side === 'proxy' && isMeshIdentity(row) && isRenewedByAgent(row, agent) && row.certificate !== undefined,
  )
  if (identity === undefined) return []
  const [known] = meshRootsOf(seen)
  // What is waited for has a rule of its own.
  if (known !== undefined && known.row.state !== 'ACTIVE' && known.row.state !== 'STATIC') return []
  if (known?.roots.some(({status}) => status === 'VALID') === true) return []
  const text = known === undefined || known.roots.length === 0 ? 'no roots' : 'no root that is valid now'
  return [rowFinding(onRows, known?.row ?? identity, {text: `the proxy has ${text} to verify others of the mesh with`})]
}
