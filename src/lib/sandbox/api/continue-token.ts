import {badRequest, StatusError} from './status.ts'
import type {StatusBody} from './status.ts'

/** Where a list goes on, in the form of a real server's token, with the time when it was given. */
export interface ContinueToken {
  /** `-1` stands for "whatever is newest", as a server gives beside a 410. */
  readonly revision: number
  /** Key of the last object that was given. */
  readonly after: string
  readonly issuedMs: number
}

export function writeContinueToken(token: ContinueToken): string {
  const value = {v: 'meta.k8s.io/v1', rv: token.revision, start: `${token.after}\0`, t: token.issuedMs}
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Throws StatusError 400 for anything else than a token of ours. */
export function readContinueToken(text: string): ContinueToken {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    value = undefined
  }
  if (typeof value === 'object' && value !== null && 'rv' in value && 'start' in value && 't' in value) {
    const {rv, start, t} = value
    if (typeof rv === 'number' && typeof start === 'string' && typeof t === 'number') {
      return {revision: rv, after: start.replace(/\0$/, ''), issuedMs: t}
    }
  }
  throw new StatusError(badRequest('continue key is not valid: encoded continue key is not valid'))
}

/** The 410 of a token that is too old (apiserver `pkg/storage/etcd3/errors.go`), with a fresh token or without. */
export function expiredToken(fresh: string | undefined): StatusBody {
  const head = 'The provided continue parameter is too old to display a consistent list result. '
  if (fresh === undefined) {
    return {code: 410, reason: 'Expired', message: `${head}You must start a new list without the continue parameter.`}
  }
  return {
    code: 410,
    reason: 'Expired',
    message:
      `${head}You can start a new list without the continue parameter, or use the continue token in this response to ` +
      'retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - ' +
      'objects that were created, modified, or deleted between the time the first chunk was returned and now may ' +
      'show up in the list.',
    continueToken: fresh,
  }
}
