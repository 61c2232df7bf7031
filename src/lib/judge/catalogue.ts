import type {RuleInfo} from '../domain/rule.ts'
import {FLEET_RULES} from './fleet-rules.ts'
import {POD_RULES} from './pod-rules.ts'

/** Every rule of `check`, in the order in which they are told. */
export const RULES: readonly RuleInfo[] = [...POD_RULES, ...FLEET_RULES]
