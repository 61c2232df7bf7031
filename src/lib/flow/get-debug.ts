import type {Answerer} from '../domain/access.ts'
import type {AnswerPart} from '../domain/answer.ts'
import {type Failure, ProbeError} from '../domain/failure.ts'
import {type Pod, podKey} from '../domain/pod.ts'
import {type Question, wordsOf} from '../domain/question.ts'
import {portsOf} from '../plan/plan-questions.ts'
import {asTimeout, startDeadline, within} from './deadline.ts'

/** Bytes of a refusal's body that go into the message. */
const MAX_REFUSAL_BYTES = 300

/**
 * One raw answer as it streams. Throws ProbeError where none came, where its status is not 200, and where it breaks in
 * the middle; what came before has then been given.
 */
export async function* getDebug(
  pod: Pod,
  question: Question,
  answerer: Answerer,
  deadlineMs: number,
  nowMs: number,
  run: AbortSignal,
): AsyncGenerator<Uint8Array> {
  using deadline = startDeadline(run, deadlineMs, nowMs)
  await using conversation = answerer.open(pod, portsOf([question]), deadline.atMs)
  const attempt = `Cannot read ${pathOf(question)} of ${podKey(pod)}`
  try {
    const answer = await within(conversation.ask(question, deadline.signal), deadline.signal)
    // One path is one part. To leave this loop is to let go of the connection, so the body is given inside it.
    for await (const part of answer.parts) {
      if (part.status !== 200) throw new ProbeError(await refusal(part, attempt, logCommand(pod, question)))
      for await (const chunk of part.body) {
        deadline.signal.throwIfAborted()
        yield chunk
      }
    }
  } catch (error) {
    throw asTimeout(error, attempt, 'fetch') ?? error
  }
}

async function refusal({status, body}: AnswerPart, attempt: string, log: string): Promise<Failure> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= MAX_REFUSAL_BYTES) break
  }
  const [line = ''] = Buffer.concat(chunks).toString('utf8', 0, MAX_REFUSAL_BYTES).trim().split('\n')
  const message = `${attempt}: HTTP ${status}${line === '' ? '' : `: ${line}`}`
  const hint = status === 404 ? 'This version of it may not have that path' : `Try again, or see why: ${log}`
  return {stage: 'fetch', code: 'http-status', message, hint}
}

function pathOf({forms: [form]}: Question): string {
  return wordsOf(form).join(', ')
}

function logCommand({namespace, name}: Pod, {container}: Question): string {
  return `kubectl logs ${name} -n ${namespace} -c ${container}`
}
