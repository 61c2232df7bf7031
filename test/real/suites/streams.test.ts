import {createHash} from 'node:crypto'
import {once} from 'node:events'
import type {Readable} from 'node:stream'
import {buffer, text} from 'node:stream/consumers'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import type {KubeSession} from '../../../src/lib/cluster/connect/session.ts'
import {type CommandRun, runCommand, runSpokenCommand} from '../../../src/lib/cluster/streams/command-run.ts'
import {explainCommand} from '../../../src/lib/cluster/streams/explain-command.ts'
import {openPortForward} from '../../../src/lib/cluster/streams/port-forward.ts'
import {ProbeError} from '../../../src/lib/domain/failure.ts'
import {BEGINNING, LARGE_BYTES, LARGE_OUTPUT, RESTARTING, STREAM_POD, STREAM_PORTS} from '../mesh/stream-pod.ts'
import {openContext} from '../session.ts'
import {kubectl} from '../site.ts'
import {sleep, waitUntil} from '../wait-until.ts'

const POD = {namespace: 'shop', name: STREAM_POD}
const SERVERS = 'servers'
const V5 = 'v5.channel.k8s.io'
const V4 = 'v4.channel.k8s.io'

/** How many streams are open at the same moment. */
const AT_ONCE = 200

/** More than a reader that takes nothing may have in hand, of half a gigabyte; the rest of this process included. */
const BOUND_BYTES = 100 * 1024 * 1024

/** What may be told of a command while its container ends and is started again. */
const WHILE_IT_RESTARTS: ReadonlySet<string> = new Set(['container-not-found', 'container-not-running'])

const never = (): AbortSignal => new AbortController().signal
const shell = (script: string): readonly string[] => ['sh', '-c', script]

/** The session as one of a client that knows no other protocol. */
function offering(session: KubeSession, protocol: string): KubeSession {
  return {...session, upgrade: async (path, _offered, signal) => await session.upgrade(path, [protocol], signal)}
}

/** What kubectl's exec prints. */
async function inPod(script: string): Promise<string> {
  return await kubectl.run(['exec', '-n', 'shop', STREAM_POD, '-c', SERVERS, '--', ...shell(script)])
}

/** What arrived, and how much memory this process took for it at most. */
interface Arrived {
  readonly digest: string
  readonly bytes: number
  readonly grownBytes: number
}

/** Lets the sender run into a reader that takes nothing for two seconds, and then reads all. */
async function readLate(stream: Readable): Promise<Arrived> {
  const before = process.memoryUsage().rss
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 50)
  try {
    await sleep(2000)
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
    }
    return {digest: hash.digest('hex'), bytes, grownBytes: most - before}
  } finally {
    clearInterval(timer)
  }
}

async function failureOf(run: CommandRun, command: readonly string[]): Promise<unknown> {
  const stdout = await text(run.stdout)
  const end = await run.ended()
  return explainCommand({pod: POD, container: SERVERS, command}, {end, stdout, stderr: run.stderr}).failure
}

let largeDigest: string

beforeAll(async () => {
  largeDigest = (await inPod(`${LARGE_OUTPUT} | sha256sum`)).split(' ')[0] ?? ''
})

