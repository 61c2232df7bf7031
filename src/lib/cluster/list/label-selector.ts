import type {LabelRequirement} from '../../domain/label-selector.ts'
import {fieldsOf, listOf, textOf, textsOf} from '../narrow.ts'

/**
 * The requirements of an owner's selector: `matchLabels` with `matchExpressions`, or the plain map of a Service or
 * ReplicationController. `undefined` where it selects by nothing, or by an operator that is not known.
 */
export function readLabelSelector(selector: unknown): readonly LabelRequirement[] | undefined {
  const fields = fieldsOf(selector)
  const isStructured = 'matchLabels' in fields || 'matchExpressions' in fields
  const equal = Object.entries(textsOf(isStructured ? fields['matchLabels'] : fields)).map(
    ([key, value]): LabelRequirement => ({key, operator: 'In', values: [value]}),
  )
  const expressions = isStructured ? listOf(fields['matchExpressions']).map(readExpression) : []
  const all = [...equal, ...expressions]
  const known = all.filter((requirement) => requirement !== undefined)
  return known.length === 0 || known.length < all.length ? undefined : known
}

function readExpression(value: unknown): LabelRequirement | undefined {
  const {key, operator, values} = fieldsOf(value)
  const name = textOf(key)
  if (name === undefined) return undefined
  switch (operator) {
    case 'In':
    case 'NotIn':
      return {key: name, operator, values: listOf(values).filter((item) => typeof item === 'string')}
    case 'Exists':
    case 'DoesNotExist':
      return {key: name, operator, values: []}
    default:
      return undefined
  }
}

/** The requirements as the API server reads them in a query. */
export function writeLabelSelector(requirements: readonly LabelRequirement[]): string {
  return requirements
    .map(({key, operator, values}) => {
      if (operator === 'Exists') return key
      if (operator === 'DoesNotExist') return `!${key}`
      const [only] = values
      if (operator === 'Gt' || operator === 'Lt') return `${key}${operator === 'Gt' ? '>' : '<'}${only}`
      if (operator === 'In' && values.length === 1) return `${key}=${only}`
      return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`
    })
    .join(',')
}
