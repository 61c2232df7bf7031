import type {AnswerPart} from '../domain/answer.ts'
import {type FailureCode, ProbeError} from '../domain/failure.ts'

/** What a decoder reads, for its messages: `Envoy config dump`. */
export interface Subject {
  readonly name: string
  readonly part: AnswerPart
  /** What to do next, by the failure's code, where more is known of it. */
  readonly hints?: Partial<Record<FailureCode, string>>
}

/** What to do next, where the reader of an answer knows nothing better. They hold for files too. */
const NEXT_STEPS: Partial<Record<FailureCode, string>> = {
  'bad-payload': 'Look at what answered: it may be another program, or another endpoint of this one',
  'cut-off': 'Take it again: what came is not whole',
  'empty-answer': 'Take it again: whoever answered may not have been ready',
  forbidden: 'Whoever listens there refuses it, not the API server: another program may have the port',
  'http-status': 'Try again; if it stays so, the log of the container may tell why',
  'path-unknown': 'Another program, or another version of this one, may have answered',
  unauthorized: 'Whoever listens there wants a login, not the API server: another program may have the port',
}

/** A content problem of a part: `Cannot read the Envoy config dump from /config_dump: cut off after 1111 bytes`. */
export function contentError(
  subject: Subject,
  code: FailureCode,
  reason: string,
  hint: string | undefined = subject.hints?.[code] ?? NEXT_STEPS[code],
): ProbeError {
  return new ProbeError({
    stage: 'decode',
    code,
    message: `Cannot read the ${subject.name} from ${subject.part.path}: ${reason}`,
    ...(hint === undefined ? {} : {hint}),
  })
}
