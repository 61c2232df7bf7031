import type {Subject} from '../content-error.ts'
import {contentError} from '../content-error.ts'
import {scanJson} from './scan-json.ts'

/** A small JSON document as a whole. Throws ProbeError as `scanJson` does, and where it is too large to hold. */
export async function readJson(
  subject: Subject,
): Promise<{readonly value: unknown; readonly notes: readonly string[]}> {
  let value: unknown
  let large = false
  const notes = await scanJson(subject, {
    choose: () => 'keep',
    keep(_, document) {
      value = document
    },
    tooLarge() {
      large = true
    },
    isWanted: () => true,
  })
  if (large) throw contentError(subject, 'too-large', 'larger than this kind of answer ever is')
  return {value, notes}
}
