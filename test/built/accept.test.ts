import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {type Sandbox, startSandbox} from '../../src/lib/sandbox/start-sandbox.ts'
import {OUTPUTS, run} from '../support/built.ts'

const CHECK = ['check', 'cart-5d8f7c9b6-9zt2w', '-n', 'shop', '--settle', '0', '--rule', 'proxy-stale', '--accept']

let sandbox: Sandbox
let folder: string

beforeAll(async () => {
  sandbox = await startSandbox()
  folder = mkdtempSync(join(tmpdir(), 'agentctl-test-'))
  writeFileSync(join(folder, 'kubeconfig'), sandbox.kubeconfig(), {mode: 0o600})
})

afterAll(async () => {
  await sandbox.close()
  rmSync(folder, {recursive: true, force: true})
})

describe.each(OUTPUTS)('%s', (_name, output) => {
  const accept = async (text: string): Promise<number | null> => {
    const path = join(folder, 'accepted.yaml')
    writeFileSync(path, text)
    const {code} = await run(output, [...CHECK, path], {KUBECONFIG: join(folder, 'kubeconfig')})
    return code
  }

  test('reads what is accepted, with the parser that it loads for it', async () => {
    const entry = '- rule: proxy-stale\n  reason: known\n  until: 2999-12-31\n'

    expect([await accept(entry), await accept('[]'), await accept('- rule: proxy-stale\n')]).toEqual([0, 1, 2])
  })
})
