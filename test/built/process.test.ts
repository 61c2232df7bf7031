import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {type Sandbox, startSandbox} from '../../src/lib/sandbox/start-sandbox.ts'
import {endOf, OUTPUTS, run, start} from '../support/built.ts'

/** Pods of the fleet: enough rows for a pipe to fill many times over. */
const PODS = 2000

let folder: string
let demo: Sandbox
let fleet: Sandbox
let demoEnv: Record<string, string>
let fleetEnv: Record<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agentctl-built-'))
  demo = await startSandbox()
  fleet = await startSandbox({scenario: 'fleet', pods: PODS})
  demoEnv = kubeconfig('demo', demo)
  fleetEnv = kubeconfig('fleet', fleet)
})

afterAll(async () => {
  await demo.close()
  await fleet.close()
  rmSync(folder, {recursive: true, force: true})
})

function kubeconfig(name: string, sandbox: Sandbox): Record<string, string> {
  const path = join(folder, name)
  writeFileSync(path, sandbox.kubeconfig(), {mode: 0o600})
  return {KUBECONFIG: path}
}

describe.each(OUTPUTS)('%s', (_name, command) => {
  test('says its version, and help for every command, without a cluster', async () => {
    const version = await run(command, ['--version'])
    const help = await run(command, ['secrets', 'diff', '--help'])

    expect(version).toMatchObject({stdout: expect.stringMatching(/^agentctl\/\d+\.\d+\.\d+ /), stderr: '', code: 0})
    expect(help).toMatchObject({stdout: expect.stringContaining('--all-namespaces'), stderr: '', code: 0})
  })

  test.each([
    [['secrets', 'diff', '--nope']],
    [['secrets', 'nope']],
    [['secrets', 'diff', '-o', 'nope']],
    [['secrets', 'diff', '--deadline', 'soon']],
    [['secrets', 'diff', '--continue', 'nope']],
  ])('%j is a usage error: 2, and nothing on stdout', async (args) => {
    const {stdout, stderr, code} = await run(command, args, demoEnv)

    expect(stdout).toBe('')
    expect(stderr).toMatch(/^Error: /)
    expect(code).toBe(2)
  })

  test('a demo diff ends with 1, and its JSON is one document', async () => {
    const {stdout, code} = await run(
      command,
      ['secrets', 'diff', '-A', '-o', 'json', '--deadline', '2s', '--settle', '0'],
      demoEnv,
    )

    const document = JSON.parse(stdout) as {kind: string; items: {verdict: string}[]}
    expect(document.kind).toBe('SecretDiffList')
    expect(new Set(document.items.map(({verdict}) => verdict))).toEqual(
      new Set(['pass', 'warn', 'fail', 'unknown', 'skipped']),
    )
    expect(code).toBe(1)
  })

  test('without any cluster there is one error with a hint, and 4', async () => {
    const {stdout, stderr, code} = await run(command, ['agents', 'list'], {KUBECONFIG: '/nonexistent/config'})

    expect(stdout).toBe('')
    expect(stderr).toMatch(/^Error: .+\nHint: .+\n$/)
    expect(code).toBe(4)
  })

  test('a reader that closes the pipe ends the run quietly with 0', async () => {
    const child = start(command, ['agents', 'list', '-A', '-o', 'ndjson'], fleetEnv)
    let stderr = ''
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    child.stdout?.once('data', () => child.stdout?.destroy())

    const {code} = await endOf(child)

    expect(code).toBe(0)
    expect(stderr).toBe('')
  })

  test('a slow pager loses nothing', async () => {
    const child = start(command, ['agents', 'list', '-A', '-o', 'yaml', '--quiet'], fleetEnv)
    const chunks: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      child.stdout?.pause()
      setImmediate(() => child.stdout?.resume())
    })

    const {code} = await endOf(child)

    const lines = Buffer.concat(chunks).toString('utf8').split('\n')
    expect(lines.length).toBeGreaterThan(50_000)
    expect(lines.filter((line) => /^ *-? ?pod: /.test(line))).toHaveLength(PODS)
    expect(code).toBe(0)
  }, 60_000)

  test('Ctrl-C ends with 130, a whole document and the cursor that goes on', async () => {
    const child = start(
      command,
      ['secrets', 'diff', '-A', '-o', 'json', '--concurrency', '2', '--chunk-size', '50'],
      fleetEnv,
    )
    const chunks: Buffer[] = []
    let isInterrupted = false
    child.stdout?.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (isInterrupted) return
      isInterrupted = true
      child.kill('SIGINT')
    })

    const {code} = await endOf(child)

    const document = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
      stopped: {code: string}
      items: unknown[]
      page: {continue: string}
    }
    expect(document.stopped.code).toBe('interrupted')
    expect(document.items.length).toBeLessThan(PODS)
    expect(document.page.continue).toMatch(/^[\w-]+$/)
    expect(code).toBe(130)
  })
})
