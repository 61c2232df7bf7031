import {expect, test} from '@jest/globals'
import type {PodItem, Verdict} from '../../../src/lib/domain/report.ts'
import {lookUntilWell, type Waiting} from '../../../src/lib/flow/look-until-well.ts'
import type {Selected} from '../../../src/lib/flow/select-pods.ts'
import {pod} from '../../support/pods.ts'

const SIDE = {state: 'read', answers: []} as const
const INTERVAL = 5000

function selected(name: string): Selected {
  return {pod: pod(name), leaving: false}
}

/** A clock that goes on only where somebody waits. */
function waiting(over: Partial<Waiting<PodItem>> = {}): Waiting<PodItem> & {readonly waits: number[]} {
  const waits: number[] = []
  let now = 0
  return {
    untilMs: 30_000,
    intervalMs: INTERVAL,
    nowMs: () => now,
    pause: (ms, signal) => {
      signal.throwIfAborted()
      waits.push(ms)
      now += ms
      return Promise.resolve()
    },
    judge: ({verdict}) => (verdict === 'pass' || verdict === 'skipped' ? 'well' : 'may-pass'),
    refresh: (one) => Promise.resolve(one),
    inTurn: async (look) => await look(),
    waits,
    ...over,
  }
}

/** Gives one verdict after the other; the last one for ever. */
function verdicts(...all: Verdict[]): {look: (one: Selected) => Promise<PodItem>; seen: Selected[]} {
  const seen: Selected[] = []
  const look = (one: Selected): Promise<PodItem> => {
    seen.push(one)
    const verdict = one.skip === undefined ? (all[seen.length - 1] ?? all.at(-1) ?? 'pass') : 'skipped'
    return Promise.resolve({
      pod: one.pod,
      verdict,
      sides: {agent: SIDE, proxy: SIDE},
      failures: [],
      incomplete: false,
      findings: [],
      ...(one.skip !== undefined && {skipped: one.skip}),
    })
  }
  return {look, seen}
}

const NEVER = new AbortController().signal

test('a pod that is well is looked at once', async () => {
  const {look, seen} = verdicts('pass')
  const wait = waiting()

  const item = await lookUntilWell(look, wait)(selected('a'), NEVER)

  expect([item.verdict, seen.length, wait.waits]).toEqual(['pass', 1, []])
})

test('a pod that is not well is asked again, as it is then, until it is', async () => {
  const {look, seen} = verdicts('fail', 'unknown', 'pass')
  const wait = waiting({
    refresh: ({pod: before}) => Promise.resolve({pod: {...before, phase: 'newer'}, leaving: false}),
  })

  const item = await lookUntilWell(look, wait)(selected('a'), NEVER)

  expect(item.verdict).toBe('pass')
  expect(seen.map(({pod: {phase}}) => phase)).toEqual(['Running', 'newer', 'newer'])
  expect(wait.waits).toEqual([INTERVAL, INTERVAL])
})

test('each look but the first takes nothing that others were told before it', async () => {
  const {look} = verdicts('fail', 'fail', 'pass')
  const again: boolean[] = []

  await lookUntilWell(async (one, _signal, isAgain) => {
    again.push(isAgain)
    return await look(one)
  }, waiting())(selected('a'), NEVER)

  expect(again).toEqual([false, true, true])
})

test('no look begins after the time is over, and the last one is told', async () => {
  const {look, seen} = verdicts('fail')

  const item = await lookUntilWell(look, waiting({untilMs: 2 * INTERVAL}))(selected('a'), NEVER)

  expect([item.verdict, seen.length]).toEqual(['fail', 3])
})

test('a pod that has gone is told as skipped', async () => {
  const {look} = verdicts('fail')

  const item = await lookUntilWell(look, waiting({refresh: () => Promise.resolve(undefined)}))(selected('a'), NEVER)

  expect(item.skipped).toMatchObject({code: 'gone'})
})

test('once a pod cannot become well, no other is waited for', async () => {
  const paused = Promise.withResolvers<void>()
  const wait = waiting({
    judge: ({pod: {name}}) => (name === 'lost' ? 'lasts' : 'may-pass'),
    pause: async (_, signal) => {
      paused.resolve()
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('woken')), {once: true})
      })
    },
  })
  const look = lookUntilWell(verdicts('fail').look, wait)
  const other = look(selected('other'), NEVER)
  await paused.promise

  await look(selected('lost'), NEVER)

  expect((await other).verdict).toBe('fail')
  expect((await look(selected('later'), NEVER)).verdict).toBe('fail')
})

test('who waits takes no turn', async () => {
  let looking = 0
  let most = 0
  const inTurn = async <T>(look: () => Promise<T>): Promise<T> => {
    looking += 1
    most = Math.max(most, looking)
    const item = await look()
    looking -= 1
    return item
  }
  const turns: number[] = []
  const wait = waiting({
    inTurn,
    pause: () => {
      turns.push(looking)
      return Promise.resolve()
    },
    untilMs: Number.POSITIVE_INFINITY,
  })

  await lookUntilWell(verdicts('fail', 'fail', 'pass').look, wait)(selected('a'), NEVER)

  expect([most, turns]).toEqual([1, [0, 0]])
})

test('the end of the run ends the waiting', async () => {
  const run = new AbortController()
  const wait = waiting({
    pause: (_, signal) => {
      run.abort(new Error('interrupted'))
      signal.throwIfAborted()
      return Promise.resolve()
    },
  })

  await expect(lookUntilWell(verdicts('fail').look, wait)(selected('a'), run.signal)).rejects.toThrow('interrupted')
})
