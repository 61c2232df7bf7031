import stringWidth from 'string-width'
import {graphemes} from './graphemes.ts'

/** Text as lines of at most `width` characters on a screen (1 or more), broken after blanks, commas and slashes if it can be. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  const close = (): void => {
    lines.push(line.trimEnd())
    line = ''
  }
  for (const [word] of text.matchAll(/[^ ,/]*[ ,/]?/g)) {
    if (stringWidth(line) + stringWidth(word.trimEnd()) <= width) {
      line += word
      continue
    }
    if (line !== '') close()
    for (const character of graphemes(word)) {
      if (stringWidth(line) + stringWidth(character) > width && line !== '') close()
      line += character
    }
  }
  if (line !== '' || lines.length === 0) close()
  return lines
}
