import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {type Sandbox, startSandbox} from '../../src/lib/sandbox/start-sandbox.ts'
import {schemaErrors} from '../lib/report/schema-check.ts'
import {runCommand} from '../support/run-command.ts'

const QUICK = ['--deadline', '2s', '--settle', '0']

let folder: string
let sandboxes: readonly Sandbox[]
let expiring: Sandbox
const env = {demo: {KUBECONFIG: ''}, zoo: {KUBECONFIG: ''}, fleet: {KUBECONFIG: ''}, expiring: {KUBECONFIG: ''}}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agentctl-schemas-'))
  expiring = writeConfig('expiring', await startSandbox({scenario: 'fleet', pods: 20}))
  sandboxes = [
    expiring,
    writeConfig('demo', await startSandbox()),
    writeConfig('zoo', await startSandbox({scenario: 'zoo'})),
    writeConfig('fleet', await startSandbox({scenario: 'fleet', pods: 40, faultShare: 0.2})),
  ]
})

afterAll(async () => {
  await Promise.all(sandboxes.map(async (sandbox) => await sandbox.close()))
  rmSync(folder, {recursive: true, force: true})
})

/** Writes its kubeconfig. */
function writeConfig(name: keyof typeof env, sandbox: Sandbox): Sandbox {
  env[name].KUBECONFIG = join(folder, name)
  writeFileSync(env[name].KUBECONFIG, sandbox.kubeconfig(), {mode: 0o600})
  return sandbox
}

interface Written {
  readonly kind: string
  readonly items?: readonly unknown[]
  readonly stopped?: {readonly code: string}
  readonly page?: {readonly continue?: string}
}

function parse(json: string): Written {
  return JSON.parse(json) as Written
}

test.each([
  ['demo', 'AgentList', ['agents', 'list', '-A']],
  ['demo', 'SecretList', ['secrets', 'list', '-A', '--deadline', '2s']],
  ['demo', 'SecretDiffList', ['secrets', 'diff', '-A', ...QUICK]],
  ['demo', 'SecretDiffList', ['secrets', 'diff', '-A', '--no-cert', ...QUICK]],
  ['demo', 'RootList', ['secrets', 'roots', '-A', '--deadline', '2s', '--expect', 'ab'.repeat(32)]],
  ['zoo', 'RootList', ['secrets', 'roots', '-A', '--deadline', '2s', '--no-cert', '--without', 'ab'.repeat(32)]],
  ['zoo', 'AgentList', ['agents', 'list', '-A']],
  ['zoo', 'SecretList', ['secrets', 'list', '-A', '--deadline', '2s']],
  ['zoo', 'SecretDiffList', ['secrets', 'diff', '-A', ...QUICK]],
  ['fleet', 'AgentList', ['agents', 'list', '-A', '--limit', '7']],
  ['fleet', 'SecretList', ['secrets', 'list', '-A', '--limit', '7', '--deadline', '2s']],
  ['fleet', 'SecretDiffList', ['secrets', 'diff', '-A', '--chunk-size', '9', ...QUICK]],
] as const)('the %s as %s is what its schema says: %j', async (scenario, kind, argv) => {
  const {stdout} = await runCommand([...argv, '-o', 'json'], {env: env[scenario]})

  const document = parse(stdout)
  expect(document.kind).toBe(kind)
  expect(document.items?.length).toBeGreaterThan(0)
  expect(await schemaErrors(kind, document)).toEqual([])
})

test.each([
  ['demo', ['agents', 'list', '-A'], ['Agent', 'Page', 'Summary']],
  ['demo', ['secrets', 'list', '-A', '--deadline', '2s'], ['Secret', 'Page', 'Summary']],
  ['demo', ['secrets', 'roots', '-A', '--deadline', '2s'], ['Root', 'Page', 'Summary']],
  [
    'fleet',
    ['secrets', 'diff', '-A', '--chunk-size', '9', '--limit', '20', ...QUICK],
    ['SecretDiff', 'Page', 'Summary'],
  ],
] as const)('each line of the %s as ndjson is what the schema of its kind says: %j', async (scenario, argv, kinds) => {
  const {stdout} = await runCommand([...argv, '-o', 'ndjson'], {env: env[scenario]})

  const lines = stdout.trimEnd().split('\n').map(parse)
  expect([...new Set(lines.map(({kind}) => kind))]).toEqual(kinds)
  for (const line of lines) expect(await schemaErrors(line.kind, line)).toEqual([])
})

test('a run whose list breaks off is a document that its schema knows, with the cursor to go on', async () => {
  expiring.switches.expireNext = 100
  expiring.switches.freshTokens = false

  const argv = ['secrets', 'diff', '-A', '--chunk-size', '5', '-o', 'json', ...QUICK]
  const {stdout, exitCode} = await runCommand(argv, {env: env.expiring})

  const document = parse(stdout)
  expect(document.stopped?.code).toEqual(expect.any(String))
  expect(document.page?.continue).toEqual(expect.any(String))
  expect(await schemaErrors('SecretDiffList', document)).toEqual([])
  expect(exitCode).toBe(3)
})

test.each(['SecretList', 'SecretDiffList'])('%s of saved files is what its schema says', async (kind) => {
  const files = ['cart.config_dump.json', 'cart.agent.json'].flatMap((file) => [
    '-f',
    join(import.meta.dirname, '..', 'fixtures', 'files', file),
  ])
  const command = kind === 'SecretList' ? 'list' : 'diff'

  const {stdout} = await runCommand(['secrets', command, ...files, '-o', 'json'])

  const document = parse(stdout)
  expect(document.items).toHaveLength(1)
  expect(await schemaErrors(kind, document)).toEqual([])
})

test('an empty selection is a document without items', async () => {
  const {stdout} = await runCommand(['agents', 'list', '-n', 'nowhere', '-o', 'json'], {env: env.demo})

  expect(parse(stdout).items).toEqual([])
  expect(await schemaErrors('AgentList', parse(stdout))).toEqual([])
})
