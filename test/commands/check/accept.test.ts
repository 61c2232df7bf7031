import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {type OpenSandbox, openSandbox} from '../../support/open-sandbox.ts'

let sandbox: OpenSandbox
let folder: string

beforeAll(async () => {
  sandbox = await openSandbox({scenario: 'checks'})
  folder = mkdtempSync(join(tmpdir(), 'agentctl-accept-'))
})

afterAll(async () => {
  await sandbox.close()
  rmSync(folder, {recursive: true, force: true})
})

function fileOf(text: string): string {
  const path = join(folder, 'accepted.yaml')
  writeFileSync(path, text)
  return path
}

async function accept(text: string, line = 'overdue -n checks') {
  return await sandbox.run(`check ${line} --settle 0 --accept ${fileOf(text)}`)
}

const ENTRY = '- rule: rotation-overdue\n  namespace: checks\n  pod: over*\n  reason: a new image is on its way\n'

describe('an accepted finding', () => {
  test('is told, and fails nothing', async () => {
    const {stdout, stderr, exitCode} = await accept(`${ENTRY}  until: 2026-06-01\n`)

    expect(stdout).toMatch(/accepted +rotation-overdue .+ \(accepted until 2026-06-01: a new image is on its way\)/)
    expect(stderr).not.toContain('Nothing to accept')
    expect(exitCode).toBe(0)
  })

  test('counts again on the day after, and says so', async () => {
    const {stdout, exitCode} = await accept(`${ENTRY}  until: 2026-05-31\n`)

    expect(stdout).toMatch(/fail +rotation-overdue .+ \(was accepted until 2026-05-31: a new image is on its way\)/)
    expect(exitCode).toBe(1)
  })

  test.each([
    ['another pod', ENTRY.replace('over*', 'w*')],
    ['another namespace', ENTRY.replace('checks', 'shop')],
    ['another rule', ENTRY.replace('rotation-overdue', 'proxy-stale')],
    ['another secret', `${ENTRY}  secret: ROOTCA\n`],
    ['another subject', `${ENTRY}  subject: secret ROOTCA\n`],
    ['another context', `${ENTRY}  context: prod\n`],
    ['a name that is longer than the pattern', ENTRY.replace('over*', 'overdu')],
  ])('is not accepted by an entry for %s, which is told as of no use', async (_, entry) => {
    const {stderr, exitCode} = await accept(`${entry}  until: 2026-12-31\n`)

    expect(stderr).toMatch(/^Nothing to accept: .+accepted\.yaml:1 \(.+\)$/m)
    expect(exitCode).toBe(1)
  })

  test.each([
    ['its secret', `${ENTRY}  secret: default\n  until: 2026-12-31\n`],
    ['its context, where there is one', `${ENTRY}  context: sandbox\n  until: 2026-12-31\n`],
    ['its subject', `${ENTRY}  subject: secret default\n  until: 2026-12-31\n`],
    [
      'JSON',
      '[{"rule": "rotation-overdue", "pod": "?verdue", "reason": "a new image is on its way", "until": "2026-12-31"}]',
    ],
    ['the entry that holds longest', `${ENTRY}  until: 2020-01-01\n${ENTRY}  until: 2026-12-31\n`],
  ])('may be named by %s', async (_, entry) => {
    const {exitCode} = await accept(entry)

    expect(exitCode).toBe(0)
  })
})

test.each([
  ['a key that there is not', `${ENTRY}  untill: 2026-12-31\n`, ':5:3: unknown key "untill": expected one of rule,'],
  ['no reason', '- {rule: weak-key, until: 2026-12-31}\n', ':1:3: reason is missing'],
  ['an empty reason', '- {rule: weak-key, reason: " ", until: 2026-12-31}\n', ':1:28: reason has to be a text'],
  ['no end', ENTRY, ':1:3: until is missing'],
  ['a day that there is not', `${ENTRY}  until: 2026-02-30\n`, ':5:10: until has to be a day such as 2026-12-31'],
  ['a time', `${ENTRY}  until: 2026-12-31T00:00:00Z\n`, ':5:10: until has to be a day'],
  [
    'a rule that there is not',
    `${ENTRY.replace('overdue', 'overdu')}  until: 2026-12-31\n`,
    ':1:9: there is no rule "rotation-overdu"',
  ],
  ['no list', 'rule: weak-key\n', ':1:1: expected a list of accepted findings'],
  ['an entry that is none', '- weak-key\n', ':1:3: expected an accepted finding'],
  ['a key twice', `${ENTRY}  reason: again\n`, ':5:3: Map keys must be unique'],
  ['what is no YAML', '- {rule: [\n', 'accepted.yaml:'],
  ['nothing', '', ':1:1: expected a list'],
])('%s is a usage error that says where', async (_, text, message) => {
  const {stderr, exitCode} = await accept(text)

  expect(stderr).toContain(message)
  expect(exitCode).toBe(2)
})

test('a file that is not there is a usage error', async () => {
  const {stderr, exitCode} = await sandbox.run('check well -n checks --accept /no/such/file')

  expect(stderr).toBe('Error: --accept: cannot read /no/such/file: no such file\n')
  expect(exitCode).toBe(2)
})
