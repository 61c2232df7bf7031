import type {IncomingMessage} from 'node:http'
import {StatusError, unauthorized} from './status.ts'
import {anonymous, sandboxUsers} from './users.ts'
import type {SandboxUser} from './users.ts'

/** Users by bearer token. */
export type Tokens = ReadonlyMap<string, SandboxUser>

/**
 * Who asks: by bearer token, else by client certificate, else nobody; then whom they act for.
 * Throws StatusError 401 for a token that is not known.
 */
export function authenticate(request: IncomingMessage, tokens: Tokens): SandboxUser {
  const user = byCredentials(request, tokens)
  const wanted = request.headers['impersonate-user']
  if (typeof wanted !== 'string') return user
  if (!user.groups.includes('system:masters')) {
    const what = `users "${wanted}" is forbidden: User "${user.name}" cannot impersonate resource "users"`
    throw new StatusError({
      code: 403,
      reason: 'Forbidden',
      message: `${what} in API group "" at the cluster scope`,
      details: {name: wanted, kind: 'users'},
    })
  }
  return findUser(wanted) ?? {name: wanted, groups: [], rules: []}
}

function byCredentials(request: IncomingMessage, tokens: Tokens): SandboxUser {
  const header = request.headers.authorization
  if (header !== undefined) {
    const user = tokens.get(header.replace(/^Bearer /i, ''))
    if (user === undefined) throw new StatusError(unauthorized)
    return user
  }
  const {socket} = request
  const isAuthorized = 'authorized' in socket && socket.authorized === true
  // The sandbox's CA signs one client certificate. That one was shown is all that Bun 1.4 tells of it.
  return isAuthorized ? sandboxUsers.admin : anonymous
}

function findUser(name: string): SandboxUser | undefined {
  return Object.values<SandboxUser>(sandboxUsers).find((user) => user.name === name)
}
