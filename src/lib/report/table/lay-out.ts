import Table from 'cli-table3'
import stringWidth from 'string-width'

/** Rows laid out at once: the library's time grows faster than the number of rows. */
const CHUNK = 50

/** Stands for one character of a cell. */
const SHAPE = '#'

const NO_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
}

/** A cell that is ready to print. */
export interface PrintCell {
  readonly text: string
  /** The text as it is painted. */
  readonly painted: string
  /** The last of its line, whatever its width. */
  readonly spills?: boolean
}

/**
 * Lines of a table without borders, in chunks of text; the last column is not padded. The library gets shapes in place
 * of cells: it measures by older rules of width than terminals, and cuts what it thinks too wide.
 */
export function* layOut(
  rows: Iterable<readonly PrintCell[]>,
  widths: readonly number[],
  gap: number,
): Generator<string> {
  let chunk: (readonly PrintCell[])[] = []
  for (const row of rows) {
    chunk.push(row)
    if (chunk.length < CHUNK) continue
    yield layOutChunk(chunk, widths, gap)
    chunk = []
  }
  if (chunk.length > 0) yield layOutChunk(chunk, widths, gap)
}

function layOutChunk(rows: readonly (readonly PrintCell[])[], widths: readonly number[], gap: number): string {
  const table = new Table({
    chars: NO_BORDERS,
    style: {head: [], border: [], 'padding-left': 0, 'padding-right': gap, compact: true},
    colWidths: widths.map((width) => width + gap),
  })
  table.push(...rows.map((row) => row.map(({text, spills}) => SHAPE.repeat(spills === true ? 1 : stringWidth(text)))))
  const texts = rows.flatMap((row) => row.filter(({text}) => stringWidth(text) > 0).map(({painted}) => painted))
  let next = 0
  return table
    .toString()
    .split('\n')
    .map((line) => `${line.trimEnd().replaceAll(/#+/g, () => texts[next++] ?? '')}\n`)
    .join('')
}
