import {type Finding, standing} from '../domain/finding.ts'
import {POD_RULES} from './pod-rules.ts'

const LASTING = new Set(POD_RULES.filter(({lasts}) => lasts === true).map(({name}) => name))

/** Whether a failure is among the findings that time does not mend. */
export function hasLastingFailure(findings: readonly Finding[]): boolean {
  return standing(findings).some(({rule, severity}) => severity === 'fail' && LASTING.has(rule))
}
