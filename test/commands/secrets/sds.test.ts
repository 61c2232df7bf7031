import {mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {type Sandbox, startSandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import {type Ran, runCommand, type Surroundings} from '../../support/run-command.ts'

let sandbox: Sandbox
let folder: string
let tempDir: string
let env: Record<string, string>

beforeAll(async () => {
  sandbox = await startSandbox({scenario: 'zoo'})
  folder = mkdtempSync(join(tmpdir(), 'agentctl-sds-'))
  tempDir = join(folder, 'tmp')
  mkdirSync(tempDir)
  env = {KUBECONFIG: join(folder, 'config')}
  writeFileSync(join(folder, 'config'), sandbox.kubeconfig(), {mode: 0o600})
})

afterAll(async () => {
  await sandbox.close()
  rmSync(folder, {recursive: true, force: true})
})

interface Item {
  readonly verdict: string
  readonly sides: {readonly agent: {readonly answers: readonly {readonly source: string; readonly route: string}[]}}
  readonly failures: readonly {
    readonly source: string
    readonly code: string
    readonly message: string
    readonly hint?: string
  }[]
  readonly secrets: readonly Record<string, unknown>[]
}

async function run(argv: readonly string[], surroundings: Surroundings = {}): Promise<Ran> {
  return await runCommand(argv, {env, tempDir, ...surroundings})
}

async function look(
  target: string,
  args: readonly string[] = [],
  command = 'diff',
): Promise<Item & {readonly exitCode: number}> {
  const settle = command === 'diff' ? ['--settle', '0'] : []
  const {stdout, exitCode} = await run(['secrets', command, target, '--sds', '-o', 'json', ...settle, ...args])
  const {items} = JSON.parse(stdout) as {items: readonly Item[]}
  return {...items[0]!, exitCode}
}

function facts({secrets}: Item): readonly unknown[] {
  return secrets.map(({resource_name: name, result, compared_by: by, agent_source: source}) => [
    name,
    result,
    by,
    source,
  ])
}

test.each([
  ['an agent of today', 'cart-5d8f7c9b6-4kxvq.shop', 2],
  ['an agent of 1.12, through socat where nc knows no sockets', 'deploy/reviews.books', 1],
  ['an agent of 1.5, which speaks v2 alone', 'deploy/ratings.books', 1],
  ['a gateway', 'deploy/shop-gateway-istio.shop', 2],
])('%s is compared by fingerprint with what its socket serves', async (_what, target, roots) => {
  const item = await look(target)

  expect(facts(item)).toEqual(
    expect.arrayContaining([
      ['default', 'MATCH', 'fingerprint', 'agent-sds'],
      ...Array.from({length: roots}, () => ['ROOTCA', 'MATCH', 'fingerprint', 'agent-sds']),
    ]),
  )
  expect(item.sides.agent.answers).toContainEqual({source: 'agent-sds', route: 'exec'})
  expect(item).toMatchObject({verdict: 'pass', failures: [], exitCode: 0})
})

test('a proxy that lags behind its agent is told by both certificates', async () => {
  const item = await look('cart-5d8f7c9b6-9zt2w.shop')

  const rows = item.secrets.filter(({resource_name: name}) => name === 'default')
  expect(rows.map(({result, reason, compared_by: by}) => [result, reason, by])).toEqual([
    ['MISMATCH', 'proxy is stale', 'fingerprint'],
    ['MISMATCH', 'proxy is stale', 'fingerprint'],
  ])
  expect(new Set(rows.map(({fingerprint_sha256: fingerprint}) => fingerprint)).size).toBe(2)
  expect(item.exitCode).toBe(1)
})

test('a list shows what the agent serves beside what the proxy holds', async () => {
  const item = await look('cart-5d8f7c9b6-4kxvq.shop', [], 'list')

  const of = (side: string): readonly unknown[] =>
    item.secrets.filter((row) => row['side'] === side).map(({fingerprint_sha256: fingerprint}) => fingerprint)
  expect(of('agent')).toHaveLength(3)
  expect(new Set(of('agent'))).toEqual(new Set(of('proxy')))
})

test('without --sds nothing is run in a container', async () => {
  const before = sandbox.counters.requests.get('get pods/exec')

  await run(['secrets', 'diff', 'cart-5d8f7c9b6-4kxvq.shop', '--settle', '0'], {env: {...env, AGENTCTL_SDS: 'true'}})

  expect(sandbox.counters.requests.get('get pods/exec')).toBe(before)
})

test.each([
  ['a distroless image', 'deploy/catalog.shop', 'command-missing', /none of nc, socat/, /agent-files/],
  ['an agent that has no socket', 'deploy/details.books', 'no-source', /uds\/socket, \/etc\/istio/, /DISABLE_ENVOY/],
  ["SPIRE's socket", 'deploy/authors.books', 'no-source', /SPIRE owns it/, /SPIRE itself/],
  ['a proxyless agent', 'deploy/quotes.bank', 'no-source', /DISABLE_ENVOY.*no SDS server/, /--source agent-files/],
  ['a kind without', 'ds/ztunnel.istio-system', 'no-source', /no SDS socket of istio-ztunnel/, /Leave --sds out/],
  ['an agent that cannot serve', 'deploy/orders.books', 'grpc-status', /UNKNOWN: failed to generate secret/, /^$/],
])('%s: what was tried, and what else could speak', async (_what, target, code, message, hint) => {
  const item = await look(target)

  const failure = item.failures.find(({source}) => source === 'agent-sds')
  expect(failure).toMatchObject({side: 'agent', code, message: expect.stringMatching(message)})
  expect(failure?.hint ?? '').toMatch(hint)
  expect(item.secrets.length).toBeGreaterThan(0)
})

test('of an agent that can serve one secret alone, that one is compared', async () => {
  const item = await look('deploy/prices.books')

  expect(facts(item)).toEqual(
    expect.arrayContaining([
      ['default', 'MATCH', 'fingerprint', 'agent-sds'],
      ['ROOTCA', 'MATCH', 'published', 'published-root'],
    ]),
  )
  expect(item.failures).toEqual([
    expect.objectContaining({source: 'agent-sds', message: expect.stringContaining('Cannot read ROOTCA from the SDS')}),
  ])
})

test('by another way than exec the socket cannot be reached, and that is said', async () => {
  const item = await look('cart-5d8f7c9b6-4kxvq.shop', ['--via', 'port-forward'])

  expect(item.failures).toContainEqual(
    expect.objectContaining({source: 'agent-sds', hint: expect.stringContaining('--via exec')}),
  )
})

test('whoever may not exec learns which right is missing, and the rest is compared', async () => {
  const path = join(folder, 'viewer')
  writeFileSync(path, sandbox.kubeconfig('getter'), {mode: 0o600})

  const {stdout} = await run(['secrets', 'diff', 'cart-5d8f7c9b6-4kxvq.shop', '--sds', '-o', 'json', '--settle', '0'], {
    env: {KUBECONFIG: path},
  })

  const {items} = JSON.parse(stdout) as {items: readonly Item[]}
  expect(items[0]?.failures).toContainEqual(
    expect.objectContaining({source: 'agent-sds', code: 'forbidden', message: expect.stringContaining('exec')}),
  )
})

test.each([
  ['no TARGET', ['-n', 'shop'], /exactly one TARGET, and none is given/],
  ['the whole cluster', ['-A'], /exactly one TARGET, and none is given/],
  ['several TARGETs', ['deploy/cart', 'deploy/search', '-n', 'shop'], /exactly one TARGET, and 2 are given/],
  ['a file', ['cart', '-f', 'cart.config_dump.json'], /--file and --sds/],
  ['its own source left out', ['cart', '--no-source', 'agent-sds'], /--sds and --no-source agent-sds/],
])('--sds with %s is a usage error', async (_what, args, message) => {
  for (const command of ['diff', 'list']) {
    const {stdout, stderr, exitCode} = await run(['secrets', command, '--sds', ...args])

    expect(stdout).toBe('')
    expect(stderr).toMatch(message)
    expect(exitCode).toBe(2)
  }
})

test('the source is asked with its own flag alone', async () => {
  const {stderr, exitCode} = await run(['secrets', 'diff', 'cart', '--source', 'agent-sds'])

  expect(stderr).toMatch(/agent-sds needs --sds/)
  expect(exitCode).toBe(2)
})

test('on Windows it is refused in words', async () => {
  const {stderr, exitCode} = await run(['secrets', 'diff', 'cart', '--sds'], {platform: 'win32'})

  expect(stderr).toMatch(/does not work on Windows/)
  expect(exitCode).toBe(2)
})

test('a directory that no socket can be made in is a failure of that source alone', async () => {
  const argv = ['secrets', 'diff', 'cart-5d8f7c9b6-4kxvq.shop', '--sds', '-o', 'json', '--settle', '0']
  const {stdout} = await run(argv, {tempDir: join(folder, 'none')})

  const {items} = JSON.parse(stdout) as {items: readonly Item[]}
  expect(items[0]?.failures).toContainEqual(
    expect.objectContaining({source: 'agent-sds', hint: expect.stringContaining('TMPDIR')}),
  )
  expect(items[0]?.secrets[0]).toMatchObject({compared_by: 'expiry'})
})

test('the help says where the key goes', async () => {
  const {stdout} = await run(['secrets', 'diff', '--help'])

  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/--sds .*private key on the wire/)
})

test('no directory stays behind, whatever came of it', () => {
  expect(readdirSync(tempDir)).toEqual([])
})
