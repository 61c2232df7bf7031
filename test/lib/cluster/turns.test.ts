import {expect, test} from '@jest/globals'
import {Turns} from '../../../src/lib/cluster/streams/turns.ts'
import {never} from './fake-kubelet.ts'

test('turns of one key come in order, and those of another do not wait', async () => {
  const turns = new Turns<number>()
  const order: string[] = []

  const endFirst = await turns.take(1, never())
  const second = turns.take(1, never()).then(() => order.push('second'))
  await turns.take(2, never()).then(() => order.push('other'))
  order.push('first')
  endFirst()
  await second

  expect(order).toEqual(['other', 'first', 'second'])
})

test('one who gives up waiting holds up nobody, and passes nobody', async () => {
  const turns = new Turns<number>()
  const stop = new AbortController()
  const order: string[] = []

  const endFirst = await turns.take(1, never())
  const second = turns.take(1, stop.signal)
  const third = turns.take(1, never()).then(() => order.push('third'))
  stop.abort(new Error('enough'))
  await expect(second).rejects.toThrow('enough')
  order.push('first')
  endFirst()
  await third

  expect(order).toEqual(['first', 'third'])
})
