import {chmodSync, cpSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {text} from 'node:stream/consumers'
import {afterEach, expect, test} from '@jest/globals'
import type {ConnectionOptions} from '../../../src/lib/cluster/login/connection-options.ts'
import {openSessions} from '../../../src/lib/cluster/connect/open-sessions.ts'
import type {KubeSession} from '../../../src/lib/cluster/connect/session.ts'
import {
  answerJson,
  Ends,
  fixture,
  makeDeps,
  makeOptions,
  never,
  openTestSession,
  readFixture,
  startServer,
  thrownBy,
  type ScriptedServer,
  type TestDeps,
} from './scripted-server.ts'

const ends = new Ends()
afterEach(() => ends.run())

/** The fixture's kubeconfig with its login programs, in a folder of its own, pointed at a server. */
async function openContext(
  server: ScriptedServer,
  context: string,
  options: Partial<ConnectionOptions> = {},
  deps: TestDeps = makeDeps(),
): Promise<KubeSession> {
  const folder = ends.folder()
  cpSync(fixture('kubeconfig/exec-plugins'), folder, {recursive: true})
  for (const name of readdirSync(path.join(folder, 'bin'))) chmodSync(path.join(folder, 'bin', name), 0o755)
  const kubeconfig = path.join(folder, 'config')
  writeFileSync(kubeconfig, readFileSync(kubeconfig, 'utf8').replaceAll('https://127.0.0.1:6443', server.url))
  const [session] = await openSessions(makeOptions({kubeconfig, contexts: [context], cwd: '/', ...options}), deps)
  if (session === undefined) throw new Error('no session')
  ends.add(() => session[Symbol.asyncDispose]())
  return session
}

/** A session whose login program counts its runs in a file and gives `token-1`, `token-2`, …. */
async function openCounting(
  server: ScriptedServer,
  script: string,
  exec: Record<string, unknown> = {},
  deps = makeDeps(),
) {
  const folder = ends.folder()
  const runs = path.join(folder, 'runs')
  const command = path.join(folder, 'login.sh')
  writeFileSync(command, `#!/bin/sh\necho run >> ${runs}\nn=$(wc -l < ${runs} | tr -d ' ')\n${script}\n`, {mode: 0o755})
  const session = await openTestSession(ends, server.url, {
    user: {exec: {apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never', ...exec}},
    deps,
    options: {cwd: '/'},
  })
  return {session, runs: () => readFileSync(runs, 'utf8').trim().split('\n').length}
}

const credential = (status: string): string =>
  `echo '{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status": ${status}}' | sed "s/@N/$n/"`

const get = async (session: KubeSession): Promise<string> =>
  text((await session.get('/version', {signal: never()})).body)

test('a login program is found relative to its kubeconfig, and its token is used', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const session = await openContext(server, 'ok')

  await get(session)

  expect(server.seen[0]?.headers.authorization).toBe('Bearer token-ok')
})

test.each([
  ['noisy', /bin\/noisy\.sh: it printed no ExecCredential but 'Using profile dev'$/],
  ['fail', /bin\/fail\.sh: it ended with exit code 3: session expired, run: acme login$/],
  ['certs', /bin\/certs\.sh: its client certificate and key cannot be used: they are no pair of valid PEM texts$/],
  ['missing', /^Cannot log in with acme-login-not-installed: the program was not found$/],
  ['interactive', /bin\/ok\.sh: it needs a terminal, and there is none$/],
  ['v1alpha1', /it speaks client\.authentication\.k8s\.io\/v1alpha1, which is not supported$/],
])('a login that fails (%s) says which program, and why', async (context, message) => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const session = await openContext(server, context)

  const error = await thrownBy(session.get('/version', {signal: never()}))

  expect(error).toMatchObject({failure: {stage: 'dial', code: 'unauthorized', message: expect.stringMatching(message)}})
  expect(JSON.stringify(error) + String(error)).not.toMatch(/token-|PRIVATE KEY/)
  expect(server.seen).toEqual([])
})

test('a login program that is not installed comes with its own hint', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const session = await openContext(server, 'missing')

  const error = await thrownBy(session.get('/version', {signal: never()}))

  expect(error).toMatchObject({failure: {hint: 'Install it with: brew install acme-login'}})
})

test('fifty requests at once log in once', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const {session, runs} = await openCounting(server, credential('{"token": "token-@N"}'))

  await Promise.all(Array.from({length: 50}, () => get(session)))

  expect(runs()).toBe(1)
  expect(new Set(server.seen.map(({headers}) => headers.authorization))).toEqual(new Set(['Bearer token-1']))
})

test('a token is renewed shortly before its end, and kept until then', async () => {
  let nowMs = Date.parse('2026-06-01T12:00:00Z')
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const script = credential('{"token": "token-@N", "expirationTimestamp": "2026-06-01T12:01:00Z"}')
  const {session, runs} = await openCounting(server, script, {}, makeDeps({now: () => nowMs}))

  await get(session)
  nowMs += 53_000
  await get(session)
  const before = runs()
  nowMs += 2_000
  await get(session)

  expect([before, runs()]).toEqual([1, 2])
})

test('a token that is over already is used for one request and not kept', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const {session, runs} = await openCounting(
    server,
    credential('{"token": "token-@N", "expirationTimestamp": "2020-01-01T00:00:00Z"}'),
  )

  await get(session)
  await get(session)

  expect(runs()).toBe(2)
})

test('after a 401 all requests share one new login', async () => {
  const server = await startServer(ends, (request, response) => {
    answerJson(response, {}, request.headers.authorization === 'Bearer token-1' ? 401 : 200)
  })
  const {session, runs} = await openCounting(server, credential('{"token": "token-@N"}'))

  await Promise.all(Array.from({length: 20}, () => get(session)))

  expect(runs()).toBe(2)
})

