import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals'
import {type Doc, documentOf, type OpenSandbox, openSandbox} from '../support/open-sandbox.ts'
import type {Sandbox} from '../../src/lib/sandbox/start-sandbox.ts'

const PODS = 250
/** The clock stands still in these tests. */
const EXPIRED_AT_ONCE = -1
let fleet: OpenSandbox

beforeAll(async () => {
  fleet = await openSandbox({scenario: 'fleet', pods: PODS})
})

afterEach(() => {
  Object.assign(fleet.sandbox.switches, {expireNext: 0, freshTokens: true, tokenLifetimeMs: 300_000})
})

afterAll(async () => await fleet.close())

interface Walk {
  /** Pods in the order in which they were given, over all runs. */
  readonly pods: readonly string[]
  readonly documents: readonly Doc[]
  readonly codes: ReadonlySet<number>
}

/** Runs a line, and goes on with its cursor until there is none. */
async function walk(line: string, kubeconfig?: string): Promise<Walk> {
  const documents: Doc[] = []
  const codes = new Set<number>()
  for (let cursor: string | undefined; ;) {
    const more = cursor === undefined ? '' : ` --continue ${cursor}`
    const ran = await fleet.run(`${line} -o json${more}`, kubeconfig === undefined ? {} : {kubeconfig})
    const document = documentOf(ran)
    documents.push(document)
    codes.add(ran.exitCode)
    cursor = document.page.continue
    if (cursor === undefined || documents.length > 100) break
  }
  const pods = documents.flatMap(({items}) => items.map((item) => `${item.context}/${item.namespace}/${item.pod}`))
  return {pods, documents, codes}
}

async function namesOf(line: string): Promise<readonly string[]> {
  return (await walk(line)).pods
}

test.each([
  ['agents list -A --limit 77', 'agents list -A', 4],
  ['agents list -A --limit 77 --chunk-size 10', 'agents list -A', 4],
  ['agents list -A --limit 50 --chunk-size 50', 'agents list -A', 5],
  ['agents list -A --limit 1000 --chunk-size 1', 'agents list -A', 1],
  ['agents list -n team-01,team-00 --limit 60', 'agents list -n team-01,team-00', 5],
  ['agents list -n team-00 deploy/app-1 deploy/app-3 --limit 7', 'agents list -n team-00 deploy/app-1 deploy/app-3', 6],
  ['agents list -A --match -0[0-9a-f]{4}$ --limit 3', 'agents list -A --match -0[0-9a-f]{4}$', 5],
  ['agents list -A --match no-such --limit 3 --chunk-size 50', 'agents list -A --match no-such', 1],
  ['agents list -A --kind istio-gateway --limit 3', 'agents list -A --kind istio-gateway', 1],
  ['agents list -A -r default --limit 100', 'agents list -A', 3],
  ['secrets list -n team-01 --limit 13 --no-cert', 'agents list -n team-01', 4],
])('%s gives each pod of one whole listing once, in its order', async (line, whole, runs) => {
  const expected = await namesOf(whole)

  const {pods, documents, codes} = await walk(line)

  expect(pods).toEqual(expected)
  expect(documents.length).toBe(runs)
  expect(documents.every(({page}) => page.consistent)).toBe(true)
  expect(documents.map(({fleet: {complete}}) => complete)).toEqual(documents.map(() => documents.length === 1))
  expect(codes).toEqual(new Set([0]))
})

test('a table prints the command that goes on, ready to paste', async () => {
  const first = await fleet.run('agents list -A --limit 2 -o name')
  const next = /^Next: agentctl (agents list -A --limit 2 -o name --continue \S+)$/m.exec(first.stderr)?.[1] ?? ''
  const second = await fleet.run(next)

  const all = await namesOf('agents list -A')
  const short = all.slice(0, 4).map((name) => name.replace(/^sandbox\/(.+)\/(.+)$/, 'pod/$2.$1'))
  expect(`${first.stdout}${second.stdout}`).toBe(short.map((name) => `${name}\n`).join(''))
})

