import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {type Sandbox, startSandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import {runCommand} from '../../support/run-command.ts'

let sandbox: Sandbox
let folder: string
let env: Record<string, string>

beforeAll(async () => {
  sandbox = await startSandbox({scenario: 'zoo'})
  folder = mkdtempSync(join(tmpdir(), 'agentctl-zoo-'))
  env = {KUBECONFIG: join(folder, 'config')}
  writeFileSync(join(folder, 'config'), sandbox.kubeconfig(), {mode: 0o600})
})

afterAll(async () => {
  await sandbox.close()
  rmSync(folder, {recursive: true, force: true})
})

interface Row {
  readonly resource_name: string
  readonly agent: string
  readonly proxy: string
  readonly result: string
  readonly compared_by: string
  readonly source: string
}

async function rowsOf(args: readonly string[]): Promise<readonly Row[]> {
  const {stdout} = await runCommand(['secrets', 'diff', '-n', 'legacy', '-o', 'json', '--settle', '0', ...args], {env})
  const {items} = JSON.parse(stdout) as {items: readonly {secrets: readonly Row[]}[]}
  return items.flatMap(({secrets}) => secrets)
}

test('a sidecar of an old mesh is compared with what the node agent of its node serves it', async () => {
  const rows = await rowsOf([])

  const facts = rows.map(({resource_name: name, agent, proxy, result, source}) => [name, agent, proxy, result, source])
  expect(facts).toEqual(
    expect.arrayContaining([
      ['default', 'PRESENT', 'ACTIVE', 'MATCH', 'istio-nodeagent-x8k2m'],
      ['ROOTCA', 'PRESENT', 'ACTIVE', 'MATCH', 'istio-nodeagent-x8k2m'],
    ]),
  )
  expect(rows.map(({result}) => result).toSorted()).toEqual(['MATCH', 'MATCH', 'ONLY_AGENT', 'ONLY_PROXY'])
})

test('a node agent that is looked for in the wrong namespace is not found, and that is said', async () => {
  const {stdout, stderr} = await runCommand(
    ['secrets', 'diff', '-n', 'legacy', '-i', 'shop', '-o', 'json', '--settle', '0'],
    {env},
  )

  const {items} = JSON.parse(stdout) as {items: readonly {failures: readonly {code: string; hint: string}[]}[]}
  expect(items[0]?.failures).toContainEqual(
    expect.objectContaining({code: 'no-source', hint: expect.stringContaining('--istio-namespace')}),
  )
  expect(stderr).not.toBe('')
})
