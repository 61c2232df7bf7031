import {tmpdir} from 'node:os'
import {expect, test} from '@jest/globals'
import type {WebSocket} from 'ws'
import type {RawAnswer} from '../../../src/lib/cluster/streams/raw-answer.ts'
import {ExecRoute} from '../../../src/lib/cluster/routes/route-exec.ts'
import {type Form, type HttpForm, wordsOf} from '../../../src/lib/domain/question.ts'
import {failureOf, fakeKubelet, type FakeKubelet, frame, never, POD, streamFixture, textOf} from './fake-kubelet.ts'

const NOW_MS = 1_780_000_000_000
const ADMIN: HttpForm = {type: 'http', port: 15000, paths: ['/config_dump'], bindsToPod: false, refusals: []}

const SUCCESS = {kind: 'Status', status: 'Success'}

function exited(code: number): object {
  const details = {causes: [{reason: 'ExitCode', message: String(code)}]}
  return {kind: 'Status', status: 'Failure', reason: 'NonZeroExitCode', message: `exit code ${code}`, details}
}

function failed(message: string): object {
  return {kind: 'Status', status: 'Failure', reason: 'InternalError', message, code: 500}
}

const NO_SUCH_PROGRAM = failed(
  'error executing command in container: OCI runtime exec failed: exec failed: unable to start container process: exec: "x": executable file not found in $PATH: unknown',
)

/** Ends a command: what it wrote, and the Status of how it ended. */
function end(socket: WebSocket, status: object, stdout = '', stderr = ''): void {
  if (stderr !== '') socket.send(frame(2, stderr))
  if (stdout !== '') socket.send(frame(1, stdout))
  socket.send(frame(3, JSON.stringify(status)))
  socket.close(1000)
}

/** A container that has some programs, each with what it does; others are not found. */
function image(programs: Readonly<Record<string, (socket: WebSocket, command: readonly string[]) => void>>) {
  return {
    exec(socket: WebSocket, command: readonly string[]) {
      const program = programs[command[0] ?? '']
      if (program === undefined) end(socket, NO_SUCH_PROGRAM)
      else program(socket, command)
    },
  }
}

function routeTo(kubelet: FakeKubelet): ExecRoute & Disposable {
  const route = new ExecRoute(kubelet.session, POD, () => NOW_MS, tmpdir())
  return Object.assign(route, {[Symbol.dispose]: () => route.close()})
}

function get(route: ExecRoute, form: Form = ADMIN, signal = never(), dialBudgetMs?: number): Promise<RawAnswer> {
  return route.get({
    form,
    path: wordsOf(form)[0] ?? '',
    container: 'istio-proxy',
    signal,
    dialBudgetMs: () => dialBudgetMs,
    timeLeftMs: () => 4500,
  })
}

function commands(kubelet: FakeKubelet): string[] {
  return kubelet.asked.map((path) => new URL(path, 'http://x').searchParams.getAll('command').join(' '))
}

test("the agent's own request command is asked first, in its container, with both protocols offered", async () => {
  await using kubelet = await fakeKubelet(image({'pilot-agent': (socket) => end(socket, SUCCESS, '{"configs":[]}\n')}))
  using route = routeTo(kubelet)

  const answer = await get(route)

  expect(answer).toMatchObject({status: 200, receivedMs: NOW_MS})
  expect(await textOf(answer.body)).toBe('{"configs":[]}')
  expect(kubelet.asked).toEqual([
    '/api/v1/namespaces/shop/pods/cart-1/exec?container=istio-proxy&command=pilot-agent&command=request&command=GET&command=%2Fconfig_dump&stdout=true&stderr=true',
  ])
  expect(kubelet.offered).toEqual([['v5.channel.k8s.io', 'v4.channel.k8s.io']])
})

test.each([
  [15020, 'pilot-agent request --debug-port 15020 GET /metrics'],
  [15014, 'pilot-discovery request GET /metrics'],
  [9901, 'curl -q -s -S -i -g --noproxy * --max-time 5 http://localhost:9901/metrics'],
])('port %i is asked with: %s', async (port, command) => {
  const head = 'HTTP/1.1 200 OK\r\n\r\n'
  await using kubelet = await fakeKubelet({exec: (socket) => end(socket, SUCCESS, head)})
  using route = routeTo(kubelet)

  await get(route, {...ADMIN, port, paths: ['/metrics']})

  expect(commands(kubelet)).toEqual([command])
})

