import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from '@jest/globals'
import {runCommand} from '../../support/run-command.ts'

const DUMP = readFileSync(join(import.meta.dirname, '../../fixtures/cases/valid-for-a-day/config_dump.json'), 'utf8')

function saved(date: string): string {
  return `HTTP/1.1 200 OK\ncontent-type: application/json\ndate: ${date}\nserver: envoy\n\n${DUMP}`
}

async function listAt(now: string, stdin: string): Promise<{valid: boolean; rules: string[]; stderr: string}> {
  const {stdout, stderr} = await runCommand(['secrets', 'list', '-f', '-', '--now', now, '-o', 'json'], {stdin})
  const {items} = JSON.parse(stdout) as {
    items: [{findings?: {rule: string}[]; secrets: {resource_name: string; cert_valid: boolean}[]}]
  }
  const [{findings = [], secrets}] = items
  const leaf = secrets.find(({resource_name: name}) => name === 'default')
  return {valid: leaf?.cert_valid ?? false, rules: findings.map(({rule}) => rule), stderr}
}

test('a saved answer of that moment is judged by its own clock, and that it differs is said', async () => {
  const {valid, rules, stderr} = await listAt('2026-06-01T00:00:00Z', saved('Mon, 01 Jun 2026 00:00:25 GMT'))

  expect(valid).toBe(true)
  expect(rules).toContain('clock-skew')
  expect(stderr).toContain('the clock behind envoy-config-dump is 25 s ahead of ours')
})

test('an answer that was saved at another time says nothing of clocks', async () => {
  const {valid, rules} = await listAt('2026-06-01T00:00:00Z', saved('Mon, 01 Jun 2026 09:00:00 GMT'))

  expect(valid).toBe(false)
  expect(rules).not.toContain('clock-skew')
})
