/** One line of the Prometheus text format. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)\s*(?:\{(.*)\})?\s*(\S+)(?:\s+-?\d+)?\s*$/
const LABEL = /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*,?/gy

/** Reads a sample; `undefined` for comments, blank lines, and what is no sample. */
export function parseSample(line: string): Sample | undefined {
  const match = LINE.exec(line)
  if (match === null) return undefined
  const [, name = '', labels = '', value = ''] = match
  const number = parseValue(value)
  if (number === undefined) return undefined
  return {name, labels: Object.fromEntries(parseLabels(labels)), value: number}
}

function parseLabels(text: string): [string, string][] {
  return [...text.matchAll(LABEL)].map(([, name = '', value = '']) => [
    name,
    value.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped)),
  ])
}

function parseValue(text: string): number | undefined {
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  if (/^nan$/i.test(text)) return Number.NaN
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined
}