test('a Unix socket is asked with curl, which gives the status and the clock', async () => {
  const head =
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\nDate: Mon, 01 Jun 2026 12:00:00 GMT\r\n\r\n'
  await using kubelet = await fakeKubelet(image({curl: (socket) => end(socket, SUCCESS, `${head}no`)}))
  using route = routeTo(kubelet)

  const answer = await get(route, {...ADMIN, socket: '/admin/admin.sock', headers: {'x-a': 'b'}})

  expect(commands(kubelet)).toEqual([
    'curl -q -s -S -i -g --noproxy * --max-time 5 -H x-a: b --unix-socket /admin/admin.sock http://localhost/config_dump',
  ])
  expect(answer).toMatchObject({status: 403, contentType: 'text/plain', dateMs: Date.parse('2026-06-01T12:00:00Z')})
  expect(await textOf(answer.body)).toBe('no')
})

test('the next program is asked where the image lacks one, and that is not asked twice', async () => {
  await using kubelet = await fakeKubelet(image({wget: (socket) => end(socket, SUCCESS, 'body')}))
  using route = routeTo(kubelet)

  const first = await textOf((await get(route)).body)
  const second = await textOf((await get(route)).body)

  expect([first, second]).toEqual(['body', 'body'])
  expect(commands(kubelet).map((command) => command.split(' ')[0])).toEqual(['pilot-agent', 'curl', 'wget', 'wget'])
})

test('an image without any of them is told as such, with another way', async () => {
  await using kubelet = await fakeKubelet(image({}))
  using route = routeTo(kubelet)

  const failure = await failureOf(get(route))

  expect(failure).toMatchObject({
    code: 'command-missing',
    message: 'Cannot run a command in shop/cart-1 (istio-proxy): its image has none of pilot-agent, curl, wget',
    hint: 'Distroless images have no tools to run: use --via port-forward',
  })
})

test('an image without a program that prints a file is told as such, and not to be reached by a forward', async () => {
  await using kubelet = await fakeKubelet(image({}))
  using route = routeTo(kubelet)

  const failure = await failureOf(get(route, {type: 'read-file', paths: ['/etc/certs/cert-chain.pem']}))

  expect(failure).toMatchObject({
    code: 'command-missing',
    message: 'Cannot run a command in shop/cart-1 (istio-proxy): its image has none of cat, /bin/cat',
    hint: 'Distroless images have no tools to run: leave agent-files out, so that other sources speak',
  })
})

test.each<[what: string, status: object, stdout: string, stderr: string]>([
  ['runc, as a status', NO_SUCH_PROGRAM, '', ''],
  [
    'runc, a path',
    failed('OCI runtime exec failed: exec failed: exec: "/bin/cat": stat /bin/cat: no such file or directory'),
    '',
    '',
  ],
  ['crun', failed('exec failed: executable file `cat` not found in $PATH: No such file or directory'), '', ''],
  [
    'docker, on standard output',
    exited(126),
    'OCI runtime exec failed: exec failed: exec: "cat": executable file not found\r\n',
    '',
  ],
  [
    'runc, not permitted',
    failed('exec failed: unable to start container process: exec: "cat": permission denied'),
    '',
    '',
  ],
  ['runc, of old', failed('standard_init_linux.go:228: exec user process caused: no such file or directory'), '', ''],
  ['a shell', exited(127), '', 'sh: cat: not found'],
  ['exit 126 and silence', exited(126), '', ''],
])('a program that is not there is recognised: %s', async (_what, status, stdout, stderr) => {
  await using kubelet = await fakeKubelet({exec: (socket) => end(socket, status, stdout, stderr)})
  using route = routeTo(kubelet)

  const failure = await failureOf(get(route, {type: 'read-file', paths: ['/etc/certs/cert-chain.pem']}))

  expect(failure.code).toBe('command-missing')
})

test('a runtime that has no cgroup for the program does not say that the image lacks it', async () => {
  const message =
    'failed to start exec "4c2f": OCI runtime exec failed: exec failed: unable to start container process: error adding pid 2367 to cgroups: failed to write 2367: openat2 /sys/fs/cgroup/systemd/k8s.io/9da2/cgroup.procs: no such file or directory: unknown'
  await using kubelet = await fakeKubelet({exec: (socket) => end(socket, failed(message), '', '')})
  using route = routeTo(kubelet)

  const failure = await failureOf(get(route, {type: 'read-file', paths: ['/etc/certs/cert-chain.pem']}))

  expect(failure.code).toBe('command-failed')
  expect(failure.message).toContain('cgroup.procs')
})

