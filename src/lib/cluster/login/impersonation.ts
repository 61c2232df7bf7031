import type {OutgoingHttpHeaders} from 'node:http'
import {RunError} from '../../domain/failure.ts'
import type {UserEntry} from './kubeconfig-entries.ts'

/**
 * The headers by which a user asks to act as another one; a list becomes one header for each value. Keys of extra
 * fields are escaped as client-go does (`transport.headerKeyEscape`). Throws RunError (exit 4) for groups, a uid or
 * extra fields without a user, which the API server would refuse for every request.
 */
export function impersonationHeaders(user: UserEntry): OutgoingHttpHeaders {
  const extra = Object.entries(user.asExtra).filter(([, values]) => values.length > 0)
  if (user.as === undefined) {
    if (user.asGroups.length === 0 && user.asUid === undefined && extra.length === 0) return {}
    throw new RunError(4, 'bad-kubeconfig', 'Cannot impersonate groups, a uid or extra fields without a user', [
      'Name the user with --as, or `as` in the kubeconfig',
    ])
  }
  return {
    'impersonate-user': asBytes(user.as),
    ...(user.asGroups.length > 0 ? {'impersonate-group': user.asGroups.map(asBytes)} : {}),
    ...(user.asUid === undefined ? {} : {'impersonate-uid': asBytes(user.asUid)}),
    ...Object.fromEntries(extra.map(([key, values]) => [`impersonate-extra-${escapeKey(key)}`, values.map(asBytes)])),
  }
}

/** Header values go out as UTF-8, as Go sends them; Node takes one character for one byte. */
function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

function escapeKey(key: string): string {
  const bytes = [...Buffer.from(key.toLowerCase(), 'utf8')]
  return bytes
    .map((byte) => {
      const char = String.fromCharCode(byte)
      return /[!#$&'*+.^_`|~0-9a-z-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}
