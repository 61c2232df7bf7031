import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, join} from 'node:path'
import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {COMMANDS} from '../../src/commands.generated.ts'
import {type Sandbox, startSandbox} from '../../src/lib/sandbox/start-sandbox.ts'
import {OUTPUTS, run} from '../support/built.ts'

/** Keeps running until it is stopped. */
const ENDLESS = 'sandbox start'

let folder: string
let sandbox: Sandbox

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agentctl-examples-'))
  sandbox = await startSandbox()
  writeFileSync(join(folder, 'kubeconfig'), sandbox.kubeconfig('admin', 'shop'), {mode: 0o600})
  writeFileSync(join(folder, 'new-root.pem'), sandbox.caPem)
  const [, command] = OUTPUTS[0] ?? ['', []]
  const words = command.map((word) => `'${word}'`).join(' ')
  writeFileSync(join(folder, 'agentctl'), `#!/bin/sh\nexec ${words} "$@"\n`, {mode: 0o700})
})

afterAll(async () => {
  await sandbox.close()
  rmSync(folder, {recursive: true, force: true})
})

// In the order of the commands: `debug get` writes the files that later ones read.
const EXAMPLES = COMMANDS.flatMap(({manifest}) => {
  const name = manifest.id.replaceAll(':', ' ')
  return (manifest.examples ?? [])
    .filter((example) => typeof example !== 'string')
    .map(({command}) => command.replaceAll('<%= config.bin %>', 'agentctl').replaceAll('<%= command.id %>', name))
}).filter((example) => !example.includes(ENDLESS))

test.each(EXAMPLES)('the example works word for word: %s', async (example) => {
  const env = {KUBECONFIG: join(folder, 'kubeconfig'), PATH: [folder, process.env['PATH'] ?? ''].join(delimiter)}

  const {stderr, code} = await run(['sh', '-c'], [`cd '${folder}' && ${example}`], env)

  expect(stderr).not.toMatch(/^Error/m)
  // 1 and 3 are answers: the demo holds differences, and pods that do not answer.
  expect([0, 1, 3]).toContain(code)
})
