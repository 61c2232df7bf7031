import type {ProbeError} from '../domain/failure.ts'
import {contentError, type Subject} from './content-error.ts'

/** A whole dump beside another one of the same proxy: together they would tell of two moments as if they were one. */
export function secondDump(subject: Subject): ProbeError {
  return contentError(
    subject,
    'bad-payload',
    'another whole dump of this proxy was read before it',
    'Give one dump of a proxy; to compare two moments, run twice',
  )
}
