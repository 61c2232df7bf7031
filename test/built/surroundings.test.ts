import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {type Sandbox, startSandbox} from '../../src/lib/sandbox/start-sandbox.ts'
import {OUTPUTS, run} from '../support/built.ts'
import {unpackKubectl} from '../support/unpack-kubectl.ts'

let folder: string
let sandbox: Sandbox
let kubectl: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agentctl-surroundings-'))
  sandbox = await startSandbox()
  kubectl = await unpackKubectl()
  writeFileSync(join(folder, 'kubeconfig'), sandbox.kubeconfig('admin', 'shop'), {mode: 0o600})
}, 60_000)

afterAll(async () => {
  await sandbox.close()
  rmSync(folder, {recursive: true, force: true})
})

describe.each(OUTPUTS)('%s', (name, command) => {
  const [program, ...before] = command

  test('kubectl runs it as a plugin, and passes on its exit code', async () => {
    const bin = join(folder, name.replaceAll(' ', '-'))
    mkdirSync(bin)
    if (before.length === 0) symlinkSync(program, join(bin, 'kubectl-agentctl'))
    else {
      const words = command.map((word) => `'${word}'`).join(' ')
      writeFileSync(join(bin, 'kubectl-agentctl'), `#!/bin/sh\nexec ${words} "$@"\n`, {mode: 0o700})
    }
    const env = {KUBECONFIG: join(folder, 'kubeconfig'), PATH: [bin, process.env['PATH'] ?? ''].join(delimiter)}

    const list = await run([kubectl], ['agentctl', 'agents', 'list', '-n', 'bank', '-o', 'name'], env)
    const diff = await run([kubectl], ['agentctl', 'secrets', 'diff', 'deploy/cart', '--settle', '0'], env)
    const usage = await run([kubectl], ['agentctl', 'secrets', 'diff', '--nope'], env)

    expect(list.stdout).toMatch(
      /^pod\/fraud-\S+\.bank\npod\/ledger-\S+\.bank\npod\/payments-\S+\.bank\npod\/rates-\S+\.bank\n$/,
    )
    expect(list.code).toBe(0)
    expect(diff.stdout).toContain('MISMATCH: proxy is stale')
    expect(diff.code).toBe(1)
    expect(usage).toMatchObject({stdout: '', code: 2})
  })

  test('files of a runtime in the folder where it is started change nothing, and run nothing', async () => {
    const place = mkdtempSync(join(folder, 'place-'))
    const trap = `throw new Error('ran a file of the folder')`
    writeFileSync(join(place, '.env'), 'AGENTCTL_OUTPUT=json\nKUBECONFIG=/nonexistent/trap\n')
    writeFileSync(join(place, 'bunfig.toml'), 'preload = ["./trap.js"]\n')
    writeFileSync(join(place, 'trap.js'), trap)
    writeFileSync(join(place, 'package.json'), '{"type": "module", "oclif": {"bin": "trap", "commands": "./trap.js"}}')
    writeFileSync(join(place, 'tsconfig.json'), '{"compilerOptions": {"paths": {"*": ["./trap.js"]}}}')

    const {stdout, stderr, code} = await run(
      ['sh', '-c', `cd "$0" && exec "$@"`, place, ...command],
      ['agents', 'list', '-n', 'bank', '-o', 'name'],
      {KUBECONFIG: join(folder, 'kubeconfig')},
    )

    expect(stdout).toMatch(/^pod\/fraud-\S+\.bank\n/)
    expect(stderr).toBe('4 pods: 4 ready\n')
    expect(code).toBe(0)
  })
})
