/** A value that a filter compares: a path, or a word, number or truth value as it stands. */
export type Operand = {readonly path: JsonPath} | {readonly literal: string | number | boolean}

export type Operator = '==' | '!=' | '<=' | '>=' | '<' | '>'

/** One step from values to the next ones. */
export type Step =
  | {readonly type: 'field'; readonly name: string}
  | {readonly type: 'wildcard'}
  /** The value and everything in it. */
  | {readonly type: 'descend'}
  | {readonly type: 'index'; readonly index: number}
  | {readonly type: 'slice'; readonly from?: number; readonly to?: number; readonly stride: number}
  | {readonly type: 'union'; readonly steps: readonly Step[]}
  | {
      readonly type: 'filter'
      readonly left: Operand
      readonly test?: {readonly operator: Operator; readonly right: Operand}
    }

/** A path in kubectl's dialect of JSONPath. */
export interface JsonPath {
  /** From the whole document, wherever it is used (`$`); else from the value at hand. */
  readonly fromRoot: boolean
  readonly steps: readonly Step[]
}

/** Whether the path, or a filter in it, looks at the whole document. */
export function looksAtRoot({fromRoot, steps}: JsonPath): boolean {
  return fromRoot || steps.some(stepLooksAtRoot)
}

function stepLooksAtRoot(step: Step): boolean {
  if (step.type === 'union') return step.steps.some(stepLooksAtRoot)
  if (step.type !== 'filter') return false
  const operands = step.test === undefined ? [step.left] : [step.left, step.test.right]
  return operands.some((operand) => 'path' in operand && looksAtRoot(operand.path))
}
