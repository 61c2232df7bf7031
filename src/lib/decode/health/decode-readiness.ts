import type {Answer, AnswerPart} from '../../domain/answer.ts'
import type {Observation} from '../../domain/observation.ts'
import type {ReadinessSeen} from '../../domain/health-seen.ts'
import type {Subject} from '../content-error.ts'
import {explainRefusal} from '../explain-refusal.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'
import {readBeginning} from '../text/read-beginning.ts'
import {readVerdict} from './read-verdict.ts'

/** More than any of them says; a document that is cut off is none. */
const ENOUGH_CHARACTERS = 64 * 1024

/**
 * Whether a side is ready, by its own endpoint: that it is not is told by status (pilot-agent and istiod say 503 and no
 * word, ztunnel 500 with a text, Envoy 503 with its state), and by some with status 200 in the text alone.
 */
export async function decodeReadiness(answer: Answer): Promise<readonly Observation[]> {
  const {side, source} = answer.question
  const seen: Omit<ReadinessSeen, 'by'>[] = []
  const {unusable, dated} = await readParts(answer, async (part) => {
    const said = await readPart({name: `answer of ${source}`, part})
    seen.push({type: 'readiness', side, status: part.status, ...said})
  })
  const by = spokenBy(answer, dated)
  return [...seen.map((one) => ({...one, by})), ...unusable]
}

async function readPart(subject: Subject): Promise<Pick<ReadinessSeen, 'ready' | 'text'>> {
  const {part} = subject
  const text = await readBeginning(part.body, ENOUGH_CHARACTERS)
  const refusal = explainRefusal(subject, text)
  // Of a refusal only that of an endpoint which is there, and answers for itself, is a word on readiness.
  const isItsOwn = refusal.failure.code === (isGood(part) ? 'bad-payload' : 'http-status')
  if (!isItsOwn || (!isGood(part) && part.status < 500)) throw refusal
  const {isBad, words} = readVerdict(text)
  return {ready: isGood(part) && !isBad, ...(words !== '' && {text: words})}
}

/** 200 alone: no readiness endpoint of these kinds says anything else that is good. */
function isGood({status}: AnswerPart): boolean {
  return status === 200
}
