import stringWidth from 'string-width'
import {escapeText} from '../escape-text.ts'
import type {Cell, Tone} from '../view.ts'
import {cutText} from './cut-text.ts'

/** Longest cell, in characters on the screen: foreign text of any length must not widen every line of a table. */
const LONGEST = 1000

const LETTERS: Readonly<Record<Tone, string>> = {good: 'g', warn: 'w', bad: 'b', dim: 'd'}

/** What a cell without text shows. */
export const EMPTY = '-'

/** After the tone of a cell that spills. */
const SPILLS = '>'

const TONES: Readonly<Record<string, Tone>> = {g: 'good', w: 'warn', b: 'bad', d: 'dim'}

/** A line's cells as one text: many lines are held at once, and this takes a third of what objects take. */
export type PackedLine = string

/** Escapes and packs, up to a cell that spills. No cell holds a line break once it is escaped. */
export function packLine(cells: readonly Cell[]): PackedLine {
  const end = cells.findIndex(({spills}) => spills === true)
  const kept = end === -1 ? cells : cells.slice(0, end + 1)
  const tones = kept.map(({tone}) => (tone === undefined ? '-' : LETTERS[tone])).join('')
  return [tones + (end === -1 ? '' : SPILLS), ...kept.map(({text}) => printable(text))].join('\n')
}

/** The cells again, escaped; an empty one as `-`. */
export function unpackLine(packed: PackedLine): readonly Cell[] {
  const [tones = '', ...texts] = packed.split('\n')
  return texts.map((text, index) => {
    const tone = TONES[tones[index] ?? '']
    return {
      text,
      ...(tone === undefined ? {} : {tone}),
      ...(tones[index + 1] === SPILLS ? {spills: true} : {}),
    }
  })
}

/** Foreign text as a table shows it. */
export function printable(text: string): string {
  const escaped = escapeText(text.slice(0, LONGEST + 1))
  if (escaped === '') return EMPTY
  return stringWidth(escaped) > LONGEST ? cutText(escaped, LONGEST, 'end') : escaped
}
