import type {Io} from './io.ts'

/** Whether stdout gets colours: the flag, then FORCE_COLOR and NO_COLOR, then the terminal. */
export function hasColor(flag: string, io: Io): boolean {
  if (flag !== 'auto') return flag === 'always'
  const {NO_COLOR, FORCE_COLOR, TERM} = io.env
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0'
  return io.isStdoutTerminal && TERM !== 'dumb'
}
