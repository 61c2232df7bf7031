import {once} from 'node:events'
import {expect, test} from '@jest/globals'
import type {WebSocket} from 'ws'
import type {KubeSession} from '../../../src/lib/cluster/connect/session.ts'
import {runSpokenCommand} from '../../../src/lib/cluster/streams/command-run.ts'
import {fakeKubelet, frame, never, POD} from './fake-kubelet.ts'

/** Echoes its input; what came in, frame by frame, is noted. */
function echo(seen: Buffer[]): (socket: WebSocket) => void {
  return (socket) =>
    socket.on('message', (data: Buffer) => {
      seen.push(data)
      if (data[0] === 0) socket.send(frame(1, data.subarray(1)))
      if (data[0] === 255) {
        socket.send(frame(3, JSON.stringify({status: 'Success'})))
        socket.close(1000)
      }
    })
}

/** A server that knows no protocol but these. */
function offering(session: KubeSession, protocols: readonly string[]): KubeSession {
  return {...session, upgrade: async (path, _offered, signal) => await session.upgrade(path, protocols, signal)}
}

test('what is written reaches the command, and with v5 the end of it too', async () => {
  const seen: Buffer[] = []
  await using kubelet = await fakeKubelet({exec: echo(seen)})
  const run = await runSpokenCommand(kubelet.session, POD, 'istio-proxy', ['nc'], never())
  const chunks: Buffer[] = []
  run.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))

  run.stdin.end('asked')

  expect(await run.ended()).toEqual({type: 'exited', code: 0})
  expect(Buffer.concat(chunks).toString()).toBe('asked')
  expect(seen).toEqual([frame(0, 'asked'), frame(255, [0])])
  expect(run.canEndInput).toBe(true)
})

test('with v4 the end of the input is not told, and closes nothing', async () => {
  const seen: Buffer[] = []
  await using kubelet = await fakeKubelet({exec: echo(seen)})
  const session = offering(kubelet.session, ['v4.channel.k8s.io'])
  const run = await runSpokenCommand(session, POD, 'istio-proxy', ['nc'], never())

  run.stdin.end('asked')
  const [answer] = (await once(run.stdout, 'data')) as [Buffer]

  expect(answer.toString()).toBe('asked')
  expect(seen).toEqual([frame(0, 'asked')])
  expect(run.canEndInput).toBe(false)
  run.close()
})

test('writing to a command that has gone ends in no error of its own', async () => {
  await using kubelet = await fakeKubelet({exec: (socket) => socket.on('message', () => socket.terminate())})
  const run = await runSpokenCommand(kubelet.session, POD, 'istio-proxy', ['nc'], never())
  run.stdin.write('asked')
  await expect(run.ended()).rejects.toThrow(/connection was lost/)

  run.stdin.write('asked again')

  await new Promise((resolve) => run.stdin.once('close', resolve))
  run.close()
})