test('an agent that is older than a flag is passed over', async () => {
  await using kubelet = await fakeKubelet(
    image({
      'pilot-agent': (socket) => end(socket, exited(1), '', 'Error: unknown flag: --debug-port'),
      curl: (socket) => end(socket, SUCCESS, 'HTTP/1.1 200 OK\r\n\r\nx'),
    }),
  )
  using route = routeTo(kubelet)

  expect(await textOf((await get(route, {...ADMIN, port: 15020})).body)).toBe('x')
})

test('a status that the agent tells on standard error is the answer, with its text', async () => {
  const [, body = ''] = streamFixture('admin-errors/400_mask.txt').split('\n\n')
  const stderr = `Error: received unsuccessful status code 400: ${body}`
  await using kubelet = await fakeKubelet(image({'pilot-agent': (socket) => end(socket, exited(1), '', stderr)}))
  using route = routeTo(kubelet)

  const answer = await get(route)

  expect(answer.status).toBe(400)
  expect(await textOf(answer.body)).toContain('could not be successfully applied')
})

test('a status that wget tells is the answer', async () => {
  const stderr = 'wget: server returned error: HTTP/1.1 404 Not Found'
  await using kubelet = await fakeKubelet(image({wget: (socket) => end(socket, exited(1), '', stderr)}))
  using route = routeTo(kubelet)

  expect((await get(route)).status).toBe(404)
})

test.each(['404_path.txt', '404_resource.txt'])('a 404 that the agent prints as if it were well: %s', async (file) => {
  const [, body = ''] = streamFixture(`admin-errors/${file}`).split('\n\n')
  await using kubelet = await fakeKubelet(image({'pilot-agent': (socket) => end(socket, SUCCESS, `${body}\n`)}))
  using route = routeTo(kubelet)

  const answer = await get(route)

  expect(answer.status).toBe(404)
  expect(await textOf(answer.body)).toBe(body)
})

/** What `pilot-agent` 1.31 leaves behind where it fails, recorded: its log on both outputs, cobra's error, exit code 255. */
const LOG_TIME = '2026-11-30T21:22:33.895008Z'
const MEMORY =
  '2026/11/30 21:22:33 INFO memory is not limited, skipping package=github.com/KimMachineGun/automemlimit/memlimit\n'

test('a status that the agent also logs to standard output is the answer, not the log', async () => {
  const why = 'received unsuccessful status code 400: FieldMask bogus could not be\nsuccessfully applied'
  const failed = (socket: WebSocket): void =>
    end(socket, exited(255), `${LOG_TIME}\terror\t${why}\n`, `${MEMORY}Error: ${why}\n`)
  await using kubelet = await fakeKubelet(image({'pilot-agent': failed}))
  using route = routeTo(kubelet)

  const answer = await get(route)

  expect(answer.status).toBe(400)
  expect(await textOf(answer.body)).toBe('FieldMask bogus could not be\nsuccessfully applied\n')
})

test('a port that is closed is told from the error of the agent, not from its log', async () => {
  const why = 'Get "http://localhost:15000/certs": dial tcp 127.0.0.1:15000: connect: connection refused'
  const failed = (socket: WebSocket): void =>
    end(socket, exited(255), `${LOG_TIME}\terror\t${why}\n`, `${MEMORY.repeat(4)}Error: ${why}\n`)
  await using kubelet = await fakeKubelet(image({'pilot-agent': failed}))
  using route = routeTo(kubelet)

  const failure = await failureOf(get(route))

  expect(failure.code).toBe('port-closed')
  expect(failure.message).toBe(`pilot-agent in shop/cart-1 (istio-proxy) failed, exit code 255: Error: ${why}`)
})

test('an agent that logs that it is older than a flag is passed over', async () => {
  const why = 'unknown flag: --debug-port'
  await using kubelet = await fakeKubelet(
    image({
      'pilot-agent': (socket) =>
        end(socket, exited(255), `${LOG_TIME}\terror\t${why}\n`, `${MEMORY.repeat(4)}Error: ${why}\n`),
      curl: (socket) => end(socket, SUCCESS, 'HTTP/1.1 200 OK\r\n\r\nx'),
    }),
  )
  using route = routeTo(kubelet)

  expect(await textOf((await get(route, {...ADMIN, port: 15020})).body)).toBe('x')
})

