/** A Status, which is how an API server says no. */
export interface StatusBody {
  readonly code: number
  readonly reason: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
  /** A fresh token beside `Expired`. */
  readonly continueToken?: string
  /** Seconds, for the `Retry-After` header. */
  readonly retryAfterSeconds?: number
}

/** Thrown by a handler to end a request with a Status. */
export class StatusError extends Error {
  override readonly name = 'StatusError'
  readonly status: StatusBody

  constructor(status: StatusBody) {
    super(status.message)
    this.status = status
  }
}

/** The Status as JSON text. */
export function statusText(status: StatusBody): string {
  return JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: status.continueToken === undefined ? {} : {continue: status.continueToken},
    status: 'Failure',
    message: status.message,
    ...(status.reason === '' ? {} : {reason: status.reason}),
    ...(status.details === undefined ? {} : {details: status.details}),
    code: status.code,
  })
}

export const unauthorized: StatusBody = {code: 401, reason: 'Unauthorized', message: 'Unauthorized'}

/** What an unknown path gets. */
export const unknownPath: StatusBody = {
  code: 404,
  reason: 'NotFound',
  message: 'the server could not find the requested resource',
  details: {},
}

export function badRequest(message: string): StatusBody {
  return {code: 400, reason: 'BadRequest', message}
}

export function notFound(group: string, plural: string, name: string): StatusBody {
  const qualified = group === '' ? plural : `${plural}.${group}`
  return {
    code: 404,
    reason: 'NotFound',
    message: `${qualified} "${name}" not found`,
    details: {name, ...(group === '' ? {} : {group}), kind: plural},
  }
}

/** An error inside the API server that carries no reason, as a failed dial to a kubelet. */
export function serverFailure(message: string): StatusBody {
  return {code: 500, reason: '', message}
}
