import type {Finding} from '../domain/finding.ts'
import {podKey} from '../domain/pod.ts'
import type {SyncStatesSeen, TypeSync} from '../domain/mesh-seen.ts'
import type {RuleInfo} from '../domain/rule.ts'
import {defineRule} from './define-rule.ts'
import {oneLine} from './describe-row.ts'
import {findConnection} from './find-connection.ts'
import type {PodRule} from './rule.ts'

/** What a rule says of one type of a proxy's configuration: what is wrong with it, and by which values. */
type JudgeType = (
  type: TypeSync,
  at: SyncStatesSeen,
) => {readonly text: string; readonly values?: Finding['values']} | undefined

/** A rule on how far a proxy is with what istiod sent it, type by type; what it finds may pass within moments. */
export function ruleOnTypes(text: Omit<RuleInfo, 'scope'>, judgeType: JudgeType): PodRule {
  const rule: PodRule = defineRule<PodRule>({
    ...text,
    scope: 'pod',
    settles: true,
    judge(seen) {
      const connection = findConnection(seen)
      if (connection === 'none') return {cause: 'scope', reason: 'its proxy is connected to no istiod that was asked'}
      if (connection === undefined || !('sync' in connection)) return connection
      const {sync, at} = connection
      return sync.types.flatMap((type): readonly Finding[] => {
        const said = judgeType(type, at)
        if (said === undefined) return []
        return [
          {
            rule: rule.name,
            severity: rule.severity,
            message: oneLine(`${type.type} from ${podKey(at.istiod)}: ${said.text}`),
            subject: oneLine(`xds ${type.type}`),
            values: {type: type.type, istiod: podKey(at.istiod), ...said.values},
            hint: rule.action,
          },
        ]
      })
    },
  })
  return rule
}
