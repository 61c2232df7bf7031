import os from 'node:os'

type System = Pick<typeof os, 'homedir' | 'userInfo'>

/**
 * A container's user may be but a number, of whom the system knows neither home nor shell: whoever asks for them gets an
 * error, the framework too. Such a one gets what container runtimes and logins give, the root folder and `sh`.
 */
export function settleUser(env: Record<string, string | undefined>, system: System = os): void {
  if (isUnknown(() => system.homedir())) {
    env['HOME'] = '/'
    // Bun goes on looking at the environment that it was started with.
    system.homedir = () => '/'
  }
  if (env['SHELL'] === undefined && isUnknown(() => system.userInfo())) env['SHELL'] = '/bin/sh'
}

function isUnknown(ask: () => unknown): boolean {
  try {
    ask()
    return false
  } catch {
    return true
  }
}