describe('tokens that expire', () => {
  test.each([
    'agents list -A --chunk-size 40',
    'agents list -A --chunk-size 40 --limit 77',
    'secrets list -A --chunk-size 100 --limit 125 --no-cert',
  ])('%s: each pod once, and the list is said not to be consistent', async (line) => {
    const expected = await namesOf('agents list -A')
    fleet.sandbox.switches.tokenLifetimeMs = EXPIRED_AT_ONCE

    const {pods, documents, codes} = await walk(line)

    expect(pods).toEqual(expected)
    expect(documents.some(({page}) => !page.consistent)).toBe(true)
    expect(codes).toEqual(new Set([0]))
  })

  test('without a fresh token the list begins anew and leaves out what was given', async () => {
    const expected = await namesOf('agents list -A')
    Object.assign(fleet.sandbox.switches, {expireNext: 1, freshTokens: false})

    const {pods, documents, codes} = await walk('agents list -A --chunk-size 40')

    expect(pods).toEqual(expected)
    expect(documents[0]?.page.consistent).toBe(false)
    expect(codes).toEqual(new Set([0]))
  })

  test('three without progress end the run, with a whole document, a cursor and 3', async () => {
    Object.assign(fleet.sandbox.switches, {tokenLifetimeMs: EXPIRED_AT_ONCE, freshTokens: false})

    const ran = await fleet.run('agents list -A --chunk-size 40 -o json')

    const {items, stopped, page} = documentOf(ran)
    expect(items).toHaveLength(40)
    expect(stopped).toMatchObject({code: 'api-unavailable', message: expect.stringContaining('410, 3 times')})
    expect(page).toMatchObject({consistent: false, continue: expect.stringMatching(/^[\w-]+$/)})
    expect(ran.stderr).toMatch(/^Stopped early: .+\nHint: .+\n/)
    expect(ran.exitCode).toBe(3)
  })

  test('that is said on stderr, with --quiet too', async () => {
    fleet.sandbox.switches.tokenLifetimeMs = EXPIRED_AT_ONCE

    const {stderr} = await fleet.run('agents list -A --chunk-size 100 -o name --quiet')

    expect(stderr).toBe('The list expired on the way: later pods are of a newer moment than earlier ones\n')
  })
})

describe('several contexts', () => {
  let other: OpenSandbox
  let kubeconfig: string

  beforeAll(async () => {
    other = await openSandbox({scenario: 'fleet', pods: 30})
    kubeconfig = contextsOf([
      ['one', other.sandbox],
      ['two', fleet.sandbox],
      ['dead', {...other.sandbox, url: 'https://127.0.0.1:1'}],
    ])
  })

  afterAll(async () => await other.close())

  test('are listed in turn, each pod once', async () => {
    const {pods, codes} = await walk('agents list -A --context one --context two --limit 47', kubeconfig)

    expect(pods).toHaveLength(30 + PODS)
    expect(new Set(pods).size).toBe(30 + PODS)
    expect(pods.map((pod) => pod.split('/')[0])).toEqual([
      ...Array.from({length: 30}, () => 'one'),
      ...Array.from({length: PODS}, () => 'two'),
    ])
    expect(codes).toEqual(new Set([0]))
  })

  test.each([
    '--context dead --context one --limit 20',
    '--context one --context dead --limit 20',
    '--context dead --context one',
    '--context one --context dead --context two --limit 150',
  ])('%s: a dead one hides no other, and is told, whatever the limit', async (flags) => {
    const runs: Doc[] = []
    for (let cursor = ''; runs.length < 10;) {
      const ran = await fleet.run(`agents list -A ${flags} -o json ${cursor}`, {kubeconfig})
      if (ran.exitCode === 4) break
      const document = documentOf(ran)
      runs.push(document)
      if (document.page.continue === undefined) break
      cursor = `--continue ${document.page.continue}`
    }

    const stopped = runs.flatMap((document) => document.stopped ?? [])
    expect(runs.flatMap(({items}) => items)).toHaveLength(flags.includes('two') ? 30 + PODS : 30)
    expect(stopped.map(({message}) => message)).toContain('Cannot reach https://127.0.0.1:1: connection refused')
  })

  test('where none can be reached there is no document, and 4', async () => {
    const {stdout, stderr, exitCode} = await fleet.run('agents list -A --context dead -o json', {kubeconfig})

    expect(stdout).toBe('')
    expect(stderr).toMatch(/^Error: Cannot reach .+\nHint: .+\n$/)
    expect(exitCode).toBe(4)
  })
})

