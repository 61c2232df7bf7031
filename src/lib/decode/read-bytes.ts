import {contentError, type Subject} from './content-error.ts'
import {refuseBadStatus} from './explain-refusal.ts'

/** Far above any file of certificates. */
const MAX_BYTES = 16 * 1024 * 1024

/** A part's body as a whole. Throws ProbeError where the status is not 200, or the body is empty or too large. */
export async function readBytes(subject: Subject): Promise<Uint8Array> {
  await refuseBadStatus(subject)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of subject.part.body) {
    size += chunk.length
    if (size > MAX_BYTES) throw contentError(subject, 'too-large', `larger than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  if (size === 0) throw contentError(subject, 'empty-answer', 'an empty answer')
  return Buffer.concat(chunks)
}
