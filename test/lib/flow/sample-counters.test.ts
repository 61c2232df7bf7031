import {expect, test} from '@jest/globals'
import type {CounterName, CountersSeen} from '../../../src/lib/domain/health-seen.ts'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {Reading} from '../../../src/lib/flow/reading.ts'
import {keepSample, sampleCounters} from '../../../src/lib/flow/sample-counters.ts'
import {failureOf} from '../compare/builders.ts'

function counters(counts: Partial<Record<CounterName, number>>): CountersSeen {
  const none = {'csrs-sent': 0, 'csrs-failed': 0, 'istiod-connection-failures': 0}
  const all = {...none, 'istiod-connection-errors': 0, 'scrape-failures': 0, ...counts}
  return {type: 'counters', by: {source: 'agent-metrics', route: 'port-forward'}, counts: all}
}

function reading(...observations: readonly Observation[]): Reading {
  return {observations, failures: [], asked: {sources: []}}
}

function sampleOf({observations}: Reading): CountersSeen['sample'] {
  return observations.find((one) => one.type === 'counters')?.sample
}

test('what was added between two readings is told', async () => {
  const after = reading(counters({'csrs-sent': 9, 'csrs-failed': 5}))

  const sampled = await sampleCounters(reading(counters({'csrs-sent': 4, 'csrs-failed': 2})), 10_000, async () =>
    Promise.resolve(after),
  )

  expect(sampleOf(sampled)).toMatchObject({ms: 10_000, grown: {'csrs-sent': 5, 'csrs-failed': 3, 'scrape-failures': 0}})
})

test('an agent that was started anew between them counts from nothing, and never backwards', async () => {
  const after = reading(counters({'csrs-sent': 1, 'csrs-failed': 1}))

  const sampled = await sampleCounters(reading(counters({'csrs-sent': 40, 'csrs-failed': 20})), 10_000, async () =>
    Promise.resolve(after),
  )

  expect(sampleOf(sampled)).toMatchObject({grown: {'csrs-sent': 1, 'csrs-failed': 1}})
})

test('where the second reading fails, that is told in place of growth', async () => {
  const failure = failureOf('agent-metrics')

  const sampled = await sampleCounters(reading(counters({})), 10_000, async () =>
    Promise.resolve({...reading(), failures: [failure]}),
  )

  expect(sampleOf(sampled)).toEqual({failure})
  expect(sampled.failures).toEqual([])
})

test('an agent without counters is not asked again', async () => {
  const sampled = await sampleCounters(reading(), 10_000, async () => Promise.reject(new Error('asked again')))

  expect(sampled).toEqual(reading())
})

test('a later reading keeps what a sample showed', async () => {
  const sample = {ms: 1000, grown: counters({'csrs-failed': 3}).counts}

  const kept = keepSample(reading(counters({'csrs-failed': 7})), [{...counters({'csrs-failed': 4}), sample}])

  expect(kept.observations).toEqual([{...counters({'csrs-failed': 7}), sample}])
})
