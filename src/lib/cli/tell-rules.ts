import {RULES} from '../judge/catalogue.ts'
import {yamlText} from '../report/renderers/yaml.ts'
import {ruleInFull, ruleTable} from '../report/rules/rule-texts.ts'
import {writeRules} from '../report/rules/write-rules.ts'
import {parseChoice} from './flags/values.ts'
import type {Io} from './io.ts'
import {ruleName} from './rule-name.ts'
import {writeAll} from './write.ts'

/** Flags of `check rules`. */
interface RulesFlagValues {
  readonly output: string
  readonly 'no-headers': boolean
}

const FORMATS = ['table', 'json', 'yaml'] as const

/** Writes all rules, or the one that is named. Throws RunError (usage) for one that there is not. */
export async function tellRules(name: string | undefined, flags: RulesFlagValues, io: Io): Promise<void> {
  const format = parseChoice(flags.output, 'output', FORMATS)
  const wanted = name === undefined ? undefined : ruleName(name, 'Cannot explain it')
  const rules = RULES.filter((rule) => wanted === undefined || rule.name === wanted)
  const [first] = rules
  const text =
    format === 'json'
      ? `${JSON.stringify(writeRules(rules), undefined, 2)}\n`
      : format === 'yaml'
        ? yamlText(writeRules(rules))
        : wanted === undefined || first === undefined
          ? ruleTable(rules, {headers: !flags['no-headers']})
          : ruleInFull(first, io.columns)
  await writeAll(io.stdout, oneText(text))
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text)
}
