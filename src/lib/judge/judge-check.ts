import {type Finding, standing} from '../domain/finding.ts'
import {worstSeverity} from '../domain/rank.ts'
import type {RuleCoverage, RuleInfo, RuleOutcome} from '../domain/rule.ts'
import {hasAnswer, type Verdict} from '../domain/report.ts'
import {applyPolicy, type CheckPolicy, isOn} from './check-policy.ts'
import type {FleetEvidence} from './fleet-rule.ts'
import {FLEET_RULES} from './fleet-rules.ts'
import {POD_RULES} from './pod-rules.ts'
import {isEvaluated, type Judged, type PodRule, type PodSeen} from './rule.ts'
import {verdictOf} from './verdict-of.ts'

/** What the rules say of one pod. */
export interface Checked {
  readonly verdict: Verdict
  readonly incomplete: boolean
  readonly findings: readonly Finding[]
  readonly outcomes: readonly RuleOutcome[]
}

/**
 * Holds the rules against one pod. `earlier`: what the reading before this one found; a finding that may pass within
 * moments counts only where it stood there too.
 */
export function checkPod(seen: PodSeen, policy: CheckPolicy, earlier?: Checked): Checked {
  const judged = POD_RULES.filter(({name}) => isOn(name, policy)).map((rule) => {
    const said = confirmed(rule, rule.judge(seen), earlier)
    return {rule, said: isEvaluated(said) ? said.map((one) => applyPolicy(one, policy, seen.pod)) : said}
  })
  const findings = judged.flatMap(({said}) => (isEvaluated(said) ? said : []))
  const outcomes = judged.flatMap(({rule, said}) => outcomeOf(rule, said) ?? [])
  const incomplete = isOpen(outcomes, policy)
  const hasSeen = hasAnswer(seen.sides)
  const worst = worstSeverity(standing(findings).map(({severity}) => severity))
  // A pod that said nothing is not well for what others say of it.
  const {agent, sides} = seen
  // Nor one whose secrets nobody could see, for being ready.
  const isBlind = agent.holdsNoSecrets !== true && sides.proxy.state === 'failed'
  const isIncomplete = incomplete || !hasSeen || isBlind
  return {verdict: verdictOf(worst, isIncomplete, hasSeen), incomplete: isIncomplete, findings, outcomes}
}

/** Whether a look at a pod has to be repeated before what it found counts. */
export function needsConfirmation(findings: readonly Finding[]): boolean {
  const settling = new Set(POD_RULES.filter(({settles}) => settles === true).map(({name}) => name))
  return standing(findings).some(({rule}) => settling.has(rule))
}

/** Holds the rules on nodes and on the fleet against all pods together. */
export function checkFleet(
  fleet: FleetEvidence,
  policy: CheckPolicy,
): {readonly findings: readonly Finding[]; readonly outcomes: readonly RuleOutcome[]; readonly incomplete: boolean} {
  const judged = FLEET_RULES.filter(({name}) => isOn(name, policy)).map((rule) => {
    const said = rule.judge(fleet)
    return {rule, said: isEvaluated(said) ? said.map((one) => applyPolicy(one, policy)) : said}
  })
  const outcomes = judged.flatMap(({rule, said}) => outcomeOf(rule, said) ?? [])
  return {
    findings: judged.flatMap(({said}) => (isEvaluated(said) ? said : [])),
    outcomes,
    incomplete: isOpen(outcomes, policy),
  }
}

/** Whether rules on nodes or on the fleet were asked for by name: a part of the fleet does not answer them. */
export function namesFleetRules(policy: CheckPolicy): boolean {
  return policy.only !== undefined && FLEET_RULES.some(({name}) => isOn(name, policy))
}

/** Whether a rule on pods was asked for by name that was about none of them. */
export function namesUnanswered({only, levels}: CheckPolicy, coverage: readonly RuleCoverage[]): boolean {
  const told = new Set(coverage.map(({rule}) => rule))
  return POD_RULES.some(({name}) => only?.has(name) === true && levels.get(name) !== 'off' && !told.has(name))
}

/** Whether evidence is missing that had to be there: it could not be had, or the rule was asked for by name. */
function isOpen(outcomes: readonly RuleOutcome[], {only}: CheckPolicy): boolean {
  return outcomes.some((one) => one.result === 'not-evaluated' && (only !== undefined || one.cause === 'failed'))
}

/** The rules that a policy leaves on, in order. */
export function rulesOf(policy: CheckPolicy): readonly RuleInfo[] {
  return [...POD_RULES, ...FLEET_RULES].filter(({name}) => isOn(name, policy))
}

function confirmed(rule: PodRule, said: Judged, earlier: Checked | undefined): Judged {
  if (rule.settles !== true || earlier === undefined || !isEvaluated(said)) return said
  const before = earlier.outcomes.find((one) => one.rule === rule.name)
  // What the first reading could not see was seen once only.
  if (said.length > 0 && before?.result === 'not-evaluated')
    return {cause: 'failed', reason: `seen at the second reading only: ${said[0]?.message}`}
  return said.filter((one) => earlier.findings.some(({rule, subject}) => rule === one.rule && subject === one.subject))
}

function outcomeOf({name: rule}: RuleInfo, said: Judged): RuleOutcome | undefined {
  if (said === undefined) return undefined
  if (!isEvaluated(said)) return {rule, result: 'not-evaluated', ...said}
  const worst = worstSeverity(standing(said).map(({severity}) => severity))
  return {rule, result: worst === 'fail' || worst === 'warn' ? worst : 'pass'}
}
