import {expect, test} from '@jest/globals'
import {load} from 'js-yaml'
import {RULES} from '../../../src/lib/judge/catalogue.ts'
import {schemaErrors} from '../../lib/report/schema-check.ts'
import {runCommand} from '../../support/run-command.ts'

test('every rule has a line: its name, how bad it is, what it is on, what holds', async () => {
  const {stdout, exitCode} = await runCommand(['check', 'rules'])

  const lines = stdout.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^RULE +SEVERITY +ABOUT +HOLDS WHERE$/)
  expect(lines.slice(1).map((line) => line.split(/ +/, 1)[0])).toEqual(RULES.map(({name}) => name))
  expect(lines.find((line) => line.startsWith('weak-key'))).toMatch(/^weak-key +warn +pod +No certificate has a weak/)
  expect(exitCode).toBe(0)
})

test('one rule is told in full, in the width that there is', async () => {
  const {stdout} = await runCommand(['check', 'rules', 'root-missing'], {columns: 60})

  for (const title of ['What it means', 'Why it matters', 'What to do', 'Held against', 'Flags'])
    expect(stdout).toContain(`\n${title}\n  `)
  expect(stdout).toContain('--roots, --rule, --severity, --accept')
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
})

test('JSON holds as much, as the schema says, and YAML the same', async () => {
  const json = await runCommand(['check', 'rules', 'rotation-overdue', '-o', 'json'])
  const yaml = await runCommand(['check', 'rules', 'rotation-overdue', '-o', 'yaml'])

  const document: unknown = JSON.parse(json.stdout)
  expect(await schemaErrors('RuleList', document)).toEqual([])
  expect(json.stdout).toContain('SECRET_GRACE_PERIOD_RATIO')
  expect(load(yaml.stdout)).toEqual(document)
})

test.each([
  ['rotation-overdu', 'Did you mean rotation-overdue? agentctl check rules lists them'],
  ['expiring', 'Did you mean cert-expiring? agentctl check rules lists them'],
  ['nothing-like-it', 'agentctl check rules lists them'],
])('of %s, which is no rule, the nearest is named', async (name, hint) => {
  const {stderr, exitCode} = await runCommand(['check', 'rules', name])

  expect(stderr).toBe(`Error: Cannot explain it: there is no rule "${name}"\nHint: ${hint}\n`)
  expect(exitCode).toBe(2)
})

test('a format of reports is none of rules', async () => {
  const {exitCode} = await runCommand(['check', 'rules', '-o', 'wide'])

  expect(exitCode).toBe(2)
})
