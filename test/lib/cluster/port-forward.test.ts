import type {Duplex} from 'node:stream'
import {expect, test} from '@jest/globals'
import {CHANNEL_BUFFER_BYTES} from '../../../src/lib/cluster/streams/port-stream.ts'
import {openPortForward} from '../../../src/lib/cluster/streams/port-forward.ts'
import {
  announce,
  failureOf,
  fakeKubelet,
  frame,
  framesOf,
  never,
  POD,
  type Script,
  streamFixture,
  textOf,
} from './fake-kubelet.ts'

function sends(frames: readonly Buffer[], code = 1000, reason = ''): Script {
  return {
    portForward(socket) {
      for (const bytes of frames) socket.send(bytes)
      socket.close(code, reason)
    },
  }
}

test.each(['ok.hex', 'glued.hex'])('the frames of %s are an HTTP answer', async (name) => {
  await using kubelet = await fakeKubelet(sends(framesOf(streamFixture(`frames/${name}`))))

  const forward = await openPortForward(kubelet.session, POD, [15000], never())
  const text = await textOf(forward.stream(15000))

  expect(text).toBe('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
  expect(forward.hasFailed(15000)).toBe(false)
})

test('a text on the error channel fails its port', async () => {
  await using kubelet = await fakeKubelet(sends(framesOf(streamFixture('frames/error.hex'))))

  const forward = await openPortForward(kubelet.session, POD, [15000], never())
  const text = await textOf(forward.stream(15000))

  expect(text).toBe('')
  expect(forward.explainEnd(15000).failure).toMatchObject({
    code: 'port-closed',
    message: 'Cannot reach port 15000 of shop/cart-1: connection refused',
  })
})

test('all ports are asked of one socket, in the one protocol that forwarding has', async () => {
  await using kubelet = await fakeKubelet({portForward: announce})

  await openPortForward(kubelet.session, POD, [15000, 15020], never())

  expect(kubelet.asked).toEqual(['/api/v1/namespaces/shop/pods/cart-1/portforward?ports=15000&ports=15020'])
  expect(kubelet.offered).toEqual([['v4.channel.k8s.io']])
})

test('a port number that comes in pieces, and empty frames, are no data', async () => {
  const pieces = [frame(0, [0x98]), frame(0), frame(0, [0x3a, 0x61]), frame(0), frame(0, 'b')]
  await using kubelet = await fakeKubelet(sends(pieces))

  const forward = await openPortForward(kubelet.session, POD, [15000], never())

  expect(await textOf(forward.stream(15000))).toBe('ab')
})

test('a closed port leaves the other one open', async () => {
  await using kubelet = await fakeKubelet({
    portForward(socket, ports) {
      announce(socket, ports)
      socket.send(frame(1, 'error forwarding port 15000 to pod 0123abcd: connection refused'))
      socket.on('message', (data: Buffer) => socket.send(frame(2, `heard ${data.subarray(1).toString()}`)))
    },
  })
  const forward = await openPortForward(kubelet.session, POD, [15000, 15020], never())

  const refused = await textOf(forward.stream(15000))
  forward.stream(15020).write('hello')
  const answer = await firstOf(forward.stream(15020))

  expect(refused).toBe('')
  expect(answer).toBe('heard hello')
  expect(forward.hasFailed(15020)).toBe(false)
  forward.close()
})

test('data that came before an error text is kept, and what follows it is not', async () => {
  const frames = [frame(0, [0x98, 0x3a]), frame(0, 'kept'), frame(1, [0x98, 0x3a]), frame(1, 'lost connection to pod')]
  await using kubelet = await fakeKubelet(sends([...frames, frame(0, 'dropped')]))

  const forward = await openPortForward(kubelet.session, POD, [15000], never())

  expect(await textOf(forward.stream(15000))).toBe('kept')
  expect(forward.explainEnd(15000).failure.code).toBe('connection-lost')
})

test.each([
  ['a channel that was not asked for', frame(9, 'x'), 'the other end used channel 9, which was not asked for'],
  ['another port', frame(0, [0x01, 0x02]), 'the other end answered for port 513'],
])('%s breaks the forward, in words', async (_what, bytes, says) => {
  await using kubelet = await fakeKubelet({portForward: (socket) => socket.send(bytes)})

  const forward = await openPortForward(kubelet.session, POD, [15000], never())
  await textOf(forward.stream(15000))

  expect(forward.explainEnd(15000).failure).toMatchObject({
    code: 'bad-payload',
    message: `Cannot reach port 15000 of shop/cart-1: ${says}`,
  })
  expect(forward.isOpen).toBe(false)
})

test('a socket that is closed with a reason says it', async () => {
  await using kubelet = await fakeKubelet(sends([frame(0, [0x98, 0x3a])], 1011, 'kubelet\nwent away'))

  const forward = await openPortForward(kubelet.session, POD, [15000], never())
  await textOf(forward.stream(15000))

  expect(forward.hasFailed(15000)).toBe(true)
  expect(forward.explainEnd(15000).failure.message).toBe(
    'Cannot reach port 15000 of shop/cart-1: the connection ended before an answer came, it was closed with 1011 (kubelet went away)',
  )
})

test('a socket that breaks off without a word ends every port', async () => {
  await using kubelet = await fakeKubelet({
    portForward(socket, ports) {
      announce(socket, ports)
      socket.terminate()
    },
  })

  const forward = await openPortForward(kubelet.session, POD, [15000, 15020], never())

  expect(await Promise.all([textOf(forward.stream(15000)), textOf(forward.stream(15020))])).toEqual(['', ''])
  expect(forward.explainEnd(15020).failure).toMatchObject({code: 'connection-lost'})
})

test('a slow reader holds the sender back, and loses nothing', async () => {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const chunks = 400
  let sent = 0
  await using kubelet = await fakeKubelet({
    portForward(socket, ports) {
      announce(socket, ports)
      const next = (): void => {
        sent += 1
        if (sent <= chunks) socket.send(frame(0, chunk), next)
        else socket.close(1000)
      }
      next()
    },
  })
  const forward = await openPortForward(kubelet.session, POD, [15000], never())
  const stream = forward.stream(15000)

  await readable(stream)
  while (stream.readableLength < CHANNEL_BUFFER_BYTES) await turn()
  // Anything still under way has had its time once as many turns passed as the whole answer would have taken.
  for (let turns = 0; turns < 5000; turns += 1) await turn()
  const held = stream.readableLength
  const heldBack = chunks - sent
  const text = await textOf(stream)

  expect(held).toBeLessThan(CHANNEL_BUFFER_BYTES * 2)
  expect(heldBack).toBeGreaterThan(0)
  expect(text).toHaveLength(chunk.length * chunks)
})

test('a port that nobody reads any more holds nobody back', async () => {
  await using kubelet = await fakeKubelet({
    portForward(socket, ports) {
      announce(socket, ports)
      for (let count = 0; count < 40; count += 1) socket.send(frame(0, Buffer.alloc(64 * 1024)))
      socket.send(frame(2, 'here'))
    },
  })
  const forward = await openPortForward(kubelet.session, POD, [15000, 15020], never())
  const other = forward.stream(15020)
  const unread = forward.stream(15000)

  await readable(unread)
  while (unread.readableLength < CHANNEL_BUFFER_BYTES) await turn()
  unread.destroy()

  expect(await firstOf(other)).toBe('here')
  forward.close()
})

test('closing ends the socket and the streams without a sound, and twice as well as once', async () => {
  await using kubelet = await fakeKubelet({portForward: announce})
  const forward = await openPortForward(kubelet.session, POD, [15000], never())
  const stream = forward.stream(15000)

  forward.close()
  forward.close()
  stream.write('late')
  await kubelet.allClosed()

  expect(stream.destroyed).toBe(true)
  expect(forward.isOpen).toBe(false)
})

test('the socket goes with the last stream that was in use', async () => {
  await using kubelet = await fakeKubelet({portForward: announce})
  const forward = await openPortForward(kubelet.session, POD, [15000, 15020], never())

  forward.stream(15000).destroy()
  await kubelet.allClosed()

  expect(forward.isOpen).toBe(false)
})

test('a refused upgrade says what is missing', async () => {
  const body = streamFixture('refusals/portforward.json')
  await using kubelet = await fakeKubelet({refuse: () => ({status: 403, body})})

  const failure = await failureOf(openPortForward(kubelet.session, POD, [15000], never()))

  expect(failure.code).toBe('forbidden')
})

async function firstOf(stream: Duplex): Promise<string> {
  for await (const chunk of stream) return String(chunk)
  return ''
}

function readable(stream: Duplex): Promise<void> {
  return new Promise((resolve) => stream.once('readable', resolve))
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