test('a namespace that may not be listed is told even where the limit ends the run before', async () => {
  const partly = await openSandbox()

  const ran = await partly.run('agents list -n bank,shop --limit 2 -o json', {user: 'shopkeeper'})

  await partly.close()
  const {items, stopped, page} = documentOf(ran)
  expect(items).toHaveLength(2)
  expect(stopped?.message).toBe('Cannot list pods in bank: forbidden for user shopkeeper')
  expect(page.continue).toBeDefined()
  expect(ran.exitCode).toBe(3)
})

describe('cursors', () => {
  test.each([
    ['-n team-00', 'This cursor belongs to another query'],
    ['-A --match x', 'This cursor belongs to another query'],
    ['-A --kind istio-gateway', 'This cursor belongs to another query'],
    ['-A -l app=app-1', 'This cursor belongs to another query'],
  ])('one of another query is a usage error: %s', async (selection, message) => {
    const cursor = documentOf(await fleet.run('agents list -A --limit 5 -o json')).page.continue

    const {stdout, stderr, exitCode} = await fleet.run(`agents list ${selection} --continue ${cursor}`)

    expect(stdout).toBe('')
    expect(stderr).toContain(`Error: ${message}\nHint: `)
    expect(exitCode).toBe(2)
  })

  test.each(['AAAA', 'e30', '%00', Buffer.from('{"v":1,"q":"x","p":{}}').toString('base64url')])(
    'text that is none is a usage error: %s',
    async (text) => {
      const {stdout, exitCode} = await fleet.run(`agents list -A --continue ${text}`)

      expect({stdout, exitCode}).toEqual({stdout: '', exitCode: 2})
    },
  )

  test.each(['--limit 0', '--limit -1', '--limit x', '--chunk-size 0', '--concurrency 0', '--timeout soon'])(
    '%s is a usage error that names the flag',
    async (flag) => {
      const {stdout, stderr, exitCode} = await fleet.run(`secrets diff -A ${flag}`)

      expect(stdout).toBe('')
      expect(stderr).toContain(flag.split(' ')[0])
      expect(exitCode).toBe(2)
    },
  )
})

describe('a run that ends early', () => {
  const whole = async (): Promise<readonly string[]> => await namesOf('agents list -n team-01')

  test.each([
    ['--timeout', 'timeout', 3, () => undefined],
    ['Ctrl-C', 'interrupted', 130, () => process.emit('SIGINT')],
  ])('by %s has a whole document, and its cursor goes on exactly there', async (how, code, exit, interrupt) => {
    const expected = await whole()
    const [, , slow = ''] = expected
    fleet.sandbox.fault(slow.replace('sandbox/', ''), {type: 'hang'})
    const timer = setInterval(() => {
      if (fleet.sandbox.counters.openStreams > 0) interrupt()
    }, 20)

    const line = 'secrets list -n team-01 --concurrency 1 --no-cert --deadline 30s'
    const ran = await fleet.run(`${line} -o json ${how === '--timeout' ? '--timeout 1s' : ''}`)

    clearInterval(timer)
    fleet.sandbox.fault(slow.replace('sandbox/', ''), undefined)
    const {items, stopped, page} = documentOf(ran)
    const rest = await fleet.run(`${line} -o json ${page.continue === undefined ? '' : `--continue ${page.continue}`}`)
    const names = [...items, ...documentOf(rest).items].map((item) => `sandbox/${item.namespace}/${item.pod}`)
    expect(stopped?.code).toBe(code)
    expect(ran.exitCode).toBe(exit)
    expect(items.length).toBeLessThan(3)
    expect(names).toEqual(expected)
  })
})

/** A kubeconfig with a context for each sandbox. */
function contextsOf(sandboxes: readonly (readonly [string, Pick<Sandbox, 'url' | 'caPem' | 'tokens'>])[]): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': sandboxes[0]?.[0],
    clusters: sandboxes.map(([name, {url, caPem}]) => ({
      name,
      cluster: {server: url, 'certificate-authority-data': Buffer.from(caPem).toString('base64')},
    })),
    contexts: sandboxes.map(([name]) => ({name, context: {cluster: name, user: name}})),
    users: sandboxes.map(([name, {tokens}]) => ({name, user: {token: tokens.admin}})),
  })
}
