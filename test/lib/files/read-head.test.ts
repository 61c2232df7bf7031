import {expect, test} from '@jest/globals'
import {HEAD_BYTES, readHead} from '../../../src/lib/files/read-head.ts'

test('no more of a body is read than its head, and the body is closed', async () => {
  let given = 0
  let isClosed = false
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      for (; given < 1000; given += 1) yield Buffer.alloc(60_000, 'x')
    } finally {
      isClosed = true
    }
  }

  const head = await readHead(body())

  expect(head).toHaveLength(HEAD_BYTES)
  expect(given).toBe(4)
  expect(isClosed).toBe(true)
})
