import type {Io} from './io.ts'

/** Whether stdout gets colours: the flag, then NO_COLOR and FORCE_COLOR, then whether a person sits at its terminal. */
export function hasColor(flag: string, io: Pick<Io, 'env' | 'isStdoutTerminal'>): boolean {
  if (flag !== 'auto') return flag === 'always'
  const {NO_COLOR, FORCE_COLOR, TERM} = io.env
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0'
  return io.isStdoutTerminal && TERM !== 'dumb' && !isCi(io.env)
}

/** Whether a machine runs us, by what CI systems set. */
export function isCi({CI}: Io['env']): boolean {
  return CI !== undefined && CI !== '' && CI !== 'false'
}
