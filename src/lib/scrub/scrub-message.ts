import {ProbeError} from '../domain/failure.ts'
import {BodyScrubber} from './body-scrubber.ts'

/** Takes key material out of a text in hand, such as what a server says in place of an answer. */
export function scrubMessage(text: string): string {
  const scrubber = new BodyScrubber()
  try {
    return Buffer.concat([...scrubber.push(Buffer.from(text)), ...scrubber.end()]).toString()
  } catch (error) {
    if (error instanceof ProbeError) return '(a text that cannot be looked through)'
    throw error
  } finally {
    scrubber.clear()
  }
}
