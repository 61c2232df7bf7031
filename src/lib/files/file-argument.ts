import {RunError} from '../domain/failure.ts'
import type {Side} from '../domain/question.ts'

/** One `--file`. */
export interface FileArgument {
  /** Whose answer it is, where the user says so. */
  readonly side?: Side
  /** As typed; `-` is standard input. */
  readonly path: string
}

/** Reads `[SIDE=]PATH`; only `agent=` and `proxy=` are prefixes. Throws RunError (usage) where there is no path. */
export function parseFileArgument(text: string): FileArgument {
  const [, side, rest = ''] = /^(agent|proxy)=([^]*)$/.exec(text) ?? []
  const argument: FileArgument = side === 'agent' || side === 'proxy' ? {side, path: rest} : {path: text}
  if (argument.path === '') {
    throw new RunError(2, 'bad-flag', `Bad value for --file: no path in ${JSON.stringify(text)}`, [
      'Give a path, - for standard input, or agent=PATH and proxy=PATH to say whose it is',
    ])
  }
  return argument
}

/** What a file is called in messages. */
export function fileName({path}: FileArgument): string {
  return path === '-' ? 'standard input' : path
}

/** The base name up to its first dot: `cart-1` of `dumps/cart-1.config_dump.json`. */
export function stemOf({path}: FileArgument): string {
  if (path === '-') return 'stdin'
  const base =
    path
      .split(/[/\\]/)
      .filter((part) => part !== '')
      .at(-1) ?? path
  const dot = base.indexOf('.', 1)
  return dot < 0 ? base : base.slice(0, dot)
}
