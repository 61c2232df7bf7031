import {Chalk, type ChalkInstance} from 'chalk'
import type {Tone} from '../view.ts'

/** Gives text its colour. */
export type Paint = (text: string, tone: Tone | 'head' | undefined) => string

/** Colours of a terminal's own sixteen, or none. */
export function paintWith(colour: boolean): Paint {
  const chalk = new Chalk({level: colour ? 1 : 0})
  const brushes: Readonly<Record<Tone | 'head', ChalkInstance>> = {
    good: chalk.green,
    warn: chalk.yellow,
    bad: chalk.red,
    dim: chalk.dim,
    head: chalk.bold,
  }
  return (text, tone) => (tone === undefined ? text : brushes[tone](text))
}
