import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {type Sandbox, startSandbox} from '../../src/lib/sandbox/start-sandbox.ts'
import {runCommand} from '../support/run-command.ts'

let folder: string
let sandbox: Sandbox
let KUBECONFIG: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agentctl-environment-'))
  sandbox = await startSandbox()
  KUBECONFIG = join(folder, 'kubeconfig')
  writeFileSync(KUBECONFIG, sandbox.kubeconfig('admin', 'istio-system'), {mode: 0o600})
})

afterAll(async () => {
  await sandbox.close()
  rmSync(folder, {recursive: true, force: true})
})

async function namesOf(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const {stdout} = await runCommand(['agents', 'list', '-o', 'name', ...argv], {env: {KUBECONFIG, ...env}})
  return stdout.trimEnd().split('\n')
}

test.each([
  ['a list', {AGENTCTL_NAMESPACE: 'shop,bank'}, ['-n', 'shop,bank']],
  ['a list of one', {AGENTCTL_NAMESPACE: 'shop'}, ['-n', 'shop']],
  [
    'a list without commas',
    {AGENTCTL_KIND: 'istio-gateway', AGENTCTL_ALL_NAMESPACES: '1'},
    ['-A', '--kind=istio-gateway'],
  ],
  ['a switch', {AGENTCTL_ALL_NAMESPACES: 'true'}, ['-A']],
  ['a switch that is off', {AGENTCTL_ALL_NAMESPACES: 'false'}, []],
  ['nothing, where it is empty', {AGENTCTL_NAMESPACE: '', AGENTCTL_ALL_NAMESPACES: ''}, []],
  ['a text', {AGENTCTL_NAMESPACE: 'shop', AGENTCTL_MATCH: '^cart'}, ['-n', 'shop', '--match', '^cart']],
])('a variable sets %s as the flag would', async (_what, env, argv) => {
  expect(await namesOf([], env)).toEqual(await namesOf(argv, {}))
})

test.each([
  ['the same flag', {AGENTCTL_NAMESPACE: 'bank'}, ['-n', 'shop']],
  ['-A', {AGENTCTL_NAMESPACE: 'bank'}, ['-A']],
  ['-n', {AGENTCTL_ALL_NAMESPACES: '1'}, ['-n', 'shop']],
  ['a TARGET', {AGENTCTL_ALL_NAMESPACES: '1', AGENTCTL_SELECTOR: 'app=none'}, ['reports-0.shop']],
])('a variable gives way to %s on the command line', async (_what, env, argv) => {
  expect(await namesOf(argv, env)).toEqual(await namesOf(argv, {}))
})

test('a wrong value in a variable is a usage error', async () => {
  const {stdout, stderr, exitCode} = await runCommand(['agents', 'list'], {env: {KUBECONFIG, AGENTCTL_SHOW: 'none'}})

  expect(stdout).toBe('')
  expect(stderr).toMatch(/^Error: .*--show.*none/)
  expect(exitCode).toBe(2)
})

test.each(['AGENTCTL_EXIT_ZERO', 'AGENTCTL_ALLOW_INCOMPLETE', 'AGENTCTL_NOW'])(
  '%s hides nothing: such a flag has to be typed',
  async (name) => {
    const argv = ['secrets', 'list', '-n', 'bank', '--deadline', '2s']
    const env = {KUBECONFIG, [name]: name === 'AGENTCTL_NOW' ? '2001-01-01T00:00:00Z' : 'true'}

    const {exitCode} = await runCommand(argv, {env})

    expect(exitCode).toBe((await runCommand(argv, {env: {KUBECONFIG}})).exitCode)
    expect(exitCode).not.toBe(0)
  },
)