test('a server that never lets the user in makes the login run twice and no more', async () => {
  const server = await startServer(ends, (_request, response) =>
    answerJson(response, readFixture('list/forbidden/401.json'), 401),
  )
  const {session, runs} = await openCounting(server, credential('{"token": "token-@N"}'))

  const errors = [await thrownBy(get(session)), await thrownBy(get(session)), await thrownBy(get(session))]

  const refused = {failure: {code: 'unauthorized'}}
  expect(errors).toMatchObject([refused, refused, refused])
  expect(runs()).toBe(2)
})

test('a client certificate from a login program is shown, and a renewed one takes its place', async () => {
  const server = await startServer(
    ends,
    (_request, response, count) => answerJson(response, {}, count === 1 ? 401 : 200),
    {wantsClient: true},
  )
  const folder = ends.folder()
  for (const [n, name] of [
    [1, 'client'],
    [2, 'client-2'],
  ] as const) {
    const status = {
      clientCertificateData: readFixture(`tls/${name}.pem`),
      clientKeyData: readFixture(`tls/${name}-key.pem`),
    }
    writeFileSync(
      path.join(folder, String(n)),
      JSON.stringify({kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', status}),
    )
  }
  const {session} = await openCounting(server, `cat ${folder}/$n`)

  await get(session)

  expect(server.seen.map(({client}) => client)).toEqual(['ci', 'ci-2'])
})

test('a login program is told its version, that there is no terminal, and the cluster if it asks', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const folder = ends.folder()
  const {session} = await openCounting(
    server,
    `printf '%s' "$KUBERNETES_EXEC_INFO" > ${folder}/info; printf '%s' "$ACME" > ${folder}/acme\n${credential('{"token": "t"}')}`,
    {provideClusterInfo: true, env: [{name: 'ACME', value: 'dev'}]},
  )

  await get(session)

  expect(readFileSync(path.join(folder, 'acme'), 'utf8')).toBe('dev')
  expect(JSON.parse(readFileSync(path.join(folder, 'info'), 'utf8'))).toEqual({
    kind: 'ExecCredential',
    apiVersion: 'client.authentication.k8s.io/v1',
    spec: {
      interactive: false,
      cluster: {
        server: server.url,
        'certificate-authority-data': Buffer.from(readFixture('tls/ca.pem')).toString('base64'),
      },
    },
  })
})

test('what a failing login program says is shown without what looks like a credential', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const {session} = await openCounting(
    server,
    `echo 'refresh token=s3cr3t failed: Bearer abc.def eyJhbGci.eyJzdWIi.sig' >&2; exit 1`,
  )

  const error = await thrownBy(get(session))

  expect(error).toMatchObject({
    failure: {message: expect.stringMatching(/exit code 1: refresh token=\*\*\* failed: Bearer \*\*\* \*\*\*$/)},
  })
})

test('a login program that hangs ends with the request that waits for it', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const {session} = await openCounting(server, 'sleep 100')
  const stop = new AbortController()

  const running = thrownBy(session.get('/version', {signal: stop.signal}))
  stop.abort(new Error('enough'))

  expect(await running).toMatchObject({message: 'enough'})
})

test('a login that failed is not tried again at once', async () => {
  let nowMs = Date.parse('2026-06-01T12:00:00Z')
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const {session, runs} = await openCounting(server, 'exit 1', {}, makeDeps({now: () => nowMs}))

  await thrownBy(get(session))
  await thrownBy(get(session))
  const before = runs()
  nowMs += 31_000
  await thrownBy(get(session))

  expect([before, runs()]).toEqual([1, 2])
})

test('contexts that share a user log in once', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const folder = ends.folder()
  const runs = path.join(folder, 'runs')
  writeFileSync(path.join(folder, 'login.sh'), `#!/bin/sh\necho run >> ${runs}\n${credential('{"token": "t"}')}\n`, {
    mode: 0o755,
  })
  writeFileSync(
    path.join(folder, 'config'),
    `clusters: [{name: c, cluster: {server: "${server.url}", certificate-authority: ${fixture('tls/ca.pem')}}}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login.sh, interactiveMode: Never}}}]
contexts: [{name: a, context: {cluster: c, user: u}}, {name: b, context: {cluster: c, user: u}}]
`,
  )
  const options = makeOptions({kubeconfig: path.join(folder, 'config'), contexts: ['a', 'b'], cwd: '/'})

  const sessions = await openSessions(options, makeDeps())
  await sessions[0]?.[Symbol.asyncDispose]()
  const answers = await Promise.all(sessions.slice(1).map(get))
  await sessions[1]?.[Symbol.asyncDispose]()

  expect(answers).toEqual(['{}'])
  expect(readFileSync(runs, 'utf8')).toBe('run\n')
})

test('at a terminal a login program is told so, and what it says is shown as it comes', async () => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const folder = ends.folder()
  const command = path.join(folder, 'login.sh')
  const script = `echo 'Open https://login.test and enter ABCD' >&2; printf '%s' "$KUBERNETES_EXEC_INFO" > ${folder}/info`
  writeFileSync(command, `#!/bin/sh\n${script}\n${credential('{"token": "t"}')}\n`, {mode: 0o755})
  const deps = makeDeps()
  const session = await openTestSession(ends, server.url, {
    user: {exec: {apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Always'}},
    options: {cwd: '/', isTerminal: true},
    deps,
  })

  await get(session)

  expect(deps.notices).toEqual(['Open https://login.test and enter ABCD'])
  expect(readFileSync(path.join(folder, 'info'), 'utf8')).toContain('"interactive":true')
})
