import {expect, test} from '@jest/globals'
import {ReadAheadQueue} from '../../../src/lib/cluster/streams/read-ahead-queue.ts'

async function textsOf(queue: ReadAheadQueue): Promise<string[]> {
  const texts: string[] = []
  for await (const chunk of queue.read()) texts.push(Buffer.from(chunk).toString())
  return texts
}

test('what was written before and while it is read comes in order, up to the end', async () => {
  const queue = new ReadAheadQueue(100, () => undefined)
  queue.write(Buffer.from('a'))
  queue.write(Buffer.from('b'))

  const texts = textsOf(queue)
  await Promise.resolve()
  queue.write(Buffer.from('c'))
  queue.end()

  expect(await texts).toEqual(['a', 'b', 'c'])
})

test('a full queue lets its writer wait until all of it was read', async () => {
  let rooms = 0
  const queue = new ReadAheadQueue(3, () => (rooms += 1))
  const reader = queue.read()

  const taken = ['ab', 'c', 'd'].map((text) => queue.write(Buffer.from(text)))

  expect(taken).toEqual([true, false, false])
  await reader.next()
  await reader.next()
  expect(rooms).toBe(0)
  await reader.next()
  expect(rooms).toBe(1)
})

test('a destroyed queue lets go of what it holds, takes no more, and tells its reader why', async () => {
  const queue = new ReadAheadQueue(1, () => undefined)
  const waiting = textsOf(queue)
  await Promise.resolve()

  queue.destroy(new Error('Interrupted'))

  expect(queue.write(Buffer.from('late'))).toBe(true)
  await expect(waiting).rejects.toThrow('Interrupted')
  await expect(queue.read().next()).rejects.toThrow('Interrupted')
})
