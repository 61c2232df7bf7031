import {RunError} from '../domain/failure.ts'

/** One requirement of a label selector. */
interface Requirement {
  readonly key: string
  readonly operator: 'in' | 'notin' | 'exists' | 'absent'
  readonly values: readonly string[]
}

const KEY = String.raw`[\w.\-/]+`
const FORMS: readonly (readonly [RegExp, (match: RegExpExecArray) => Requirement])[] = [
  [
    new RegExp(String.raw`^(${KEY})\s+(in|notin)\s*\(([^()]*)\)$`),
    ([, key = '', operator, list = '']) => ({
      key,
      operator: operator === 'in' ? 'in' : 'notin',
      values: list.split(',').map((value) => value.trim()),
    }),
  ],
  [
    new RegExp(String.raw`^(${KEY})\s*==?\s*([\w.\-]*)$`),
    ([, key = '', value = '']) => ({key, operator: 'in', values: [value]}),
  ],
  [
    new RegExp(String.raw`^(${KEY})\s*!=\s*([\w.\-]*)$`),
    ([, key = '', value = '']) => ({key, operator: 'notin', values: [value]}),
  ],
  [new RegExp(String.raw`^(${KEY})$`), ([, key = '']) => ({key, operator: 'exists', values: []})],
  [new RegExp(String.raw`^!\s*(${KEY})$`), ([, key = '']) => ({key, operator: 'absent', values: []})],
]

/** Whether labels match a selector, as the API server reads it (`app=cart,tier in (web,api),!canary`). */
export type MatchLabels = (labels: Readonly<Record<string, string>>) => boolean

/** Reads a label selector. Throws RunError (usage). */
export function parseLabelSelector(text: string): MatchLabels {
  const parts = text.split(/,(?![^()]*\))/).map((part) => part.trim())
  const requirements = parts.filter((part) => part !== '').map((part) => parseRequirement(part, text))
  return (labels) => requirements.every((requirement) => isMet(requirement, labels[requirement.key]))
}

function parseRequirement(part: string, whole: string): Requirement {
  for (const [form, read] of FORMS) {
    const match = form.exec(part)
    if (match !== null) return read(match)
  }
  throw new RunError(
    2,
    'bad-flag',
    `Bad value for --selector: expected a label selector, got ${JSON.stringify(whole)}`,
    ['It is written key=value, key!=value, key in (a,b), key notin (a,b), key or !key, joined by commas'],
  )
}

function isMet({operator, values}: Requirement, value: string | undefined): boolean {
  if (operator === 'exists') return value !== undefined
  if (operator === 'absent') return value === undefined
  // As in Kubernetes, a label that is not there is in no set of values.
  const isIn = value !== undefined && values.includes(value)
  return operator === 'in' ? isIn : !isIn
}