test.each([
  ['a warning', [`${LOG_TIME}\twarn\tOS CA Cert could not be found for agent\nLIVE\n\n`], 'LIVE\n'],
  [
    'two lines in pieces',
    [`${LOG_TIME}\tinfo\ta`, `\n${LOG_TIME.slice(0, 12)}`, `${LOG_TIME.slice(12)}\twarn\tb\n{`, '}\n'],
    '{}',
  ],
  ['an error that it got over', [`${LOG_TIME}\terror\tx\n`, '{}\n'], '{}'],
  ['nothing', ['{"a":\n', '1}', '\n'], '{"a":\n1}'],
  ['nothing, where the answer begins with a date', [`${LOG_TIME} is no log\n\n`], `${LOG_TIME} is no log\n`],
  ['nothing, where the answer is empty', ['\n'], ''],
])('what the agent logs before its answer is no part of it: %s', async (_what, pieces, expected) => {
  await using kubelet = await fakeKubelet(
    image({
      'pilot-agent'(socket) {
        for (const piece of pieces) socket.send(frame(1, piece))
        end(socket, SUCCESS, '')
      },
    }),
  )
  using route = routeTo(kubelet)

  const answer = await get(route)

  expect(answer.status).toBe(200)
  expect(await textOf(answer.body)).toBe(expected)
})

test.each([
  [
    'pilot-agent',
    1,
    'Error: Get "http://localhost:15000/x": dial tcp 127.0.0.1:15000: connect: connection refused',
    'port-closed',
  ],
  ['curl', 7, 'curl: (7) Failed to connect to localhost port 15000: Connection refused', 'port-closed'],
  ['curl', 28, 'curl: (28) Operation timed out after 4000 milliseconds', 'timeout'],
  ['curl', 52, 'curl: (52) Empty reply from server', 'connection-lost'],
  ['wget', 8, '', 'http-status'],
  ['wget', 4, '', 'command-failed'],
])('%s that ends with %i and %j is %s', async (program, code, stderr, expected) => {
  await using kubelet = await fakeKubelet(image({[program]: (socket) => end(socket, exited(code), '', stderr)}))
  using route = routeTo(kubelet)

  const failure = await failureOf(get(route))

  expect(failure.code).toBe(expected)
  expect(failure.message).toContain(`${program} in shop/cart-1 (istio-proxy) failed, exit code ${code}`)
})

test('text on standard error is no failure where the command succeeds', async () => {
  const noise = streamFixture('exec/stderr_only.txt')
  await using kubelet = await fakeKubelet(image({'pilot-agent': (socket) => end(socket, SUCCESS, '{}', noise)}))
  using route = routeTo(kubelet)

  expect(await textOf((await get(route)).body)).toBe('{}')
})

test('an endless standard error is kept in part', async () => {
  const stderr = `beginning ${'x'.repeat(100_000)}`
  await using kubelet = await fakeKubelet(image({curl: (socket) => end(socket, exited(2), '', stderr)}))
  using route = routeTo(kubelet)

  const {message} = await failureOf(get(route))

  expect(message).toContain('exit code 2: beginning xxx')
  expect(message.length).toBeLessThan(500)
})

test('a connection that goes before the status is lost, whatever came before', async () => {
  await using kubelet = await fakeKubelet({
    exec(socket) {
      socket.send(frame(1, '{"configs'))
      socket.close(1011, 'node down')
    },
  })
  using route = routeTo(kubelet)

  const answer = await get(route)
  const failure = await failureOf(textOf(answer.body))

  expect(failure.code).toBe('cut-off')
  expect(failure.message).toBe('Answer of pilot-agent in shop/cart-1 (istio-proxy) cut off after 9 bytes')
  expect(failure.hint).toContain('closed with 1011 (node down)')
})

test('a connection that goes before anything is lost', async () => {
  await using kubelet = await fakeKubelet({exec: (socket) => socket.terminate()})
  using route = routeTo(kubelet)

  expect((await failureOf(get(route))).code).toBe('connection-lost')
  expect(kubelet.asked).toHaveLength(2)
})

test('a connection that goes before anything once is tried once more', async () => {
  await using kubelet = await fakeKubelet({
    exec(socket, _command, count) {
      if (count === 1) socket.terminate()
      else end(socket, SUCCESS, 'body')
    },
  })
  using route = routeTo(kubelet)

  expect(await textOf((await get(route)).body)).toBe('body')
})

