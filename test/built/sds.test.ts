import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {type Sandbox, startSandbox} from '../../src/lib/sandbox/start-sandbox.ts'
import {OUTPUTS, run} from '../support/built.ts'
import {keyNeedles} from '../support/key-needles.ts'

let sandbox: Sandbox
let folder: string
let env: Record<string, string>

beforeAll(async () => {
  sandbox = await startSandbox({scenario: 'zoo'})
  folder = mkdtempSync(join(tmpdir(), 'agentctl-sds-'))
  env = {KUBECONFIG: join(folder, 'config'), TMPDIR: mkdtempSync(join(folder, 't'))}
  writeFileSync(join(folder, 'config'), sandbox.kubeconfig(), {mode: 0o600})
})

afterAll(async () => {
  await sandbox.close()
  rmSync(folder, {recursive: true, force: true})
})

interface Document {
  readonly items: readonly {
    readonly failures: readonly {readonly source: string; readonly code: string}[]
    readonly secrets: readonly {readonly resource_name: string; readonly compared_by: string}[]
  }[]
}

describe.each(OUTPUTS)('%s', (_name, command) => {
  const argv = (target: string): string[] => ['secrets', 'diff', target, '--sds', '-o', 'json', '-vv', '--settle', '0']

  test.each(['cart-5d8f7c9b6-4kxvq.shop', 'deploy/reviews.books', 'deploy/ratings.books', 'deploy/notes.books'])(
    'compares %s by fingerprint over its SDS socket, and says nothing of the key',
    async (target) => {
      const {stdout, stderr} = await run(command, argv(target), env)

      const [item] = (JSON.parse(stdout) as Document).items
      expect(item?.secrets.find(({resource_name: name}) => name === 'default')?.compared_by).toBe('fingerprint')
      expect(item?.failures).toEqual([])
      const needles = keyNeedles(await sandbox.servedKeyPem())
      expect(needles.filter((needle) => Buffer.from(stdout + stderr).includes(needle))).toHaveLength(0)
    },
  )

  test.each([
    ['deploy/catalog.shop', 'command-missing'],
    ['deploy/details.books', 'no-source'],
    ['deploy/orders.books', 'grpc-status'],
  ])('of %s it says %s', async (target, code) => {
    const {stdout} = await run(command, argv(target), env)

    expect((JSON.parse(stdout) as Document).items[0]?.failures).toContainEqual(
      expect.objectContaining({source: 'agent-sds', code}),
    )
  })

  test('leaves no directory behind', () => {
    expect(readdirSync(env['TMPDIR']!)).toEqual([])
  })

  test('serves a sandbox in which it can be tried', async () => {
    const inside = [...command, 'secrets', 'diff', 'cart-5d8f7c9b6-4kxvq.shop', '--sds', '--settle', '0']

    const {stderr, code} = await run(command, ['sandbox', 'run', '--', ...inside])

    expect(stderr).toContain('1 match (1 by fingerprint)')
    expect(code).toBe(0)
  })
})

test('gRPC is no part of what starts, and of no command without --sds', () => {
  const chunks = join(import.meta.dirname, '../../dist/chunks')
  const texts = new Map(readdirSync(chunks).map((name) => [name, readFileSync(join(chunks, name), 'utf8')]))
  const holdsGrpc = (name: string): boolean => texts.get(name)?.includes('grpc.max_receive_message_length') ?? false
  /** What is loaded together with a chunk: `import … from`, not `import(…)`. */
  const staticImports = (text: string): string[] =>
    [...text.matchAll(/(?:from|import)"\.\/(?:chunks\/)?([^"]+)"/g)].flatMap(([, name]) => name ?? [])
  const loaded = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen
    seen.add(name)
    for (const next of staticImports(texts.get(name) ?? '')) loaded(next, seen)
    return seen
  }
  const starts = [...texts.keys()].filter((name) => /^(?:diff|list|run|start|run-command-line)-/.test(name))
  const main = readFileSync(join(chunks, '../main.js'), 'utf8')

  expect([...texts.keys()].some(holdsGrpc)).toBe(true)
  expect(starts.length).toBeGreaterThan(3)
  for (const name of [...starts, ...staticImports(main)]) expect([...loaded(name)].filter(holdsGrpc)).toEqual([])
})
