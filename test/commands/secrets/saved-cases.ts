import {resolve} from 'node:path'
import type {RowFacts} from './told-rows.ts'

export const CASES = resolve(import.meta.dirname, '../../fixtures/cases')

/** When the certificates of most of these files are valid. */
export const NOW = '2026-06-01T12:00:00Z'

export interface Case {
  readonly name: string
  readonly folder: string
  /** As given to --file, from the folder. */
  readonly files: readonly string[]
  readonly now?: string
  readonly exitCode: number
  /** Codes of the pods' failures. */
  readonly failures?: readonly string[]
  readonly rows: readonly string[]
}

export interface Document {
  readonly items: readonly {
    readonly secrets: readonly RowFacts[]
    readonly failures: readonly {readonly code: string}[]
  }[]
}

export function fileArgs(folder: string, files: readonly string[]): readonly string[] {
  return files.flatMap((file) => ['-f', file.replace(/^(?:agent=|proxy=)?/, (side) => `${side}${CASES}/${folder}/`)])
}
