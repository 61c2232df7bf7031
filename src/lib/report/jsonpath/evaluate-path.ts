import type {JsonPath, Operand, Operator, Step} from './json-path.ts'

/** Values that a path leads to from `current`, in order; what is missing leads to none. */
export function evaluatePath(path: JsonPath, current: unknown, root: unknown): readonly unknown[] {
  return path.steps.reduce<readonly unknown[]>(
    (values, step) => values.flatMap((value) => follow(step, value, root)),
    [path.fromRoot ? root : current],
  )
}

function follow(step: Step, value: unknown, root: unknown): readonly unknown[] {
  const {type} = step
  if (type === 'field') return isObject(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : []
  if (type === 'wildcard') return children(value)
  if (type === 'descend') return descendants(value)
  if (type === 'union') return step.steps.flatMap((each) => follow(each, value, root))
  if (type === 'filter') return children(value).filter((child) => holds(step, child, root))
  if (!Array.isArray(value)) return []
  if (type === 'index') return value.slice(step.index, step.index === -1 ? undefined : step.index + 1)
  return value.slice(step.from, step.to).filter((_, index) => index % step.stride === 0)
}

function holds({left, test}: Step & {type: 'filter'}, child: unknown, root: unknown): boolean {
  const [value, ...more] = operandValues(left, child, root)
  if (test === undefined) return value !== undefined
  const [other, ...others] = operandValues(test.right, child, root)
  // As in kubectl, what is missing on either side fulfils no comparison, != included.
  if (value === undefined || other === undefined || more.length > 0 || others.length > 0) return false
  return compares(value, test.operator, other)
}

function compares(left: unknown, operator: Operator, right: unknown): boolean {
  if (operator === '==') return left === right
  if (operator === '!=') return left !== right
  const isOrdered =
    (typeof left === 'number' && typeof right === 'number') || (typeof left === 'string' && typeof right === 'string')
  if (!isOrdered) return false
  if (operator === '<') return left < right
  if (operator === '<=') return left <= right
  return operator === '>' ? left > right : left >= right
}

function operandValues(operand: Operand, child: unknown, root: unknown): readonly unknown[] {
  return 'path' in operand ? evaluatePath(operand.path, child, root) : [operand.literal]
}

function children(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return isObject(value) ? Object.values(value) : []
}

function descendants(value: unknown): readonly unknown[] {
  return [value, ...children(value).flatMap(descendants)]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
