import type {Notice} from '../domain/access.ts'
import {podKey} from '../domain/pod.ts'
import type {Io} from './io.ts'
import {printable} from './printable.ts'

/** Distinct warnings kept apart; past that a server sends texts that never repeat. */
const MAX_DISTINCT = 1000

/** Warnings on stderr, once for each text, whichever pod or server they came from. */
export function createWarnings(io: Io): Notice {
  const seen = new Set<string>()
  return (text, about) => {
    if (seen.has(text) || seen.size >= MAX_DISTINCT) return
    seen.add(text)
    io.stderr.write(`Warning: ${about === undefined ? '' : `${podKey(about)}: `}${printable(text)}\n`)
  }
}
