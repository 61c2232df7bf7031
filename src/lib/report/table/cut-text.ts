import stringWidth from 'string-width'
import type {Cut} from '../view.ts'
import {graphemes} from './graphemes.ts'

const MARK = '…'

/** Letters of the rest below which a first word stands better alone. */
const LEAST_REST = 4

/** Text that takes at most `width` characters on a screen (1 or more), with `…` for what was cut out. */
export function cutText(text: string, width: number, where: Cut): string {
  if (stringWidth(text) <= width) return text
  if (where === 'after-word') {
    const word = firstWord(text)
    const least = stringWidth(word)
    if (least <= width && width < least + ': '.length + LEAST_REST + MARK.length) return word
  }
  const room = width - stringWidth(MARK)
  const tailRoom = where === 'middle' ? Math.floor(room / 2) : 0
  const parts = graphemes(text)
  const head = fill(parts, room - tailRoom)
  const tail = fill(parts.toReversed(), tailRoom)
  return head.join('') + MARK + tail.toReversed().join('')
}

/** What `after-word` keeps: `MISMATCH` of `MISMATCH: proxy is stale`, `false` of `false (EXPIRED)`. */
export function firstWord(text: string): string {
  return /^[^\s:]*/.exec(text)?.[0] ?? ''
}

function fill(parts: readonly string[], room: number): readonly string[] {
  let used = 0
  const end = parts.findIndex((part) => (used += stringWidth(part)) > room)
  return end === -1 ? parts : parts.slice(0, end)
}
