import {badRequest, StatusError} from './status.ts'

type Labels = Readonly<Record<string, string>>

/**
 * A label selector as a test on labels: `a=b`, `a!=b`, `a in (b,c)`, `a notin (b)`, `a`, `!a`, `a>1`, joined by commas.
 * Throws StatusError 400 where it cannot be read.
 */
export function parseLabelSelector(text: string): (labels: Labels) => boolean {
  const tests = splitRequirements(text).map(parseRequirement)
  return (labels) => tests.every((test) => test(labels))
}

/** Splits at the commas that stand outside parentheses. */
function splitRequirements(text: string): readonly string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map((requirement) => requirement.trim())
    .filter((requirement) => requirement !== '')
}

function parseRequirement(text: string): (labels: Labels) => boolean {
  const [, name, operator, values] = /^([\w./-]+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(text) ?? []
  if (name !== undefined && values !== undefined) {
    const list = values.split(',').map((value) => value.trim())
    return (labels) => {
      const value = labels[name]
      return operator === 'in'
        ? value !== undefined && list.includes(value)
        : value === undefined || !list.includes(value)
    }
  }
  const [, key, sign, wanted] = /^([\w./-]+)\s*(==|=|!=|>|<)\s*([\w.-]*)$/.exec(text) ?? []
  if (key !== undefined && wanted !== undefined) {
    if (sign === '!=') return (labels) => labels[key] !== wanted
    if (sign === '>') return (labels) => Number(labels[key]) > Number(wanted)
    if (sign === '<') return (labels) => Number(labels[key]) < Number(wanted)
    return (labels) => labels[key] === wanted
  }
  const [, absent, present] = /^(!?)\s*([\w./-]+)$/.exec(text) ?? []
  if (present !== undefined) return (labels) => present in labels === (absent === '')
  throw new StatusError(badRequest(`unable to parse requirement: found '${text}', expected: ',' or 'end of string'`))
}
