import {mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {duplexPair} from 'node:stream'
import {afterAll, beforeAll, expect, test} from '@jest/globals'
import type {WebSocket} from 'ws'
import {ExecRoute} from '../../../../src/lib/cluster/routes/route-exec.ts'
import type {RawAnswer} from '../../../../src/lib/cluster/streams/raw-answer.ts'
import type {SdsForm} from '../../../../src/lib/domain/question.ts'
import {type SdsModel, serveSds} from '../../../../src/lib/sandbox/agents/sds-server.ts'
import {failureOf, fakeKubelet, type FakeKubelet, frame, never, POD, textOf} from '../fake-kubelet.ts'

const FORM: SdsForm = {type: 'sds', socketPaths: ['/new/socket', '/old/SDS'], resourceNames: ['default', 'ROOTCA']}
const MODEL: SdsModel = {
  api: 'v3',
  chainPem: () => Promise.resolve('chain'),
  keyPem: () => Promise.resolve('key'),
  rootsPem: () => 'roots',
  issuedMs: () => 1_780_000_000_000,
}

let tempDir: string

beforeAll(() => {
  tempDir = mkdtempSync(join(tmpdir(), 'agentctl-read-'))
})

afterAll(() => rmSync(tempDir, {recursive: true, force: true}))

type Program = (socket: WebSocket, command: readonly string[]) => void

function exits(code: number, stderr: string): Program {
  const details = {causes: [{reason: 'ExitCode', message: String(code)}]}
  return (socket) => {
    socket.send(frame(2, stderr))
    socket.send(frame(3, JSON.stringify({status: 'Failure', reason: 'NonZeroExitCode', details})))
    socket.close(1000)
  }
}

const notFound: Program = (socket) => {
  const message = 'OCI runtime exec failed: exec: "x": executable file not found in $PATH: unknown'
  socket.send(frame(3, JSON.stringify({status: 'Failure', reason: 'InternalError', message, code: 500})))
  socket.close(1000)
}

/** Leads to an SDS server. `ended` is told when the input ends by v5's word for it. */
function serves(model: SdsModel, ended: () => void = () => undefined): Program {
  return (socket) => {
    const [ours, theirs] = duplexPair()
    serveSds(model, theirs)
    ours.on('data', (chunk: Buffer) => socket.send(frame(1, chunk)))
    ours.on('end', () => {
      socket.send(frame(3, JSON.stringify({status: 'Success'})))
      socket.close(1000)
    })
    socket.on('message', (data: Buffer) => {
      if (data[0] === 0) ours.write(data.subarray(1))
      if (data[0] === 255 && data[1] === 0) {
        ended()
        ours.end()
      }
    })
    socket.on('close', () => ours.destroy())
  }
}

function kubelet(program: (words: string) => Program): Promise<FakeKubelet> {
  return fakeKubelet({exec: (socket, command) => program(command.join(' '))(socket, command)})
}

async function read(fake: FakeKubelet, signal = never(), timeLeftMs = 5000): Promise<RawAnswer> {
  const route = new ExecRoute(fake.session, POD, () => 1000, tempDir)
  try {
    return await route.get({
      form: FORM,
      path: '',
      container: 'istio-proxy',
      signal,
      dialBudgetMs: () => undefined,
      timeLeftMs: () => timeLeftMs,
    })
  } finally {
    route.close()
  }
}

function commands({asked}: FakeKubelet): string[] {
  return asked.map((path) => new URL(path, 'http://x').searchParams.getAll('command').join(' '))
}

test('the answer is certificates alone, and the program is told that it may end', async () => {
  const ends: string[] = []
  await using fake = await kubelet(() => serves(MODEL, () => ends.push('ended')))

  const answer = await read(fake)

  expect(JSON.parse(await textOf(answer.body))).toEqual({
    socket: '/new/socket',
    responses: [
      {
        resource_name: 'default',
        version_info: '2026-05-28T20:26:40Z/1',
        resources: [{name: 'default', tls_certificate: {certificate_chain: {inline_bytes: btoa('chain')}}}],
        other_types: [],
      },
      {
        resource_name: 'ROOTCA',
        version_info: '2026-05-28T20:26:40Z/1',
        resources: [{name: 'ROOTCA', validation_context: {trusted_ca: {inline_bytes: btoa('roots')}}}],
        other_types: [],
      },
    ],
  })
  expect(commands(fake)).toEqual(['nc -N -U /new/socket'])
  expect(fake.asked[0]).toContain('&stdin=true&stdout=true&stderr=true')
  expect(ends).toEqual(['ended'])
  await fake.allClosed()
})

test('programs and paths are tried in order, and only as far as they say something new', async () => {
  await using fake = await kubelet((words) => {
    if (words.startsWith('nc -N')) return exits(1, "nc: invalid option -- 'N'\n")
    if (words.startsWith('nc')) return notFound
    return words.endsWith('/old/SDS') ? serves(MODEL) : exits(1, 'socat[1] E connect(): No such file or directory\n')
  })

  await read(fake)

  expect(commands(fake)).toEqual([
    'nc -N -U /new/socket',
    'nc -U /new/socket',
    'socat - UNIX-CONNECT:/new/socket',
    'socat - UNIX-CONNECT:/old/SDS',
  ])
})

test.each<[what: string, program: Program, expected: object]>([
  [
    'a socket that nobody listens on',
    exits(1, 'nc: unix connect failed: Connection refused\n'),
    {code: 'port-closed', message: expect.stringMatching(/SDS socket \/new\/socket of shop\/cart-1 .*refused/)},
  ],
  [
    'a socket that may not be opened',
    exits(1, 'nc: unix connect failed: Permission denied\n'),
    {code: 'command-failed', message: expect.stringContaining('Permission denied')},
  ],
  ['no program', notFound, {code: 'command-missing', message: expect.stringContaining('none of nc, socat')}],
  [
    'no socket',
    exits(1, 'nc: unix connect failed: No such file or directory\n'),
    {code: 'no-source', message: expect.stringContaining('/new/socket, /old/SDS')},
  ],
  [
    'a runtime that tells on standard output that there is no program',
    (socket) => {
      socket.send(frame(1, 'OCI runtime exec failed: exec failed: "nc": executable file not found in $PATH\r\n'))
      exits(126, '')(socket, [])
    },
    {code: 'command-missing'},
  ],
  [
    'what is no SDS server',
    (socket) => socket.send(frame(1, 'SSH-2.0-OpenSSH_9.9\r\n')),
    {code: 'bad-payload', message: expect.stringMatching(/text, not with gRPC: SSH-2.0-OpenSSH_9.9/)},
  ],
])('%s is told as such, with what came back', async (_what, program, expected) => {
  await using fake = await kubelet(() => program)

  expect(await failureOf(read(fake))).toMatchObject(expected)
  await fake.allClosed()
})

test('a connection that breaks is tried once more, and its end is told', async () => {
  await using fake = await kubelet(() => (socket) => socket.terminate())

  const failure = await failureOf(read(fake))

  expect(failure).toMatchObject({code: 'connection-lost', message: expect.stringContaining('it broke off')})
  expect(commands(fake)).toHaveLength(2)
})

test('an agent that never answers ends with the time that there is', async () => {
  await using fake = await kubelet(() => serves({...MODEL, chainPem: () => new Promise(() => undefined)}))

  const answer = await read(fake, never(), 1000)

  const {responses} = JSON.parse(await textOf(answer.body)) as {responses: unknown[]}
  expect(responses).toEqual([
    expect.objectContaining({resource_name: 'default', error: expect.objectContaining({code: 'timeout'})}),
    expect.objectContaining({resource_name: 'ROOTCA', version_info: expect.any(String)}),
  ])
})

test('an interruption ends it, whatever hangs', async () => {
  const stop = new AbortController()
  await using fake = await kubelet(() => () => stop.abort(new Error('Stop')))

  await expect(read(fake, stop.signal)).rejects.toThrow('Stop')
  await fake.allClosed()
})

test('no directory stays behind', () => {
  expect(readdirSync(tempDir)).toEqual([])
})
