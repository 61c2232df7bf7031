import {mkdirSync, mkdtempSync, readdirSync, rmSync, statSync} from 'node:fs'
import net from 'node:net'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {PassThrough} from 'node:stream'
import {once} from 'node:events'
import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {openSocketBridge} from '../../../../src/lib/cluster/sds/socket-bridge.ts'
import {failureOf} from '../fake-kubelet.ts'

let tempDir: string

beforeAll(() => {
  tempDir = mkdtempSync(join(tmpdir(), 'agentctl-bridge-'))
})

afterAll(() => rmSync(tempDir, {recursive: true, force: true}))

function line(): {stdin: PassThrough; stdout: PassThrough} {
  return {stdin: new PassThrough(), stdout: new PassThrough()}
}

async function connect(path: string): Promise<net.Socket> {
  const socket = net.connect(path)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

test('only its user can reach it, and once somebody has, nothing of it is left to reach', async () => {
  await using bridge = await openSocketBridge(line(), tempDir)
  expect(statSync(dirname(bridge.path)).mode & 0o777).toBe(0o700)

  const socket = await connect(bridge.path)
  const second = net.connect(bridge.path)
  second.on('connect', () => second.destroy(new Error('It was let in')))
  const [refusal] = (await once(second, 'error')) as [NodeJS.ErrnoException]

  expect(['ENOENT', 'ECONNREFUSED']).toContain(refusal.code)
  socket.destroy()
})

test('both ways are passed on, and what the line printed is overwritten', async () => {
  const {stdin, stdout} = line()
  await using bridge = await openSocketBridge({stdin, stdout}, tempDir)
  const socket = await connect(bridge.path)
  const printed = Buffer.from('\0 with a key')

  stdout.write(printed)
  const [received] = (await once(socket, 'data')) as [Buffer]
  socket.write('asked')
  const [asked] = (await once(stdin, 'data')) as [Buffer]
  socket.end()
  await once(stdin, 'end')

  expect(received.toString()).toBe('\0 with a key')
  expect(asked.toString()).toBe('asked')
  expect(printed.every((byte) => byte === 0)).toBe(true)
  expect(bridge.said()).toBe('')
})

test('what nobody took is overwritten too', async () => {
  const {stdin, stdout} = line()
  const printed = Buffer.from('\0 with a key')
  const bridge = await openSocketBridge({stdin, stdout}, tempDir)
  stdout.write(printed)
  await bridge[Symbol.asyncDispose]()
  stdout.end()
  await once(stdout, 'end')

  expect(printed.every((byte) => byte === 0)).toBe(true)
})

test('a text in place of an answer is kept, for who wants to tell why', async () => {
  const {stdin, stdout} = line()
  await using bridge = await openSocketBridge({stdin, stdout}, tempDir)
  const socket = await connect(bridge.path)

  stdout.write('OCI runtime exec failed: no nc\n')
  await once(socket, 'data')
  stdout.write('x'.repeat(5000))
  await once(socket, 'data')

  expect(bridge.said()).toMatch(/^OCI runtime exec failed/)
  expect(bridge.said()).toHaveLength(1024)
})

test('the end of the line is the end of the connection', async () => {
  const {stdin, stdout} = line()
  await using bridge = await openSocketBridge({stdin, stdout}, tempDir)
  const socket = await connect(bridge.path)
  socket.resume()

  stdout.end()
  await once(socket, 'end')

  expect(socket.readableEnded).toBe(true)
})

test('a closed bridge takes nobody', async () => {
  await using bridge = await openSocketBridge(line(), tempDir)

  bridge.close()

  const late = net.connect(bridge.path)
  const [refusal] = (await once(late, 'error')) as [NodeJS.ErrnoException]
  expect(['ENOENT', 'ECONNREFUSED']).toContain(refusal.code)
})

test.each([
  ['that is not there', (): string => join(tempDir, 'none'), /no such file/],
  [
    'with a long path',
    (): string => {
      const long = join(tempDir, 'x'.repeat(100))
      mkdirSync(long)
      return long
    },
    /too long/,
  ],
])('a directory %s is a failure, with a hint', async (_what, directory, message) => {
  const failure = await failureOf(openSocketBridge(line(), directory()))

  expect(failure).toMatchObject({stage: 'dial', message: expect.stringMatching(message), hint: expect.any(String)})
})

test('no directory stays behind', () => {
  rmSync(join(tempDir, 'x'.repeat(100)), {recursive: true, force: true})

  expect(readdirSync(tempDir)).toEqual([])
})
