import stringWidth from 'string-width'

const MARK = '…'

/** Characters as a reader counts them: an emoji or a letter with its accents is one. */
const characters = new Intl.Segmenter('en', {granularity: 'grapheme'})

/** Text that takes at most `width` characters on a screen, with `…` for what was cut out. */
export function cutText(text: string, width: number, where: 'middle' | 'end'): string {
  if (stringWidth(text) <= width) return text
  const room = width - 1
  const tailRoom = where === 'middle' ? Math.floor(room / 2) : 0
  const parts = Array.from(characters.segment(text), ({segment}) => segment)
  const head = fill(parts, room - tailRoom)
  const tail = fill(parts.toReversed(), tailRoom)
  return head.join('') + MARK + tail.toReversed().join('')
}

function fill(parts: readonly string[], room: number): readonly string[] {
  let used = 0
  const end = parts.findIndex((part) => (used += stringWidth(part)) > room)
  return end === -1 ? parts : parts.slice(0, end)
}
