import {createSecureContext} from 'node:tls'
import {ProbeError} from '../../domain/failure.ts'
import type {ExecEntry} from './kubeconfig-entries.ts'
import {maskSecrets} from './mask-secrets.ts'
import {fieldsOf, isFields, present, textOf} from '../narrow.ts'

/** What a login program handed out. */
export interface LoginAnswer {
  readonly token?: string
  readonly clientCertificate?: ClientCertificate
  /** Ms since 1970; absent where the program named no end. */
  readonly expiresMs?: number
}

/** A client certificate with its key, as PEM; held only to be given to TLS. */
export interface ClientCertificate {
  readonly cert: string | Buffer
  readonly key: string | Buffer
}

/**
 * Reads the ExecCredential that a login program printed. Throws ProbeError (`unauthorized`) for anything else;
 * of the output only a first line that holds no credential is repeated.
 */
export function readLoginAnswer(output: string, exec: ExecEntry): LoginAnswer {
  let answer: unknown
  try {
    answer = JSON.parse(output)
  } catch {
    throw loginFailed(
      exec,
      output.trim() === '' ? 'it printed nothing' : `it printed no ExecCredential but ${showFirstLine(output)}`,
    )
  }
  const {kind, apiVersion, status} = fieldsOf(answer)
  if (kind !== 'ExecCredential') throw loginFailed(exec, 'it printed JSON that is no ExecCredential')
  if (apiVersion !== exec.apiVersion) {
    throw loginFailed(
      exec,
      `the kubeconfig wants ${exec.apiVersion}, and it printed ${textOf(apiVersion) ?? 'no apiVersion'}`,
    )
  }
  if (!isFields(status)) throw loginFailed(exec, 'its ExecCredential has no status')
  const token = textOf(status['token'])
  const cert = textOf(status['clientCertificateData'])
  const key = textOf(status['clientKeyData'])
  if ((cert === undefined) !== (key === undefined))
    throw loginFailed(exec, 'it gave a client certificate without its key, or the reverse')
  if (token === undefined && cert === undefined)
    throw loginFailed(exec, 'it gave neither a token nor a client certificate')
  const clientCertificate = cert === undefined || key === undefined ? undefined : {cert, key}
  if (clientCertificate !== undefined) checkCertificate(exec, clientCertificate)
  const expiresMs = textOf(status['expirationTimestamp'])
  const endMs = expiresMs === undefined ? undefined : Date.parse(expiresMs)
  if (Number.isNaN(endMs)) throw loginFailed(exec, 'its expirationTimestamp is no time')
  return {
    ...present('token', token),
    ...present('clientCertificate', clientCertificate),
    ...present('expiresMs', endMs),
  }
}

function checkCertificate(exec: ExecEntry, pair: ClientCertificate): void {
  try {
    createSecureContext({cert: pair.cert, key: pair.key})
  } catch {
    // OpenSSL's own text says nothing more for a person, and must not carry parts of the key.
    throw loginFailed(exec, 'its client certificate and key cannot be used: they are no pair of valid PEM texts')
  }
}

function showFirstLine(output: string): string {
  const line = output.trim().split('\n', 1)[0]?.trim() ?? ''
  if (line.startsWith('{') || line.startsWith('[')) return 'broken JSON'
  return `'${maskSecrets(line).slice(0, 80)}'`
}

/** A failed login, named by the program that was run. */
export function loginFailed(exec: Pick<ExecEntry, 'command'>, why: string, hint?: string): ProbeError {
  return new ProbeError({
    stage: 'dial',
    code: 'unauthorized',
    message: `Cannot log in with ${exec.command}: ${why}`,
    ...present('hint', hint?.trim().replace(/\s*\n\s*/g, ' ')),
  })
}
