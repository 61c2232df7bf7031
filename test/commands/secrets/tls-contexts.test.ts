import {copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {runCommand} from '../../support/run-command.ts'

const CAPTURED = resolve(import.meta.dirname, '../../fixtures/decode/real-istio-active')
const NOW = '2026-11-30T19:00:00Z'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentctl-contexts-'))
  const certs = readFileSync(join(CAPTURED, 'certs'), 'utf8')
  copyFileSync(
    join(CAPTURED, 'config_dump_mask_dynamic_active_secrets_dynamic_warming_secrets'),
    join(folder, 'app-1.config_dump.json'),
  )
  writeFileSync(join(folder, 'app-1.certs.json'), certs)
  writeFileSync(join(folder, 'app-1.lagging.json'), certs.replaceAll('213d80f0f7a9cae2bd1ce061225658ec', '0aa1'))
})

afterAll(() => rmSync(folder, {recursive: true}))

async function run(command: string, certs: string, ...more: readonly string[]) {
  const files = ['app-1.config_dump.json', certs].flatMap((file) => ['-f', join(folder, file)])
  return await runCommand(['secrets', command, ...files, '--now', NOW, ...more])
}

interface Row {
  readonly resource_name: string
  readonly loaded?: boolean
  readonly other_loaded?: unknown
  readonly notes?: readonly string[]
}

function rowsOf(stdout: string): readonly Row[] {
  return (JSON.parse(stdout) as {items: readonly {secrets: readonly Row[]}[]}).items.flatMap(({secrets}) => secrets)
}

test.each(['diff', 'list'])(
  'secrets %s tells of a real proxy that its contexts have loaded what its secrets are',
  async (command) => {
    const {stdout, exitCode} = await run(command, 'app-1.certs.json', '-o', 'json')

    expect(exitCode).toBe(0)
    expect(rowsOf(stdout).map((row) => [row.resource_name, row.loaded, row.notes])).toEqual([
      ['default', true, undefined],
      ['ROOTCA', true, undefined],
    ])
  },
)

test('a secret that no context has loaded is told in the tables, and is no fault', async () => {
  const unused = 'app-1.unused.json'
  writeFileSync(join(folder, unused), '{"certificates": []}')

  const [diff, wide, list] = await Promise.all([
    run('diff', unused),
    run('diff', unused, '-o', 'wide', '--fail-on', 'warn'),
    run('list', unused),
  ])
  const show = await run('show', unused)

  for (const {stdout, exitCode} of [diff, wide, list, show]) {
    expect(stdout.split('no TLS context has loaded it')).toHaveLength(3)
    expect(exitCode).toBe(0)
  }
})

test('secrets show says of each certificate in use that it is', async () => {
  const {stdout} = await run('show', 'app-1.certs.json')

  expect(stdout.match(/loaded +by a TLS context/g)).toHaveLength(2)
})

test('a certificate that contexts kept from before is a warning in the table, and a fact in JSON', async () => {
  const table = await run('diff', 'app-1.lagging.json')
  const wide = await run('diff', 'app-1.lagging.json', '-o', 'wide')
  const json = await run('diff', 'app-1.lagging.json', '-o', 'json')
  const strict = await run('diff', 'app-1.lagging.json', '--fail-on', 'warn')

  const said = 'TLS contexts have loaded serial 0aa1, not after 2026-12-01T18:35:35Z, instead'
  expect(table.stdout).toContain(said)
  expect(wide.stdout).toContain(said)
  expect(rowsOf(json.stdout)[0]).toMatchObject({
    resource_name: 'default',
    loaded: false,
    other_loaded: [{serial_number: '0aa1', not_before: '2026-11-30T18:33:35Z', not_after: '2026-12-01T18:35:35Z'}],
    notes: [said],
  })
  expect([table.exitCode, strict.exitCode]).toEqual([0, 1])
})
