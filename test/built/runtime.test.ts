import {once} from 'node:events'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {portOf} from '../lib/cluster/scripted-server.ts'
import {type Sandbox, startSandbox} from '../../src/lib/sandbox/start-sandbox.ts'
import {peakOf} from '../support/peak-of.ts'
import {endOf, OUTPUTS, run, start} from '../support/built.ts'

// What differs between Node and what Bun compiles as processes: each test runs both outputs.

const PODS = 400

let folder: string
let fleet: Sandbox
let env: Record<string, string>
let viewer: Record<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agentctl-runtime-'))
  fleet = await startSandbox({scenario: 'fleet', pods: PODS})
  env = {KUBECONFIG: join(folder, 'admin')}
  viewer = {KUBECONFIG: join(folder, 'viewer')}
  writeFileSync(env['KUBECONFIG'] ?? '', fleet.kubeconfig(), {mode: 0o600})
  writeFileSync(viewer['KUBECONFIG'] ?? '', fleet.kubeconfig('viewer'), {mode: 0o600})
})

afterAll(async () => {
  await fleet.close()
  rmSync(folder, {recursive: true, force: true})
})

/** Most memory that a process may have at once while it asks 400 pods, in MB. */
const PEAK_MB: Readonly<Record<string, number>> = {'the Node package': 250, 'the executable': 125}

describe.each(OUTPUTS)('%s', (name, command) => {
  test('says what it runs on', async () => {
    const {stdout} = await run(command, ['--version'])

    const runtime = name === 'the executable' ? 'bun-1' : `node-${process.versions.node}`
    expect(stdout).toContain(` ${process.platform}-${process.arch} ${runtime}`)
  })

  test('starts itself as the agentctl of a sandbox, in a script too', async () => {
    const direct = await run(command, ['sandbox', 'run', '--', 'agentctl', '--version'])
    const script = await run(command, ['sandbox', 'run', '--', 'sh', '-c', 'agentctl --version; exit 7'])
    const own = await run(command, ['--version'])

    expect(direct).toMatchObject({stdout: own.stdout, code: 0})
    expect(script).toMatchObject({stdout: own.stdout, code: 7})
  })

  test('asks a fleet with no word of its runtime on stderr, and in bounded memory', async () => {
    const child = start(command, ['secrets', 'diff', '-A', '-o', 'ndjson', '--no-cert'], env)
    let stderr = ''
    let peakMb = 0
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    child.stdout?.on('data', () => (peakMb = peakOf(child) ?? peakMb))

    const {code} = await endOf(child)

    expect(stderr).toMatch(/^400 pods: 400 match \(.+\)\n$/)
    expect(code).toBe(0)
    expect(peakMb).toBeLessThan(PEAK_MB[name] ?? 0)
  }, 60_000)

  test('tells a refused upgrade in the same words, with the rights that it takes', async () => {
    const {stdout, code} = await run(
      command,
      ['secrets', 'diff', '-A', '--limit', '1', '-o', 'json', '--settle', '0'],
      viewer,
    )

    const [item] = (JSON.parse(stdout) as {readonly items: readonly {readonly failures: readonly object[]}[]}).items
    expect(item?.failures).toContainEqual(
      expect.objectContaining({
        source: 'envoy-config-dump',
        code: 'forbidden',
        hint: expect.stringContaining('get and create on pods/portforward'),
      }),
    )
    expect(code).toBe(4)
  })

  test('SIGTERM ends with 130 and a whole document', async () => {
    const child = start(command, ['secrets', 'diff', '-A', '-o', 'json', '--concurrency', '2'], env)
    let stdout = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      if (stdout === '') child.kill('SIGTERM')
      stdout += chunk.toString()
    })

    const {code} = await endOf(child)

    expect(JSON.parse(stdout)).toMatchObject({stopped: {code: 'interrupted'}})
    expect(code).toBe(130)
  })

  test('Ctrl-C ends a run whose server takes connections and says nothing', async () => {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const config = fleet.kubeconfig().replace(/127\.0\.0\.1:\d+/u, () => `127.0.0.1:${portOf(server)}`)
    writeFileSync(join(folder, 'silent'), config, {mode: 0o600})
    const child = start(command, ['agents', 'list', '--request-timeout', '0'], {KUBECONFIG: join(folder, 'silent')})
    server.once('connection', (socket) => {
      socket.on('error', () => undefined)
      child.kill('SIGINT')
    })

    const end = await endOf(child)
    server.close()

    expect(end).toEqual({code: 130, signal: null})
  })

  test('reads what comes on standard input to its end, and nothing where it is closed', async () => {
    const secret = {name: 'default', secret: {name: 'default'}}
    const dump = JSON.stringify({configs: [{pad: 'x'.repeat(5_000_000)}, {dynamic_active_secrets: [secret]}]})
    const args = ['secrets', 'list', '-f', '-', '-o', 'json']

    const whole = await run(command, args, {}, dump)
    const empty = await run(command, args, {}, '')

    expect(JSON.parse(whole.stdout)).toMatchObject({items: [{secrets: [{resource_name: 'default'}]}]})
    expect(empty.stderr).toMatch(/^Error: .*standard input/)
    expect(empty.code).toBe(4)
  })

  test('a reader of notes that goes ends the run quietly', async () => {
    const child = start(command, ['agents', 'list', '-A', '-o', 'name', '--limit', '1'], env)
    child.stderr?.destroy()
    child.stdout?.resume()

    expect(await endOf(child)).toEqual({code: 0, signal: null})
  })
})
