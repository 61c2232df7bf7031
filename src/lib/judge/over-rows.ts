import type {Finding} from '../domain/finding.ts'
import type {Source} from '../domain/question.ts'
import type {SecretDiffRow} from '../domain/row.ts'
import type {RuleInfo} from '../domain/rule.ts'
import {defineRule} from './define-rule.ts'
import type {Row} from './describe-row.ts'
import {missingCertificates, missingComparison} from './missing-evidence.ts'
import type {NotEvaluated, PodSeen, RowRule} from './rule.ts'

type RowRuleText = Omit<RuleInfo, 'scope'> & Pick<RowRule, 'lasts'>

const PROXY_SOURCES: readonly Source[] = ['envoy-config-dump', 'ztunnel-config-dump']
const AGENT_SOURCES: readonly Source[] = [
  'agent-metrics',
  'agent-files',
  'agent-sds',
  'node-agent-debug',
  'istiod-config-dump',
  'cert-manager',
  'kubernetes-secret',
]

/** A rule that looks at each secret by itself: it says that it holds only where what is in use was read. */
export function ruleOnRows(text: RowRuleText, judgeRow: (row: Row, rule: RuleInfo) => readonly Finding[]): RowRule {
  return overRows(text, judgeRow, missingCertificates)
}

/** A rule on what the two sides hold of a secret; `isAbout`: of which rows it says something. */
export function ruleOnComparison(
  text: RowRuleText,
  judgeRow: (row: Row, rule: RuleInfo) => readonly Finding[],
  isAbout: (row: SecretDiffRow) => boolean,
): RowRule {
  return overRows(text, judgeRow, (seen) => missingComparison(seen, isAbout))
}

function overRows(
  text: RowRuleText,
  judgeRow: (row: Row, rule: RuleInfo) => readonly Finding[],
  missing: (seen: PodSeen) => NotEvaluated | undefined,
): RowRule {
  const rule: RowRule = defineRule<RowRule>({
    sources: [...PROXY_SOURCES, ...AGENT_SOURCES],
    ...text,
    scope: 'pod',
    judgeRow: (row) => judgeRow(row, rule),
    judge(seen) {
      const findings = seen.rows.flatMap((row) => judgeRow(row, rule))
      if (seen.agent.holdsNoSecrets === true) return undefined
      // What was found stands, whatever was not seen.
      return findings.length > 0 ? findings : (missing(seen) ?? [])
    },
  })
  return rule
}
