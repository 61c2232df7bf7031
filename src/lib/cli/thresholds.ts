import {RunError} from '../domain/failure.ts'
import type {Left, Limit, Thresholds} from '../judge/thresholds.ts'
import {parseDuration} from './flags/values.ts'

const PLACES = ['leaf', 'intermediate', 'root'] as const
type Place = (typeof PLACES)[number]

/** `--warn-before` and `--fail-before`, as oclif gives them. */
export interface ThresholdFlagValues {
  readonly 'warn-before'?: readonly string[] | undefined
  readonly 'fail-before'?: readonly string[] | undefined
}

/**
 * Reads `30d`, `10%`, `root=180d`. A value without a place is for all that have none of their own. Throws RunError (usage)
 * for what is neither, for two of one place, and for a warning that comes after its failure.
 */
export function readThresholds(flags: ThresholdFlagValues): Thresholds {
  const warn = readLimits(flags['warn-before'] ?? [], 'warn-before')
  const fail = readLimits(flags['fail-before'] ?? [], 'fail-before')
  const limits = (place: Place) => {
    const [first, last] = [warn.get(place) ?? warn.get('all'), fail.get(place) ?? fail.get('all')]
    if (first !== undefined && last !== undefined && isLess(first, last))
      throw new RunError(
        2,
        'bad-flag',
        `${first.flag} is less than ${last.flag}: of a ${place} nothing would be warned of`,
      )
    return {...(first !== undefined && {warn: first}), ...(last !== undefined && {fail: last})}
  }
  return {leaf: limits('leaf'), intermediate: limits('intermediate'), root: limits('root')}
}

type GivenLimit = Limit & {readonly flag: string}

function readLimits(texts: readonly string[], flag: string): ReadonlyMap<Place | 'all', GivenLimit> {
  const limits = new Map<Place | 'all', GivenLimit>()
  for (const text of texts) {
    const [, name, rest] = /^([a-z]+)=(.*)$/s.exec(text) ?? []
    const place = name === undefined ? 'all' : PLACES.find((one) => one === name)
    if (place === undefined)
      throw new RunError(
        2,
        'bad-flag',
        `Bad value for --${flag}: expected leaf=, intermediate= or root= before the value, got ${JSON.stringify(text)}`,
      )
    if (limits.has(place)) {
      const of = place === 'all' ? 'without a place' : `for ${place}`
      throw new RunError(2, 'bad-flag', `Bad value for --${flag}: given twice ${of}`)
    }
    limits.set(place, {...readLeft(rest ?? text, flag), flag: `--${flag} ${text}`})
  }
  return limits
}

function readLeft(text: string, flag: string): Left {
  if (!text.endsWith('%')) return {ms: parseDuration(text, flag)}
  const percent = /^\d+(?:\.\d+)?%$/.test(text) ? Number(text.slice(0, -1)) : Number.NaN
  if (percent >= 0 && percent <= 100) return {share: percent / 100}
  throw new RunError(
    2,
    'bad-flag',
    `Bad value for --${flag}: expected a duration such as 30d, or a share such as 30%, got ${JSON.stringify(text)}`,
  )
}

/** Whether both are of one kind, and the first is the smaller one. */
function isLess(first: Left, last: Left): boolean {
  if (first.ms !== undefined && last.ms !== undefined) return first.ms < last.ms
  return first.share !== undefined && last.share !== undefined && first.share < last.share
}
