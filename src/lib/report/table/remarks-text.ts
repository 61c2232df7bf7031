import {escapeText} from '../escape-text.ts'
import type {Remark} from '../view.ts'
import type {Paint} from './paint.ts'
import {wrapText} from './wrap-text.ts'

const GAP = 2

/** A paragraph below a table, broken where the terminal ends; each part of a line keeps its sign. A blank line comes first. */
export function remarksText(remarks: readonly Remark[], limit: number, paint: Paint): string {
  const widest = Math.max(0, ...remarks.map(({label}) => label.length))
  const lines = remarks.flatMap(({sign, label, text, tone}) => {
    const room = label === '' ? 0 : widest + GAP
    const pieces = wrapText(escapeText(text), Math.max(1, limit - sign.length - room))
    return pieces.map((piece, index) =>
      paint(`${sign}${(index === 0 ? label : '').padEnd(room)}${piece}`.trimEnd(), tone),
    )
  })
  return `\n${lines.join('\n')}\n`
}