describe.each(['admin', 'translated'])('through a server that is %s', (context) => {
  let session: KubeSession

  beforeAll(async () => {
    session = await openContext(context)
  })

  afterAll(async () => await session[Symbol.asyncDispose]())

  describe.each([V5, V4])('a command over %s', (protocol) => {
    const run = async (command: readonly string[], container = SERVERS): Promise<CommandRun> =>
      await runCommand(offering(session, protocol), POD, container, command, never())

    test.each([
      ['exit 0', 0],
      ['exit 3', 3],
      ['exit 255', 255],
      ['kill -9 $$', 137],
    ])('that does %s is told to have ended with %i', async (script, code) => {
      const command = await run(shell(script))

      expect(await text(command.stdout)).toBe('')
      expect(await command.ended()).toEqual({type: 'exited', code})
    })

    test('has its two outputs kept apart, and both whole', async () => {
      const command = await run(shell('seq 1 100000; seq 1 500 >&2; exit 7'))

      const lines = (count: number): string =>
        Array.from({length: count}, (_, index) => `${String(index + 1)}\n`).join('')
      expect(await text(command.stdout)).toBe(lines(100_000))
      expect(await command.ended()).toEqual({type: 'exited', code: 7})
      expect(command.stderr).toBe(lines(500))
    })

    test('that the image does not have is told as that', async () => {
      const command = ['not-there', 'at-all']

      expect(await failureOf(await run(command), command)).toMatchObject({code: 'command-missing'})
    })

    test('in a container that the pod does not have is refused', async () => {
      await expect(run(['true'], 'nowhere')).rejects.toMatchObject({failure: {code: 'container-not-found'}})
    })

    test('is asked by what is written to it', async () => {
      const command = await runSpokenCommand(offering(session, protocol), POD, SERVERS, ['cat'], never())

      command.stdin.write('asked')
      const [answer] = (await once(command.stdout, 'data')) as [Buffer]

      expect(answer.toString()).toBe('asked')
      expect(command.canEndInput).toBe(protocol === V5)
      command.close()
    })

    test('ends with its container, and the next runs in the new one', async () => {
      const container = RESTARTING[(context === 'admin' ? 0 : 2) + (protocol === V5 ? 0 : 1)]!
      const command = await run(['sleep', '1000'], container)
      await kubectl.run(['exec', '-n', 'shop', STREAM_POD, '-c', container, '--', 'kill', '1'])

      const end = await command.ended().catch((error: unknown) => error)
      const told: unknown[] = []
      const again = await waitUntil('the restarted container', 60_000, async () => {
        try {
          const next = await run(shell('echo again'), container)
          const said = await text(next.stdout)
          const ended = await next.ended()
          if (ended.type === 'exited' && ended.code === 0) return said
          told.push(
            explainCommand({pod: POD, container, command: ['sh']}, {end: ended, stdout: said, stderr: next.stderr}),
          )
        } catch (error) {
          told.push(error)
        }
        return undefined
      })

      expect(end instanceof ProbeError ? end.failure.code : end).toEqual({type: 'exited', code: 137})
      expect(again).toBe('again\n')
      const other = told.filter((error) => !(error instanceof ProbeError) || !WHILE_IT_RESTARTS.has(error.failure.code))
      expect(other).toEqual([])
    })
  })

  test('of two protocols the newer one is taken, and the end of the input is told with it alone', async () => {
    const command = await runSpokenCommand(session, POD, SERVERS, ['sha256sum'], never())
    const input = Buffer.alloc(8 * 1024 * 1024, 'asked ')

    command.stdin.end(input)

    expect(await text(command.stdout)).toBe(`${createHash('sha256').update(input).digest('hex')}  -\n`)
    expect(await command.ended()).toEqual({type: 'exited', code: 0})
    expect(command.canEndInput).toBe(true)
  })

  test.each([V5, V4])('a program that still reads ends when the connection is closed, over %s', async (protocol) => {
    const name = `reads-${protocol.slice(0, 2)}-${context}`
    const waits = shell(`cat; : ${name}`)
    const command = await runSpokenCommand(offering(session, protocol), POD, SERVERS, waits, never())
    command.stdin.write('asked')
    await once(command.stdout, 'data')
    const before = await inPod('ps -o args')

    command.close()

    expect(before).toContain(`: ${name}`)
    await waitUntil('the program to end', 10_000, async () => {
      return (await inPod('ps -o args')).includes(`: ${name}`) ? undefined : true
    })
  })

  test.each([
    [
      'a forwarded port',
      async () => (await openPortForward(session, POD, [STREAM_PORTS.large], never())).stream(STREAM_PORTS.large),
    ],
    ["a command's output", async () => (await runCommand(session, POD, SERVERS, shell(LARGE_OUTPUT), never())).stdout],
  ])(
    'half a gigabyte of %s passes whole through a reader that takes its time, in bounded memory',
    async (_what, open) => {
      const stream = await open()
      const {bytes, digest, grownBytes} = await readLate(stream)
      stream.destroy()

      expect(bytes).toBe(LARGE_BYTES)
      expect(digest).toBe(largeDigest)
      expect(grownBytes).toBeLessThan(BOUND_BYTES)
    },
  )

  test('a port on which nothing listens is told as closed, and leaves the other one whole', async () => {
    const forward = await openPortForward(session, POD, [STREAM_PORTS.nothing, STREAM_PORTS.echo], never())

    const nothing = await text(forward.stream(STREAM_PORTS.nothing))
    const echo = forward.stream(STREAM_PORTS.echo)
    echo.write('still there')
    const [answer] = (await once(echo, 'data')) as [Buffer]

    expect(nothing).toBe('')
    expect(forward.explainEnd(STREAM_PORTS.nothing).failure).toMatchObject({code: 'port-closed'})
    expect(answer.toString()).toBe('still there')
    expect(forward.hasFailed(STREAM_PORTS.echo)).toBe(false)
    forward.close()
  })

  test('a server that closes before it answers ends the connection, and that is told as lost', async () => {
    const forward = await openPortForward(session, POD, [STREAM_PORTS.closing], never())

    expect(await text(forward.stream(STREAM_PORTS.closing))).toBe('')
    expect(forward.explainEnd(STREAM_PORTS.closing).failure).toMatchObject({code: 'connection-lost'})
  })

  test('what a server sent before it reset the connection is there', async () => {
    const forward = await openPortForward(session, POD, [STREAM_PORTS.resetting], never())

    expect(await text(forward.stream(STREAM_PORTS.resetting))).toBe(`${BEGINNING}\n`)
    expect(forward.explainEnd(STREAM_PORTS.resetting).failure).toMatchObject({code: 'connection-lost'})
  })

  test(`${String(AT_ONCE)} forwards at once each get their own answer`, async () => {
    const numbers = Array.from({length: AT_ONCE}, (_, index) => `number ${String(index)} of ${context}`)
    const forwards = await Promise.all(
      numbers.map(async () => await openPortForward(session, POD, [STREAM_PORTS.echo], never())),
    )

    const answers = await Promise.all(
      forwards.map(async (forward, index) => {
        const stream = forward.stream(STREAM_PORTS.echo)
        stream.write(numbers[index])
        const [answer] = (await once(stream, 'data')) as [Buffer]
        return answer.toString()
      }),
    )

    expect(answers).toEqual(numbers)
    for (const forward of forwards) forward.close()
    await waitUntil('the servers to be let go', 20_000, async () => {
      return Number(await inPod('ps -o args | grep -c "^socat.*PIPE"')) <= 1 ? true : undefined
    })
  })

  test('commands at once each get their own answer', async () => {
    const numbers = Array.from({length: 15}, (_, index) => `number ${String(index)} of ${context}\n`)

    const answers = await Promise.all(
      numbers.map(async (number) => {
        const command = await runCommand(session, POD, SERVERS, ['printf', number], never())
        return (await buffer(command.stdout)).toString()
      }),
    )

    expect(answers).toEqual(numbers)
  })
})
