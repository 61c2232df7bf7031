import {expect, test} from '@jest/globals'
import {PodConversation} from '../../../src/lib/cluster/routes/pod-conversation.ts'
import type {PodRoute} from '../../../src/lib/cluster/routes/routes.ts'
import {ProbeError} from '../../../src/lib/domain/failure.ts'
import type {Question, Route} from '../../../src/lib/domain/question.ts'
import {failureOf, never, POD} from './fake-kubelet.ts'

const QUESTION: Question = {
  source: 'agent-metrics',
  side: 'agent',
  container: 'istio-proxy',
  forms: [{type: 'http', port: 15020, paths: ['/metrics'], bindsToPod: true, refusals: []}],
  routes: ['port-forward', 'pod-proxy', 'exec'],
  maxBytes: 1000,
}

interface Given {
  readonly route: Route
  readonly dialBudgetMs: number | undefined
  readonly timeLeftMs: number
}

/** A route that takes a second and is refused. */
function refused(route: Route, given: Given[], pass: () => void): PodRoute {
  return {
    route,
    obstacle: () => undefined,
    get({dialBudgetMs, timeLeftMs}) {
      given.push({route, dialBudgetMs: dialBudgetMs(), timeLeftMs: timeLeftMs()})
      pass()
      return Promise.reject(new ProbeError({stage: 'dial', code: 'upgrade-failed', message: `${route} is refused`}))
    },
    close: () => undefined,
  }
}

function conversation(given: Given[], deadlineAtMs?: number): PodConversation {
  let nowMs = 1000
  const pass = (): void => {
    nowMs += 1000
  }
  return new PodConversation({
    pod: POD,
    routes: QUESTION.routes.map((route) => refused(route, given, pass)),
    forbidden: new Map(),
    notice: () => undefined,
    allows: () => true,
    nowMs: () => nowMs,
    scrub: (body) => body,
    ...(deadlineAtMs !== undefined && {deadlineAtMs}),
  })
}

test('while another way can follow one gets a third of the time left, and the last one all of it', async () => {
  const given: Given[] = []

  await failureOf(conversation(given, 10_000).ask(QUESTION, never()))

  expect(given).toEqual([
    {route: 'port-forward', dialBudgetMs: 3000, timeLeftMs: 9000},
    {route: 'pod-proxy', dialBudgetMs: 8000 / 3, timeLeftMs: 8000},
    {route: 'exec', dialBudgetMs: undefined, timeLeftMs: 7000},
  ])
})

test('without a deadline only the signal ends a way', async () => {
  const given: Given[] = []

  await failureOf(conversation(given).ask(QUESTION, never()))

  expect(given.map(({dialBudgetMs}) => dialBudgetMs)).toEqual([undefined, undefined, undefined])
})

test('a large body is worked through piece by piece, none longer than all before it, and only as far as it is read', async () => {
  const body = Buffer.from(Array.from({length: 10_000}, (_, index) => index % 251))
  const scrubbed: number[] = []
  const line = conversationWith(body, scrubbed)

  const pieces: Uint8Array[] = []
  for await (const part of (await line.ask({...QUESTION, maxBytes: 10_000}, never())).parts) {
    for await (const piece of part.body) {
      expect(scrubbed).toHaveLength(pieces.length + 1)
      pieces.push(piece)
    }
  }

  expect(Buffer.concat(pieces).equals(body)).toBe(true)
  expect(scrubbed).toEqual([1024, 1024, 2048, 4096, 1808])
})

/** A pod that answers with `body` in one chunk; the length of each piece that is scrubbed is added to `scrubbed`. */
function conversationWith(body: Uint8Array, scrubbed: number[]): PodConversation {
  const route: PodRoute = {
    route: 'port-forward',
    obstacle: () => undefined,
    get: () => Promise.resolve({status: 200, receivedMs: 1000, body: one(body), discard: () => undefined}),
    close: () => undefined,
  }
  return new PodConversation({
    pod: POD,
    routes: [route],
    forbidden: new Map(),
    notice: () => undefined,
    allows: () => true,
    nowMs: () => 1000,
    scrub: (pieces) => noting(pieces, scrubbed),
  })
}

async function* one(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(chunk)
}

async function* noting(pieces: AsyncIterable<Uint8Array>, lengths: number[]): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    lengths.push(piece.length)
    yield piece
  }
}
