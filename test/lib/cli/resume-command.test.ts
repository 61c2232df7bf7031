import {expect, test} from '@jest/globals'
import {resumeCommand} from '../../../src/lib/cli/resume-command.ts'

test('the command that goes on is the one that was given, with another cursor', () => {
  const argv = ['-n', 'shop', '--continue', 'old', '--match', 'a b', '--continue=older', '-o', 'json']

  const resumed = resumeCommand('agentctl', 'secrets:diff', argv, 'new')

  expect(resumed).toBe("agentctl secrets diff -n shop --match 'a b' -o json --continue new")
})

test.each([
  [['--token', 'eyJhbGciOi', '-A']],
  [['--token=eyJhbGciOi', '-A']],
  [['-A', '--token', '--continue', '--token=eyJhbGciOi']],
])('of %j no token is shown', (argv) => {
  const resumed = resumeCommand('agentctl', 'secrets:diff', argv, 'new')

  expect(resumed).toContain('***')
  expect(resumed).not.toContain('eyJhbGciOi')
})
