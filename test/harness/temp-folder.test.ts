import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from '@jest/globals'

const SETUP = join(import.meta.dirname, '..', 'support', 'own-temp-folder.js')

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentctl-folder-'))
})

afterAll(() => rmSync(folder, {recursive: true, force: true}))

/** A run of tests that leaves a file, says so, and waits. */
const LEAVES = `
  const {default: ownTempFolder} = await import(${JSON.stringify(SETUP)})
  const {writeFileSync} = await import('node:fs')
  const {join} = await import('node:path')
  const {tmpdir} = await import('node:os')
  ownTempFolder()
  writeFileSync(join(tmpdir(), 'left'), '')
  process.stdout.write('left')
  process.stdin.resume()`

test.each([
  ['its end', undefined, 0, null],
  ['SIGINT', 'SIGINT', null, 'SIGINT'],
  ['SIGTERM', 'SIGTERM', null, 'SIGTERM'],
] as const)('what tests leave in their temporary folder is gone after %s', async (_end, signal, code, endedBy) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', LEAVES], {
    env: {...process.env, TMPDIR: folder},
  })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  const during = readdirSync(folder)

  if (signal === undefined) child.stdin.end()
  else child.kill(signal)

  expect(await ended).toEqual([code, endedBy])
  expect(during).toEqual([expect.stringMatching(/^agentctl-tests-/)])
  expect(readdirSync(folder)).toEqual([])
})
