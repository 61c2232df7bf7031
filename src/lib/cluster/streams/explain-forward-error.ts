import {ProbeError} from '../../domain/failure.ts'
import type {PodRef} from '../../domain/pod.ts'
import {oneLine} from '../foreign-text.ts'
import {podName} from '../pod-path.ts'
import {readStreamText, type StreamText} from './stream-texts.ts'

const CLOSED =
  'The proxy may be starting, its admin interface may be off or on another port (--proxy-admin-port), or it may listen on ::1 while the node tries 127.0.0.1'

const REFUSED = /refused|no suitable address found/iu
const TIMED_OUT = /i\/o timeout|timed? ?out|deadline exceeded/iu
const LOST =
  /^(?:.*: )?EOF$|lost connection|connection reset|broken pipe|closed network connection|namespace .*closed/iu

/**
 * Works out what a text on a port's error channel means. An empty text, or a bare `EOF`, is a connection that was
 * lost before the answer was complete.
 */
export function explainForwardError(text: string, port: number, pod: PodRef): ProbeError {
  // The cause stands last, behind names of any length: the text is shortened only where it is shown.
  const line = text.replaceAll(/\s+/gu, ' ').trim()
  const {stage, code, says, hint} = readStreamText(line) ?? explainDial(line)
  return new ProbeError({
    stage,
    code,
    message: `Cannot reach port ${port} of ${podName(pod)}: ${says}`,
    ...(hint !== undefined && {hint}),
  })
}

function explainDial(line: string): StreamText {
  if (REFUSED.test(line)) return {stage: 'dial', code: 'port-closed', says: 'connection refused', hint: CLOSED}
  if (TIMED_OUT.test(line)) {
    return {stage: 'fetch', code: 'timeout', says: 'the port does not answer in its pod', hint: CLOSED}
  }
  const lost = {stage: 'fetch', code: 'connection-lost', hint: 'The pod may have restarted: try again'} as const
  if (line === '' || /^(?:.*: )?EOF$/u.test(line)) return {...lost, says: 'the connection ended before an answer came'}
  if (LOST.test(line)) return {...lost, says: 'the connection was lost'}
  return {...lost, says: oneLine(line)}
}
