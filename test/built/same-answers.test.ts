import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {type Finished, OUTPUTS, run} from '../support/built.ts'

// What the runtimes of the two outputs do differently with certificates, texts and times: each test runs both.

const FIXTURES = join(import.meta.dirname, '..', 'fixtures')

let folder: string
let dump: string
let count: number

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentctl-same-'))
  const chains = everyChain()
  const secrets = chains.map((chain, index) => {
    const name = `chain-${String(index).padStart(3, '0')}`
    const bytes = {inline_bytes: chain.toString('base64')}
    return {name, secret: {name, tls_certificate: {certificate_chain: bytes}}}
  })
  const roots = chains.map((chain, index) => {
    const name = `roots-${String(index).padStart(3, '0')}`
    return {name, secret: {name, validation_context: {trusted_ca: {inline_bytes: chain.toString('base64')}}}}
  })
  count = secrets.length + roots.length
  dump = join(folder, 'config_dump.json')
  writeFileSync(dump, JSON.stringify({configs: [{dynamic_active_secrets: [...secrets, ...roots]}]}))
})

afterAll(() => rmSync(folder, {recursive: true, force: true}))

/** Every chain in any fixture, whatever is wrong with it: PEM files, and what dumps carry in base64. */
function everyChain(): readonly Buffer[] {
  const chains = new Set<string>()
  for (const file of readdirSync(FIXTURES, {recursive: true, withFileTypes: true})) {
    if (!file.isFile()) continue
    const text = readFileSync(join(file.parentPath, file.name), 'latin1')
    if (/^-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/mu.test(text)) chains.add(text)
    for (const [base64] of text.matchAll(/LS0tLS1CRUdJTiBDRVJU[A-Za-z0-9+/=]{100,}/gu)) {
      chains.add(Buffer.from(base64, 'base64').toString('latin1'))
    }
  }
  return [...chains].map((chain) => Buffer.from(chain, 'latin1'))
}

async function both(args: readonly string[], env: Record<string, string> = {}): Promise<readonly Finished[]> {
  return await Promise.all(OUTPUTS.map(async ([, command]) => await run(command, args, env)))
}

const NOW = ['--now', '2026-06-01T12:00:00Z']

test('both outputs read the same in every certificate, and verify the same signatures', async () => {
  const [node, executable] = await both(['secrets', 'show', '-f', dump, '-o', 'json', ...NOW])

  const {items} = JSON.parse(node?.stdout ?? '') as {readonly items: readonly {readonly secrets: readonly unknown[]}[]}
  expect(count).toBeGreaterThan(100)
  expect(items[0]?.secrets.length).toBeGreaterThanOrEqual(count)
  const at = (text = ''): string => text.replace(/"generatedAt":\s*"[^"]*"/u, '')
  expect(at(executable?.stdout).split('\n')).toEqual(at(node?.stdout).split('\n'))
  expect(executable).toMatchObject({stderr: node?.stderr, code: node?.code})
}, 60_000)

describe('wherever a user is', () => {
  let show: readonly string[]
  let expected: Finished

  beforeAll(async () => {
    const [, node] = OUTPUTS[0]!
    show = ['secrets', 'show', '-f', dump, ...NOW]
    expected = await run(node, show)
  }, 60_000)

  test.each([
    {LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8'},
    {LC_ALL: 'tr_TR.UTF-8', LANGUAGE: 'tr'},
    {LC_ALL: 'C', TZ: 'Asia/Kolkata'},
    {TZ: 'America/St_Johns'},
  ])(
    'both outputs print the same: %j',
    async (env) => {
      const [node, executable] = await both(show, env)

      expect(expected.stdout).toContain('2049')
      expect(node?.stdout.split('\n')).toEqual(expected.stdout.split('\n'))
      expect(executable?.stdout.split('\n')).toEqual(expected.stdout.split('\n'))
    },
    60_000,
  )
})
