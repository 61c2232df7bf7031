import {parseSortBy} from '../report/output-format.ts'
import type {RenderStyle} from '../report/style.ts'
import {parseChoice} from './flags/values.ts'

/** The flags that say how a report looks, as oclif gives them. */
export interface StyleFlagValues {
  readonly show?: string
  readonly 'no-headers'?: boolean
  readonly 'sort-by'?: string | undefined
  readonly cert?: boolean
}

/** What of a style the flags alone say. Throws RunError (usage) for a value that is none. */
export function readStyle(flags: StyleFlagValues): Pick<RenderStyle, 'headers' | 'show' | 'cert' | 'sortBy'> {
  return {
    headers: flags['no-headers'] !== true,
    show: parseChoice(flags.show ?? 'auto', 'show', ['auto', 'all', 'problems']),
    cert: flags.cert ?? true,
    ...(flags['sort-by'] !== undefined && {sortBy: parseSortBy(flags['sort-by'])}),
  }
}
