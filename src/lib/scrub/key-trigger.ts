/*
 * Finds cheaply where a text may hold a private key: the last five base64 characters seen make a window, compared with
 * those that the words of a PEM header leave in each encoding. Windows that end at each of the last four characters of
 * the words are known, so that a window needs to be compared only every fourth character.
 */
import {CHARACTER} from './characters.ts'

const WORDS = 'PRIVATE KEY'
const WINDOW = 5
const STRIDE = 4
/** Keeps the last five base64 characters of a window. */
export const WINDOW_MASK = 2 ** (6 * WINDOW) - 1

/** Index, modulo 4, that a window's last character has in the base64 it stands in; -1 where it is plain text. */
const PHASES = new Map<number, number>()

/** Bloom filter over the windows, since nearly every window is none. */
const MAYBE = new Uint8Array(2048)

function slot(window: number): number {
  return (window ^ (window >>> 13)) & 2047
}

/** Whether a window is worth asking `isTrigger`: cheap, seldom true. */
export function mayTrigger(window: number): boolean {
  return MAYBE[slot(window)] === 1
}

/** The window after one more base64 character. */
export function slide(window: number, sextet: number): number {
  return ((window << 6) | sextet) & WINDOW_MASK
}

/** Whether a window is what `PRIVATE KEY` leaves in plain text, in base64, or in base64 of base64. */
export function isTrigger(window: number): boolean {
  return PHASES.has(window)
}

/** Where in its group of four the window's last character stands; undefined for plain text. */
export function phaseOf(window: number): number | undefined {
  const phase = PHASES.get(window)
  return phase === undefined || phase < 0 ? undefined : phase
}

/** Learns the windows that end at the last characters; `phase` is the very last one's. */
function learn(characters: string, phase: number): void {
  for (let back = 0; back < STRIDE; back++) {
    const end = characters.length - back
    let window = 0
    for (const character of characters.slice(end - WINDOW, end)) {
      window = slide(window, CHARACTER[character.charCodeAt(0)] ?? 0)
    }
    PHASES.set(window, phase < 0 ? phase : (phase - back + STRIDE) % 4)
    MAYBE[slot(window)] = 1
  }
}

/** The characters of a base64 that depend on `words` alone, with `before` bytes in front; and where they begin. */
function stableBase64(words: string, before: number): {characters: string; first: number} {
  const encoded = Buffer.concat([Buffer.alloc(before), Buffer.from(words)]).toString('base64')
  const first = Math.ceil((before * 8) / 6)
  const end = Math.floor(((before + words.length) * 8) / 6)
  return {characters: encoded.slice(first, end), first}
}

function learnBase64(words: string, levels: number): void {
  for (const before of [0, 1, 2]) {
    const {characters, first} = stableBase64(words, before)
    learn(characters, (first + characters.length - 1) % 4)
    if (levels > 1) learnBase64(characters, levels - 1)
  }
}

learn(WORDS.replaceAll(' ', ''), -1)
learnBase64(WORDS, 2)
