import os from 'node:os'
import {expect, test} from '@jest/globals'
import {settleUser} from '../../../src/lib/cli/settle-user.ts'

/** What Node throws of a user who is not in the system's list. */
function unknown(): never {
  throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT (no such file or directory)')
}

test('a user of whom nothing is known gets the root folder and a shell', () => {
  const env = {}
  const system = {homedir: unknown, userInfo: unknown as typeof os.userInfo}

  settleUser(env, system)

  expect(env).toEqual({HOME: '/', SHELL: '/bin/sh'})
  expect(system.homedir()).toBe('/')
})

test('what is known stays as it is', () => {
  const env = {HOME: '/home/ci', SHELL: '/bin/zsh'}
  const known = {}

  settleUser(env, {homedir: () => '/home/ci', userInfo: unknown})
  settleUser(known, {homedir: () => '/home/ci', userInfo: os.userInfo})

  expect(env).toEqual({HOME: '/home/ci', SHELL: '/bin/zsh'})
  expect(known).toEqual({})
})
