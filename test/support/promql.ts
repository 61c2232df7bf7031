import {parser} from '@prometheus-io/lezer-promql'

/** What of an expression Prometheus's own grammar does not take; empty where all of it. */
export function promqlErrors(expression: string): readonly string[] {
  const errors: string[] = []
  parser.parse(expression).iterate({
    enter: ({type, from}) => {
      if (type.isError) errors.push(`at ${String(from)}: ${expression.slice(from, from + 20)}`)
    },
  })
  return errors
}

/** Metrics that an expression reads. */
export function metricsIn(expression: string): ReadonlySet<string> {
  return textsOf(expression, 'Identifier')
}

/** Labels that an expression selects or groups by. */
export function labelsIn(expression: string): ReadonlySet<string> {
  return textsOf(expression, 'LabelName')
}

function textsOf(expression: string, node: string): ReadonlySet<string> {
  const texts = new Set<string>()
  parser.parse(expression).iterate({
    enter: ({name, from, to}) => {
      if (name === node) texts.add(expression.slice(from, to))
    },
  })
  return texts
}
