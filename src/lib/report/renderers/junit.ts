import {acceptedText} from '../accepted-text.ts'
import {type Finding, standing} from '../../domain/finding.ts'
import {podKey} from '../../domain/pod.ts'
import type {FleetReport, PodItem, ReportEvent} from '../../domain/report.ts'
import type {RuleOutcome} from '../../domain/rule.ts'
import {escapeXml} from '../escape-xml.ts'
import type {RenderStyle} from '../style.ts'
import {rfc3339} from '../time-text.ts'
import type {RulesView, View} from '../view.ts'

/** A case of a suite: a rule, or the pod itself where no rule says anything of it. */
interface Case {
  readonly name: string
  readonly state: 'passed' | 'failure' | 'error' | 'skipped'
  /** In one line; absent where it passed without a word. */
  readonly message?: string
  /** All of it. */
  readonly text: readonly string[]
}

/**
 * JUnit's XML: a suite for each pod and one for the fleet, a case for each rule. Suites are written as pods come, so
 * that totals stand with each suite, and none over all of them.
 */
export async function* renderJunit<Item extends PodItem>(
  view: View<Item>,
  rules: RulesView<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
  style: RenderStyle,
): AsyncGenerator<string> {
  const head = `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="agentctl ${escapeXml(view.kind)}">\n`
  let isBegun = false
  for await (const event of events) {
    if (!isBegun) yield head
    isBegun = true
    if (event.type === 'item') yield suite(podKey(event.item.pod), casesOf(event.item, rules, style), style)
    if (event.type === 'fleet') yield suite('fleet', fleetCases(event, rules, style), style)
    if (event.type === 'stopped') {
      const {code, message, hint} = event
      yield suite('run', [{name: code, state: 'error', message, text: hint === undefined ? [] : [hint]}], style)
    }
  }
  yield `${isBegun ? '' : head}</testsuites>\n`
}

function casesOf<Item extends PodItem>(item: Item, rules: RulesView<Item>, style: RenderStyle): readonly Case[] {
  const {skipped, failures} = item
  if (skipped !== undefined) return [{name: 'pod', state: 'skipped', message: skipped.message, text: []}]
  const cases = ruleCases(rules.outcomes(item), item.findings, style)
  const isUnseen = cases.every(({state}) => state === 'skipped' || state === 'error')
  if (!isUnseen) return cases
  // A pod of which nothing is known must not look like one that has nothing to tell.
  const [first] = failures
  const message = first?.message ?? 'nothing of it could be seen'
  return [
    {name: 'pod', state: 'error', message, text: first?.hint === undefined ? [] : [first.hint]},
    ...cases.map(asSkipped),
  ]
}

/** Told once, of the pod: a pipeline has one error to show, not one for each rule. */
function asSkipped(one: Case): Case {
  return {...one, state: 'skipped'}
}

function fleetCases<Item extends PodItem>(
  fleet: FleetReport,
  rules: RulesView<Item>,
  style: RenderStyle,
): readonly Case[] {
  if (fleet.complete) return ruleCases(rules.fleetOutcomes(fleet), fleet.findings, style)
  const message = 'The run did not come to all selected pods: nothing is said of all of them together'
  return [{name: 'fleet', state: 'skipped', message, text: []}]
}

function ruleCases(
  outcomes: readonly RuleOutcome[],
  findings: readonly Finding[],
  {failOn}: RenderStyle,
): readonly Case[] {
  return outcomes.map((outcome): Case => {
    const {rule: name, result} = outcome
    if (result === 'not-evaluated') {
      const state = outcome.cause === 'failed' ? 'error' : 'skipped'
      return {name, state, message: `not evaluated: ${outcome.reason}`, text: []}
    }
    const own = findings.filter(({rule}) => rule === name)
    const isBad = result === 'fail' || (result === 'warn' && failOn === 'warn')
    const [first] = isBad ? standing(own) : own
    return {
      name,
      state: isBad ? 'failure' : 'passed',
      ...(first !== undefined && {message: first.message}),
      text: own.flatMap(linesOf),
    }
  })
}

function linesOf(finding: Finding): readonly string[] {
  const {severity, message, hint} = finding
  return [`${severity}: ${message}${acceptedText(finding)}`, ...(hint === undefined ? [] : [`to do: ${hint}`])]
}

function suite(name: string, cases: readonly Case[], {generatedAtMs}: RenderStyle): string {
  const count = (wanted: Case['state']): number => cases.filter(({state}) => state === wanted).length
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`
  const at = rfc3339(Math.floor(generatedAtMs / 1000) * 1000).replace('Z', '')
  const lines = cases.map((one) => caseText(name, one))
  return `  <testsuite name="${escapeXml(name)}" ${counts} time="0" timestamp="${at}">\n${lines.join('')}  </testsuite>\n`
}

function caseText(suiteName: string, {name, state, message = '', text}: Case): string {
  const open = `    <testcase classname="${escapeXml(suiteName)}" name="${escapeXml(name)}" time="0"`
  const said = text.map(escapeXml).join('\n')
  if (state === 'passed') {
    return said === '' ? `${open}/>\n` : `${open}>\n      <system-out>${said}</system-out>\n    </testcase>\n`
  }
  const told = `message="${escapeXml(message)}"`
  if (state === 'skipped') return `${open}>\n      <skipped ${told}/>\n    </testcase>\n`
  return `${open}>\n      <${state} ${told} type="${escapeXml(name)}">${said}</${state}>\n    </testcase>\n`
}
