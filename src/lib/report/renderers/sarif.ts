import {createHash} from 'node:crypto'
import {countOf} from '../../domain/count-text.ts'
import type {Finding} from '../../domain/finding.ts'
import {podKey} from '../../domain/pod.ts'
import type {PodItem, ReportEvent} from '../../domain/report.ts'
import type {RuleInfo} from '../../domain/rule.ts'
import {dropAbsent} from '../drop-absent.ts'
import {escapeJson, escapeText} from '../escape-text.ts'
import type {RenderStyle} from '../style.ts'
import {rfc3339} from '../time-text.ts'
import type {Fields, RulesView} from '../view.ts'

/** What could not be seen that is told pod by pod: all of it stands in the JSON document. */
const MAX_NOTIFICATIONS = 200

const LEVELS = {fail: 'error', warn: 'warning'} as const

/**
 * SARIF 2.1.0: the rules with their help, then a result for each finding, as pods come. A pod is a logical location; as
 * code scanning wants a file, its name stands as an artifact too, which no repository has.
 */
export async function* renderSarif<Item extends PodItem>(
  {all}: RulesView<Item>,
  events: AsyncIterable<ReportEvent<Item>>,
  style: RenderStyle,
): AsyncGenerator<string> {
  const indices = new Map(all.map(({name}, index) => [name, index]))
  const head = headOf(all, style.version)
  const notifications: Fields[] = []
  let unseenPods = 0
  let isBegun = false
  let separator = '\n'
  const resultText = (finding: Finding, place: string, kind: string): string => {
    const text = `${separator}        ${jsonText(resultOf(finding, place, kind, indices.get(finding.rule)))}`
    separator = ',\n'
    return text
  }
  for await (const event of events) {
    if (!isBegun) yield head
    isBegun = true
    if (event.type === 'item') {
      const place = podKey(event.item.pod)
      for (const finding of event.item.findings) yield resultText(finding, place, 'pod')
      if (event.item.incomplete) {
        unseenPods += 1
        for (const {message} of event.item.failures)
          if (notifications.length < MAX_NOTIFICATIONS)
            notifications.push(notification('warning', `${place}: ${message}`))
      }
    }
    if (event.type === 'fleet') {
      for (const finding of event.findings) yield resultText(finding, finding.subject ?? 'fleet', 'fleet')
    }
    if (event.type === 'stopped') notifications.push(notification('error', `Stopped early: ${event.message}`))
  }
  if (unseenPods > 0) notifications.push(notification('warning', `${countOf(unseenPods, 'pod')} not seen whole`))
  yield `${isBegun ? '' : head}${separator === '\n' ? '' : '\n      '}],\n${tailOf(notifications, style)}`
}

function headOf(rules: readonly RuleInfo[], version: string): string {
  const driver = {
    name: 'agentctl',
    semanticVersion: version,
    rules: rules.map(({name, severity, summary, meaning, importance, action}) => ({
      id: name,
      shortDescription: {text: `${summary}.`},
      fullDescription: {text: `${meaning} ${importance}`},
      help: {
        text: `${meaning}\n\n${importance}\n\n${action}`,
        markdown: `**What it means.** ${meaning}\n\n**Why it matters.** ${importance}\n\n**What to do.** ${action}`,
      },
      defaultConfiguration: {level: LEVELS[severity]},
    })),
  }
  const schema = 'https://json.schemastore.org/sarif-2.1.0.json'
  return `{
  "$schema": ${jsonText(schema)},
  "version": "2.1.0",
  "runs": [
    {
      "tool": {"driver": ${jsonText(driver)}},
      "columnKind": "utf16CodeUnits",
      "results": [`
}

function resultOf(finding: Finding, place: string, kind: string, ruleIndex: number | undefined): Fields {
  const {rule, severity, message, subject = '', values, hint, accepted} = finding
  return dropAbsent<Fields>({
    ruleId: rule,
    ruleIndex,
    level: LEVELS[severity],
    message: {text: `${escapeText(`${place}: ${message}`)}${hint === undefined ? '' : `. ${escapeText(hint)}`}`},
    locations: [
      {
        physicalLocation: {artifactLocation: {uri: place.split('/').map(encodeURIComponent).join('/')}},
        logicalLocations: [{fullyQualifiedName: place, kind}],
      },
    ],
    partialFingerprints: {'agentctl/v1': fingerprint([rule, place, subject])},
    properties: values && {...values},
    suppressions:
      accepted === undefined
        ? undefined
        : [{kind: 'external', status: 'accepted', justification: `${accepted.reason} (until ${accepted.until})`}],
  })
}

/** The same for the same finding in each run: pods of one owner are different places, as their names are. */
function fingerprint(words: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 32)
}

function notification(level: 'warning' | 'error', text: string): Fields {
  return {level, message: {text: escapeText(text)}}
}

function tailOf(notifications: readonly Fields[], {generatedAtMs}: RenderStyle): string {
  const invocation = {
    executionSuccessful: notifications.every(({level}) => level !== 'error'),
    endTimeUtc: rfc3339(generatedAtMs),
    toolExecutionNotifications: notifications,
  }
  return `      "invocations": [${jsonText(invocation)}]\n    }\n  ]\n}\n`
}

function jsonText(value: unknown): string {
  return escapeJson(JSON.stringify(value))
}
