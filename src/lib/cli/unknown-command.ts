import {RunError} from '../domain/failure.ts'
import {EXIT_CODES} from './exit-codes.ts'
import {slips} from './nearest.ts'

/** Letters that may be wrong in a word for it to be a slip. */
const MAX_SLIPS = 2

/** Why there is no such command, with those that may be meant. `ids` are with blanks: `secrets diff`. */
export function unknownCommand(argv: readonly string[], ids: readonly string[], bin: string): RunError {
  const end = argv.findIndex((word) => word.startsWith('-'))
  const words = end === -1 ? argv : argv.slice(0, end)
  const topics = new Set(ids.flatMap((id) => id.split(' ').slice(0, -1)))
  const [first] = words
  if (first === undefined) {
    return new RunError(EXIT_CODES.usage.code, 'no-command', `Expected a command, got ${JSON.stringify(argv[0])}`, [
      `Flags follow the command: ${bin} COMMAND ${argv[0] ?? ''} …`,
    ])
  }
  const siblings = topics.has(first) ? ids.filter((id) => id.startsWith(`${first} `)) : ids
  const close = ids.filter((id) => isClose(id, words))
  const asked = words.slice(0, topics.has(first) ? 2 : 1).join(' ')
  return new RunError(EXIT_CODES.usage.code, 'unknown-command', `No command ${JSON.stringify(asked)}`, [
    ...(first === 'version' ? [`${bin} --version tells it`] : []),
    ...close.map((id) => `Did you mean: ${bin} ${id}`),
    ...(close.length > 0 || first === 'version' ? [] : [`The commands are ${siblings.join(', ')}`]),
  ])
}

/** Whether the first words are the command's but for slips, or its last word alone: `diff` for `secrets diff`. */
function isClose(id: string, words: readonly string[]): boolean {
  const parts = id.split(' ')
  const typed = words.slice(0, parts.length).join(' ')
  return slips(id, typed) <= MAX_SLIPS || parts.at(-1) === words[0]
}
