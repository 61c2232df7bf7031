import {expect, test} from '@jest/globals'
import {ProbeError} from '../../../src/lib/domain/failure.ts'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import {createSharedAnswers} from '../../../src/lib/flow/shared-answers.ts'

const ALWAYS = Number.NEGATIVE_INFINITY

function seen(note: string): readonly Observation[] {
  return [{type: 'unusable', failure: {stage: 'fetch', code: 'timeout', message: note}}]
}

test('all who need the same at the same time share one question', async () => {
  const shared = createSharedAnswers(10, () => 0)
  let asked = 0
  const ask = async (): Promise<readonly Observation[]> => {
    asked += 1
    return await Promise.resolve(seen(`answer ${asked}`))
  }

  const answers = await Promise.all([shared.once('root', ALWAYS, ask), shared.once('root', ALWAYS, ask)])

  expect(asked).toBe(1)
  expect(answers[0]).toBe(answers[1])
})

test('a second look does not take what was asked before it', async () => {
  let now = 100
  const shared = createSharedAnswers(10, () => now)
  await shared.once('agent', ALWAYS, async () => await Promise.resolve(seen('first')))

  now = 200
  const again = await shared.once('agent', 150, async () => await Promise.resolve(seen('second')))

  expect(again).toEqual(seen('second'))
})

test.each([
  ['timeout', 2],
  ['forbidden', 1],
] as const)('after %s it is asked %i times by two in turn', async (code, times) => {
  const shared = createSharedAnswers(10, () => 0)
  let asked = 0
  const ask = async (): Promise<readonly Observation[]> => {
    asked += 1
    return await Promise.reject(new ProbeError({stage: 'fetch', code, message: 'no'}))
  }

  await expect(shared.once('root', ALWAYS, ask)).rejects.toThrow(ProbeError)
  await expect(shared.once('root', ALWAYS, ask)).rejects.toThrow(ProbeError)

  expect(asked).toBe(times)
})

test('no more results are kept than the bound', async () => {
  const shared = createSharedAnswers(1, () => 0)
  const ask = async (): Promise<readonly Observation[]> => await Promise.resolve(seen('any'))
  const first = await shared.once('a', ALWAYS, ask)
  await shared.once('b', ALWAYS, ask)

  expect(await shared.once('a', ALWAYS, async () => await Promise.resolve(seen('any')))).not.toBe(first)
})