test('a command that fails after it has printed makes its output a part', async () => {
  await using kubelet = await fakeKubelet(image({'pilot-agent': (socket) => end(socket, exited(137), '{"configs"')}))
  using route = routeTo(kubelet)

  expect((await failureOf(textOf((await get(route)).body))).code).toBe('cut-off')
})

test("curl's answer is held to the length that its head names", async () => {
  const stdout = 'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nhalf'
  await using kubelet = await fakeKubelet(image({curl: (socket) => end(socket, SUCCESS, stdout)}))
  using route = routeTo(kubelet)

  expect((await failureOf(textOf((await get(route)).body))).message).toContain('cut off after 4 of 20 bytes')
})

test.each([
  ['no HTTP at all', 'hello'],
  ['an endless head', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}`],
])('curl that prints %s is refused', async (_what, stdout) => {
  await using kubelet = await fakeKubelet(image({curl: (socket) => end(socket, SUCCESS, `${stdout}\r\n\r\n`)}))
  using route = routeTo(kubelet)

  expect((await failureOf(get(route))).code).toBe('bad-payload')
})

test("v5's close frames, empty frames and channels that say nothing to us are passed over", async () => {
  await using kubelet = await fakeKubelet({
    exec(socket) {
      socket.send(frame(1))
      socket.send(frame(2))
      socket.send(frame(0, 'x'))
      socket.send(frame(77, 'x'))
      socket.send(frame(1, 'body'))
      socket.send(frame(255, [1]))
      socket.send(frame(255, [2]))
      end(socket, SUCCESS)
    },
  })
  using route = routeTo(kubelet)

  expect(await textOf((await get(route)).body)).toBe('body')
})

test('a status in pieces is one, and output may still follow it', async () => {
  await using kubelet = await fakeKubelet({
    exec(socket) {
      const status = JSON.stringify(SUCCESS)
      socket.send(frame(1, 'first'))
      socket.send(frame(3, status.slice(0, 10)))
      socket.send(frame(3, status.slice(10)))
      socket.send(frame(1, ' second'))
      socket.close(1000)
    },
  })
  using route = routeTo(kubelet)

  expect(await textOf((await get(route)).body)).toBe('first second')
})

test('a server that keeps the socket open after the status does not hold the answer', async () => {
  await using kubelet = await fakeKubelet({
    exec(socket) {
      socket.send(frame(1, 'body'))
      socket.send(frame(3, JSON.stringify(SUCCESS)))
    },
  })
  using route = routeTo(kubelet)

  expect(await textOf((await get(route)).body)).toBe('body')
  await kubelet.allClosed()
})

test('a status that is no JSON is a failure that shows it', async () => {
  await using kubelet = await fakeKubelet({
    exec(socket) {
      socket.send(frame(3, 'what\n?'))
      socket.close(1000)
    },
  })
  using route = routeTo(kubelet)

  expect((await failureOf(get(route))).message).toContain('not started: what ?')
})

test('a large output into a slow reader arrives whole', async () => {
  const chunk = 'x'.repeat(64 * 1024)
  await using kubelet = await fakeKubelet({
    exec(socket) {
      for (let count = 0; count < 200; count += 1) socket.send(frame(1, chunk))
      end(socket, SUCCESS)
    },
  })
  using route = routeTo(kubelet)

  let length = 0
  for await (const bytes of (await get(route)).body) {
    length += bytes.length
    await new Promise((resolve) => setImmediate(resolve))
  }

  expect(length).toBe(chunk.length * 200)
})

test('a slow reader holds the command back', async () => {
  const chunk = 'x'.repeat(64 * 1024)
  const chunks = 400
  let sent = 0
  await using kubelet = await fakeKubelet({
    exec(socket) {
      const next = (): void => {
        sent += 1
        if (sent <= chunks) socket.send(frame(1, chunk), next)
        else end(socket, SUCCESS)
      }
      next()
    },
  })
  using route = routeTo(kubelet)

  const answer = await get(route, {type: 'read-file', paths: ['/large']})
  let before = -1
  while (sent > before) {
    before = sent
    for (let turns = 0; turns < 500; turns += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  const heldBack = chunks - sent

  expect(heldBack).toBeGreaterThan(0)
  expect(await textOf(answer.body)).toHaveLength(chunk.length * chunks)
})

test('a file is printed with cat, and with the one in /bin where the path knows none', async () => {
  await using kubelet = await fakeKubelet(image({'/bin/cat': (socket) => end(socket, SUCCESS, '-----BEGIN')}))
  using route = routeTo(kubelet)

  const answer = await get(route, {type: 'read-file', paths: ['/etc/certs/cert-chain.pem']})

  expect(answer.status).toBe(200)
  expect(await textOf(answer.body)).toBe('-----BEGIN')
  expect(commands(kubelet)).toEqual(['cat -- /etc/certs/cert-chain.pem', '/bin/cat -- /etc/certs/cert-chain.pem'])
})

test.each([
  ['No such file or directory', 404],
  ['Permission denied', 403],
])('a file of which cat says %j is an answer of its own', async (says, status) => {
  const stderr = `cat: /etc/certs/cert-chain.pem: ${says}`
  await using kubelet = await fakeKubelet(image({cat: (socket) => end(socket, exited(1), '', stderr)}))
  using route = routeTo(kubelet)

  const answer = await get(route, {type: 'read-file', paths: ['/etc/certs/cert-chain.pem']})

  expect(answer.status).toBe(status)
  expect(await textOf(answer.body)).toBe(stderr)
})

test('an empty file is read, and is empty', async () => {
  await using kubelet = await fakeKubelet(image({cat: (socket) => end(socket, SUCCESS)}))
  using route = routeTo(kubelet)

  const answer = await get(route, {type: 'read-file', paths: ['/etc/certs/cert-chain.pem']})

  expect(answer.status).toBe(200)
  expect(await textOf(answer.body)).toBe('')
})

test.each([
  ['container not found ("istio-proxy")', 'container-not-found'],
  ['cannot exec in a stopped container: unknown', 'container-not-running'],
  [
    'failed to exec in container: failed to load task: no running task found: task c71d not found: not found',
    'container-not-running',
  ],
  ['failed to start exec "4c2f": cannot exec in a deleted state: unknown', 'container-not-running'],
  [
    'failed to exec in container: failed to create exec "9d14": task 331c not found: not found',
    'container-not-running',
  ],
  [
    'failed to exec in container: failed to create exec "e283": container not created: not found',
    'container-not-running',
  ],
  ['failed to exec in container: failed to get container status: not found', 'container-not-running'],
  ['failed to exec in container: failed to start exec "e283": something else', 'command-failed'],
])('a container in which nothing can run is told: %s', async (message, code) => {
  await using kubelet = await fakeKubelet({exec: (socket) => end(socket, failed(message))})
  using route = routeTo(kubelet)

  expect((await failureOf(get(route))).code).toBe(code)
})

test('a refused exec names its own verbs', async () => {
  const body = streamFixture('refusals/exec.json')
  await using kubelet = await fakeKubelet({refuse: () => ({status: 403, body})})
  using route = routeTo(kubelet)

  expect((await failureOf(get(route))).message).toContain('get and create on pods/exec')
})

test('a hanging upgrade has no more than the budget for dialling', async () => {
  await using kubelet = await fakeKubelet({refuse: () => 'hang'})
  using route = routeTo(kubelet)

  expect(await failureOf(get(route, ADMIN, never(), 20))).toMatchObject({stage: 'dial', code: 'timeout'})
})

test('a command that never ends does so at the signal', async () => {
  const {promise: started, resolve: start} = Promise.withResolvers<void>()
  await using kubelet = await fakeKubelet({exec: () => start()})
  using route = routeTo(kubelet)
  const stop = new AbortController()

  const asked = get(route, ADMIN, stop.signal)
  await started
  stop.abort(new Error('enough'))

  await expect(asked).rejects.toThrow('enough')
  await kubelet.allClosed()
})

test('an output that never ends does so at the signal', async () => {
  await using kubelet = await fakeKubelet({exec: (socket) => socket.send(frame(1, 'begun'))})
  using route = routeTo(kubelet)
  const stop = new AbortController()

  const answer = await get(route, {type: 'read-file', paths: ['/x']}, stop.signal)
  const reading = textOf(answer.body)
  stop.abort(new Error('enough'))

  await expect(reading).rejects.toThrow('enough')
  await kubelet.allClosed()
})

test('closing the route ends the commands that run', async () => {
  await using kubelet = await fakeKubelet({exec: (socket) => socket.send(frame(1, 'begun'))})
  const route = routeTo(kubelet)
  const answer = await get(route, {type: 'read-file', paths: ['/x']})

  route.close()
  await kubelet.allClosed()

  expect((await failureOf(textOf(answer.body))).code).toBe('cut-off')
})
