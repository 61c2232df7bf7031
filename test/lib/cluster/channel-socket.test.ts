import {once} from 'node:events'
import {expect, test} from '@jest/globals'
import {ChannelSocket, describeEnd, type SocketEnd} from '../../../src/lib/cluster/streams/channel-socket.ts'
import {fakeKubelet, never} from './fake-kubelet.ts'

test('closing does not wait for a peer that hangs', async () => {
  await using kubelet = await fakeKubelet({portForward: (socket) => socket.pause()})
  const {promise: ended, resolve: end} = Promise.withResolvers<SocketEnd>()
  const socket = await kubelet.session.upgrade('/x/portforward', ['v4.channel.k8s.io'], never())
  const channels = new ChannelSocket(socket, {frame: () => undefined, end})

  channels.close()

  expect(await ended).toMatchObject({code: 1006})
})

test('a socket that is already closed tells its end all the same', async () => {
  await using kubelet = await fakeKubelet({portForward: () => undefined})
  const socket = await kubelet.session.upgrade('/x/portforward', ['v4.channel.k8s.io'], never())
  socket.terminate()
  await once(socket, 'close')
  const {promise: ended, resolve: end} = Promise.withResolvers<SocketEnd>()

  const channels = new ChannelSocket(socket, {frame: () => undefined, end})

  expect(await ended).toEqual({code: 1006, reason: ''})
  channels.close()
})

test.each([
  [{code: 1000, reason: ''}, 'the other end closed it'],
  [{code: 1006, reason: ''}, 'it broke off'],
  [{code: 1006, reason: 'Invalid frame'}, 'it broke off (Invalid frame)'],
  [{code: 1011, reason: ''}, 'it was closed with 1011'],
  [{code: 1011, reason: 'why'}, 'it was closed with 1011 (why)'],
])('an end is told in words: %j', (end, words) => {
  expect(describeEnd(end)).toBe(words)
})
