import type {AnswerPart} from '../domain/answer.ts'
import {type FailureCode, ProbeError} from '../domain/failure.ts'

/** What a decoder reads, for its messages: `Envoy config dump`. */
export interface Subject {
  readonly name: string
  readonly part: AnswerPart
  /** What to do about a refusal, by its code. */
  readonly hints?: Partial<Record<FailureCode, string>>
}

/** A content problem of a part: `Cannot read the Envoy config dump from /config_dump: cut off after 1111 bytes`. */
export function contentError(subject: Subject, code: FailureCode, reason: string, hint?: string): ProbeError {
  return new ProbeError({
    stage: 'decode',
    code,
    message: `Cannot read the ${subject.name} from ${subject.part.path}: ${reason}`,
    ...(hint === undefined ? {} : {hint}),
  })
}
