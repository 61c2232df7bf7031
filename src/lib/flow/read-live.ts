import pMap from 'p-map'
import type {Answerer, Conversation} from '../domain/access.ts'
import type {Agent} from '../domain/agent.ts'
import {type Failure, ProbeError} from '../domain/failure.ts'
import type {Observation} from '../domain/observation.ts'
import {type Pod, podKey} from '../domain/pod.ts'
import {type Question, wordsOf} from '../domain/question.ts'
import type {Asked} from '../compare/evidence.ts'
import type {DecodeContext} from '../decode/decode-context.ts'
import {decode} from '../decode/decode.ts'
import {hasNothingToAsk, planQuestions, portsOf, sharedKey} from '../plan/plan-questions.ts'
import type {Wants} from '../plan/plan.ts'
import {asTimeout, type Deadline, startDeadline, within} from './deadline.ts'
import type {Reading} from './reading.ts'
import type {SharedAnswers} from './shared-answers.ts'

/** Rounds after which a plan that still has questions is a bug of the plan: pages of a list take one each. */
const MAX_ROUNDS = 7

/** More than both sides of a pod have sources; a gateway may have a hundred Secrets. */
const QUESTIONS_AT_ONCE = 16

/** What reading a live pod needs beside the pod. */
export interface LiveReading {
  readonly answerer: Answerer
  readonly shared: SharedAnswers
  readonly wants: Wants
  readonly decodeContext: DecodeContext
  /** A pod, dial to decode. */
  readonly deadlineMs: number
  readonly nowMs: () => number
  /** Signal of the whole run, for what many pods share. */
  readonly runSignal: AbortSignal
  /** Another look at a pod: what is shared is taken from no more than half of `settleMs` before it. */
  readonly isAgain: boolean
  /** Between two looks of which the second confirms the first, ms. */
  readonly settleMs: number
  /** Told of each question when it is over, where somebody wants to know. */
  readonly trace?: (text: string) => void
}

/** Asks a pod round by round, both sides at the same moment, until the plan has nothing new to ask. */
export async function readLive(pod: Pod, agent: Agent, signal: AbortSignal, with_: LiveReading): Promise<Reading> {
  using deadline = startDeadline(signal, with_.deadlineMs, with_.nowMs())
  const observations: Observation[] = []
  const failures: Failure[] = []
  const sources: Asked['sources'][number][] = []
  let conversation: Conversation | undefined
  try {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const plan = planQuestions({pod, agent, wants: with_.wants, observations, round})
      failures.push(...plan.failures)
      for (const {source, side} of plan.failures) {
        if (source !== undefined && side !== undefined) sources.push({source, side})
      }
      if (plan.questions.length === 0) break
      conversation ??= with_.answerer.open(pod, portsOf(plan.questions), deadline.atMs)
      const line = conversation
      const replies = await pMap(
        plan.questions,
        async (question) => await attempt(pod, question, line, deadline, with_),
        {concurrency: QUESTIONS_AT_ONCE},
      )
      for (const [index, reply] of replies.entries()) {
        const question = plan.questions[index]
        if (question === undefined) continue
        sources.push({source: question.source, side: question.side})
        if (reply.failure === undefined) observations.push(...reply.observations)
        else failures.push(reply.failure)
      }
    }
  } finally {
    await conversation?.[Symbol.asyncDispose]()
  }
  const asked = {sources, excluded: with_.wants.exclude, ...(hasNothingToAsk(agent, with_.wants) && {isNothing: true})}
  return {observations, failures, asked}
}

type Reply = {readonly observations: readonly Observation[]; readonly failure?: undefined} | {readonly failure: Failure}

/** The one door where a thrown failure becomes data. The run's own end passes through. */
async function attempt(
  pod: Pod,
  question: Question,
  conversation: Conversation,
  deadline: Deadline,
  with_: LiveReading,
): Promise<Reply> {
  const {signal} = deadline
  const key = sharedKey(pod, question)
  const begunMs = with_.nowMs()
  const told = (outcome: string): void => {
    const forms = question.forms.map((form) => wordsOf(form).join(' + ')).join(', else ')
    with_.trace?.(`${podKey(pod)}: ${question.source} ${forms}: ${outcome}, ${with_.nowMs() - begunMs} ms`)
  }
  try {
    const observations =
      key === undefined
        ? await within(askOwn(question, conversation, deadline, with_), signal)
        : await within(
            with_.shared.once(
              key,
              with_.isAgain ? begunMs - with_.settleMs / 2 : Number.NEGATIVE_INFINITY,
              async () => await askShared(pod, question, with_),
            ),
            signal,
          )
    told(`${observations.length} observations`)
    // What many pods share is told alike for all of them.
    return {observations: key === undefined ? observations.map((one) => namePod(one, pod)) : observations}
  } catch (error) {
    const known = asTimeout(error, `Cannot read ${question.source} of ${podKey(pod)}`, 'fetch') ?? error
    if (!(known instanceof ProbeError)) throw error
    told(known.failure.code)
    return {failure: {side: question.side, source: question.source, ...ofOther(question, known.failure)}}
  }
}

/** What fails at another pod: that it has gone does not make this one go, and what helps is to look at it. */
function ofOther({at}: Question, failure: Failure): Failure {
  if (at === undefined) return failure
  if (failure.code === 'pod-gone') return {...failure, code: 'pod-not-running'}
  if (failure.code !== 'port-closed') return failure
  return {...failure, hint: `See whether it is ready: kubectl -n ${at.namespace} get pod ${at.name}`}
}

/** What is of this pod alone, from itself or from another pod that speaks for it. */
async function askOwn(
  question: Question,
  conversation: Conversation,
  {signal, atMs}: Deadline,
  with_: LiveReading,
): Promise<readonly Observation[]> {
  if (question.at === undefined) return await askOnce(question, conversation, signal, with_)
  await using line = with_.answerer.open(question.at, portsOf([question]), atMs)
  return await askOnce(question, line, signal, with_)
}

/** Decoders know an answer, not whose it is. */
function namePod(observation: Observation, pod: Pod): Observation {
  if (observation.type !== 'unusable' || observation.failure.message.includes(podKey(pod))) return observation
  const {failure} = observation
  return {...observation, failure: {...failure, message: `In ${podKey(pod)}: ${failure.message}`}}
}

async function askOnce(
  question: Question,
  conversation: Conversation,
  signal: AbortSignal,
  with_: LiveReading,
): Promise<readonly Observation[]> {
  const observations = await decode(await conversation.ask(question, signal), with_.decodeContext)
  if (!observations.some(isCutOff)) return observations
  // An answer cut off in the middle is asked for once more: connections drop, and half a dump tells nothing.
  return await decode(await conversation.ask(question, signal), with_.decodeContext)
}

function isCutOff(observation: Observation): boolean {
  if (observation.type !== 'unusable') return false
  return observation.failure.code === 'cut-off' || observation.failure.code === 'connection-lost'
}

/** What many pods share is asked on a line and under a deadline of its own, not under those of whoever came first. */
async function askShared(pod: Pod, question: Question, with_: LiveReading): Promise<readonly Observation[]> {
  using deadline = startDeadline(with_.runSignal, with_.deadlineMs, with_.nowMs())
  await using conversation = with_.answerer.open(question.at ?? pod, portsOf([question]), deadline.atMs)
  try {
    return await within(askOnce(question, conversation, deadline.signal, with_), deadline.signal)
  } catch (error) {
    throw asTimeout(error, `Cannot read ${question.source}`, 'fetch') ?? error
  }
}
