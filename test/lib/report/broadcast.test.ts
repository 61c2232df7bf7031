import {setImmediate} from 'node:timers/promises'
import {expect, test} from '@jest/globals'
import {broadcast} from '../../../src/lib/report/broadcast.ts'

function counted(length: number, failure?: Error) {
  const state = {given: 0, isReturned: false}
  async function* numbers(): AsyncGenerator<number | undefined> {
    try {
      while (state.given < length) {
        state.given += 1
        yield state.given
      }
      if (failure !== undefined) throw failure
    } finally {
      state.isReturned = true
    }
  }
  return {state, source: numbers()}
}

async function* withUndefined() {
  yield* [1, undefined, 3]
}

test('every reader sees every value, undefined among them', async () => {
  const readers = broadcast(withUndefined(), 3)

  const seen = await Promise.all(readers.map((reader) => Array.fromAsync(reader)))
  expect(seen).toEqual([
    [1, undefined, 3],
    [1, undefined, 3],
    [1, undefined, 3],
  ])
})

test('the source is read only a few values ahead of the slowest reader', async () => {
  const {state, source} = counted(1000)
  const [fast, slow] = broadcast(source, 2)

  const reading = Array.fromAsync(fast!)
  await setImmediate()
  expect(state.given).toBe(16)
  for (let count = 0; count < 100; count += 1) await slow!.next()

  expect(state.given).toBeLessThanOrEqual(100 + 17)
  await Promise.all([reading, Array.fromAsync(slow!)])
  expect(state.given).toBe(1000)
})

test('a reader that leaves, even before it began, holds up nobody', async () => {
  const {source} = counted(100)
  const [stays, leaves, never] = broadcast(source, 3)

  await never!.return!()
  for await (const value of leaves!) if (value === 2) break
  const seen = await Array.fromAsync(stays!)

  expect(seen).toHaveLength(100)
  expect(await leaves!.next()).toEqual({done: true, value: undefined})
})

test('the source ends when all readers have left', async () => {
  const {state, source} = counted(100)
  const [one, other] = broadcast(source, 2)

  for await (const value of one!) if (value === 1) break
  for await (const value of other!) if (value === 3) break

  expect(state).toEqual({given: 3, isReturned: true})
})

test('every reader gets the error, after all values before it', async () => {
  const failure = new Error('The stream broke')
  const {source} = counted(40, failure)
  const seen: number[] = []

  const readings = broadcast(source, 2).map(async (reader) => {
    for await (const value of reader) seen.push(value ?? 0)
  })

  expect(await Promise.allSettled(readings)).toEqual([
    {status: 'rejected', reason: failure},
    {status: 'rejected', reason: failure},
  ])
  expect(seen).toHaveLength(80)
})
