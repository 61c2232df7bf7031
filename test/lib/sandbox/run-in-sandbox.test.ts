import {existsSync} from 'node:fs'
import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {afterEach, beforeEach, expect, test} from '@jest/globals'
import {keepSandbox, runInSandbox} from '../../../src/lib/sandbox/run-in-sandbox.ts'

let directory: string
let note: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
  note = join(directory, 'note')
})

afterEach(async () => {
  await rm(directory, {recursive: true, force: true})
})

const self = [
  process.execPath,
  '-e',
  "require('fs').writeFileSync(process.env.NOTE, process.argv.slice(1).join(' '))",
  '--',
] as const
const env = () => ({...process.env, NOTE: note, NODE_OPTIONS: ''})
const script = (text: string): string[] => [process.execPath, '-e', text]

test('a command gets a kubeconfig of its own, which is gone afterwards', async () => {
  const command = script(`
    const fs = require('fs')
    const path = process.env.KUBECONFIG
    const mode = (fs.statSync(path).mode & 0o777).toString(8)
    fs.writeFileSync(process.env.NOTE, [path, mode, fs.readFileSync(path, 'utf8')].join(String.fromCharCode(0)))
  `)

  const code = await runInSandbox({self, user: 'viewer'}, command, env())

  const [path = '', mode, text] = (await readFile(note, 'utf8')).split('\0')
  expect(code).toBe(0)
  expect(mode).toBe('600')
  expect(text).toMatch(/server: "https:\/\/127\.0\.0\.1:\d+"/)
  expect(text).toContain('token: "viewer-')
  expect(existsSync(dirname(path))).toBe(false)
})

test('it ends with the exit code of its command', async () => {
  expect(await runInSandbox({self}, script('process.exit(7)'), env())).toBe(7)
})

test('a command that a signal ends counts as a shell counts it', async () => {
  expect(await runInSandbox({self}, script("process.kill(process.pid, 'SIGKILL')"), env())).toBe(137)
})

test('a signal is passed on', async () => {
  const command = script(`
    process.on('SIGTERM', () => process.exit(9))
    setInterval(() => undefined, 1000)
    require('fs').writeFileSync(process.env.NOTE, '')
  `)
  const running = runInSandbox({self}, command, env())
  while (!existsSync(note)) await new Promise((resolve) => setImmediate(resolve))

  process.emit('SIGTERM', 'SIGTERM')

  expect(await running).toBe(9)
  expect(process.listenerCount('SIGTERM')).toBe(0)
})

test('the word agentctl is this program', async () => {
  const code = await runInSandbox({self}, ['agentctl', 'secrets', 'diff', '-A'], env())

  expect(code).toBe(0)
  expect(await readFile(note, 'utf8')).toBe('secrets diff -A')
})

test('the word agentctl is this program in a script too', async () => {
  await runInSandbox({self}, ['sh', '-c', 'agentctl "a b" c'], env())

  expect(await readFile(note, 'utf8')).toBe('a b c')
})

test('a command that does not exist is a usage error', async () => {
  await expect(runInSandbox({self}, ['no-such-program-here'], env())).rejects.toMatchObject({
    exit: 2,
    code: 'command-failed',
    message: 'Cannot run no-such-program-here: spawn no-such-program-here ENOENT',
  })
})

test('no command is a usage error', async () => {
  await expect(runInSandbox({self}, [], env())).rejects.toMatchObject({exit: 2})
})

test('a sandbox that is kept says how to use it, until it is told to end', async () => {
  const until = new AbortController()
  const printed: string[] = []

  const running = keepSandbox({self}, (text) => printed.push(text), until.signal)
  while (printed.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const path = /export KUBECONFIG=(\S+)/.exec(printed.join(''))?.[1] ?? ''
  const existed = existsSync(path)
  until.abort()
  await running

  expect(existed).toBe(true)
  expect(existsSync(path)).toBe(false)
})
