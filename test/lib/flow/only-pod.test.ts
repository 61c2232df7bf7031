import {expect, test} from '@jest/globals'
import {RunError} from '../../../src/lib/domain/failure.ts'
import {onlyPod} from '../../../src/lib/flow/only-pod.ts'
import type {Entry} from '../../../src/lib/flow/select-pods.ts'
import {pod} from '../../support/pods.ts'

const PAGE = {type: 'page', consistent: true} as const
const ENDED = {code: 'finished', message: 'has ended'} as const

function entry(name: string, isSkipped = false): Entry {
  return {type: 'pod', selected: {pod: pod(name), leaving: false, ...(isSkipped && {skip: ENDED})}}
}

async function* arrive(entries: readonly Entry[]): AsyncGenerator<Entry> {
  yield* entries
}

async function narrow(entries: readonly Entry[], target = 'deploy/cart'): Promise<readonly Entry[]> {
  return await Array.fromAsync(onlyPod(arrive(entries), target))
}

async function refusal(entries: readonly Entry[]): Promise<RunError> {
  const error: unknown = await narrow(entries).catch((thrown: unknown) => thrown)
  if (!(error instanceof RunError)) throw new Error('It was let through')
  return error
}

test('one pod is let through, with the end of the listing', async () => {
  expect(await narrow([PAGE, entry('cart-1'), PAGE])).toEqual([entry('cart-1'), PAGE])
})

test('pods that have ended do not count beside one that can be asked', async () => {
  const found = await narrow([entry('cart-0', true), entry('cart-1'), entry('cart-2', true), PAGE])

  expect(found).toEqual([entry('cart-1'), PAGE])
})

test('a single pod that has ended is shown as such', async () => {
  expect(await narrow([entry('cart-0', true), PAGE])).toEqual([entry('cart-0', true), PAGE])
})

test.each([[false], [true]])('several pods are a usage error that names them (ended: %s)', async (ended) => {
  const {exit, message, hints} = await refusal([entry('cart-1', ended), entry('cart-2', ended), PAGE])

  expect(exit).toBe(2)
  expect(message).toBe('deploy/cart has 2 pods with an agent, and one can be shown')
  expect(hints).toEqual(['Name one of them: cart-1.shop, cart-2.shop'])
})

test('of thousands of pods ten are named, and the listing is left', async () => {
  let listed = 0
  async function* many(): AsyncGenerator<Entry> {
    for (; listed < 5000; listed += 1) yield entry(`cart-${listed}`)
  }

  const error: unknown = await Array.fromAsync(onlyPod(many(), 'ds/cart')).catch((thrown: unknown) => thrown)

  expect(error).toMatchObject({message: 'ds/cart has more than 10 pods with an agent, and one can be shown'})
  expect((error as RunError).hints[0]).toMatch(/cart-9\.shop, …$/)
  expect(listed).toBeLessThan(20)
})

test('no pod at all ends the run', async () => {
  expect(await refusal([PAGE])).toMatchObject({exit: 4, message: 'No pod with an agent belongs to deploy/cart'})
})
