import type {JsonPath} from './jsonpath/json-path.ts'

/** All that renderers know of the run and of the place they write to. */
export interface RenderStyle {
  /** The moment that is judged as of, ms since 1970: ages are counted to it. */
  readonly nowMs: number
  /** The moment of the report itself, ms since 1970. */
  readonly generatedAtMs: number
  /** Contexts that are asked; empty for files. */
  readonly contexts: readonly string[]
  readonly colour: boolean
  /** Of this program, as in `1.2.3`. */
  readonly version: string
  /** What a pipeline fails for: formats that say so say the same. */
  readonly failOn: 'fail' | 'warn'
  /** Characters a line, for a terminal; absent for a pipe or a file, which loses nothing. */
  readonly width?: number
  /** Tables have a head. */
  readonly headers: boolean
  readonly show: 'auto' | 'all' | 'problems'
  /** Orders the rows of a table; a path into a row joined with its pod's fields. */
  readonly sortBy?: JsonPath
  /** Documents hold the PEM of certificates. */
  readonly cert: boolean
}

/** Something worth telling on stderr. */
export type Note = (text: string) => void
