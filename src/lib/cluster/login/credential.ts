import {readFile} from 'node:fs/promises'
import {ProbeError} from '../../domain/failure.ts'
import type {ConnectionDeps, ConnectionOptions} from './connection-options.ts'
import {errorCode} from '../error-text.ts'
import {runExecPlugin} from './exec-plugin.ts'
import type {Login} from './login.ts'
import type {ClientCertificate} from './login-answer.ts'
import {present} from '../narrow.ts'

/** What a user shows to the server. */
export interface Credential {
  /** The `Authorization` header. */
  readonly authorization?: string
  readonly clientCertificate?: ClientCertificate
  /** Ms since 1970, from which on it is not to be used; absent where nobody knows. */
  readonly staleMs?: number
}

/** How one user's credential is obtained anew; absent for a user whose credential never changes. */
export interface CredentialSource {
  readonly fixed: Credential
  readonly obtain?: (signal: AbortSignal) => Promise<Credential>
}

/** client-go re-reads a token file once a minute; Kubernetes keeps an old token valid for longer than that. */
const TOKEN_FILE_MS = 60_000
/** A token is renewed this long before its end, or a tenth of its life where that is less. */
const SLACK_MS = 10_000
/** An auth provider tells no end of its token; it looks itself whether a refresh is due. */
const PROVIDER_MS = 30_000

/**
 * Finds how a login's user authenticates, in client-go's order: login program, auth provider, token file, token,
 * basic. An http server is shown no credential at all, as in client-go.
 */
export function findCredentialSource(
  login: Login,
  clusterInfo: () => Readonly<Record<string, unknown>>,
  options: ConnectionOptions,
  deps: ConnectionDeps,
): CredentialSource {
  const {exec, authProvider, tokenFile, token, username, password} = login.user
  if (login.server.protocol === 'http:') return {fixed: {}}
  if (exec !== undefined) {
    return {
      fixed: {},
      obtain: async (signal) => {
        const answer = await runExecPlugin(exec, clusterInfo(), options, deps, signal)
        return {
          ...present('authorization', answer.token && `Bearer ${answer.token}`),
          ...present('clientCertificate', answer.clientCertificate),
          ...present('staleMs', answer.expiresMs && withSlack(answer.expiresMs, deps.now())),
        }
      },
    }
  }
  if (tokenFile !== undefined) {
    return {
      fixed: {},
      obtain: async () => ({
        authorization: `Bearer ${await readToken(tokenFile, token)}`,
        staleMs: deps.now() + TOKEN_FILE_MS,
      }),
    }
  }
  if (token !== undefined) return {fixed: {authorization: `Bearer ${token}`}}
  if (authProvider !== undefined) {
    const provider = import('./auth-provider.ts').then(({openAuthProvider}) => openAuthProvider(login.user))
    return {
      fixed: {},
      obtain: async () => ({authorization: `Bearer ${await (await provider)()}`, staleMs: deps.now() + PROVIDER_MS}),
    }
  }
  if (username === undefined) return {fixed: {}}
  return {fixed: {authorization: `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`}}
}

function withSlack(expiresMs: number, nowMs: number): number {
  return expiresMs - Math.min(SLACK_MS, Math.max(0, expiresMs - nowMs) / 10)
}

async function readToken(file: string, token: string | undefined): Promise<string> {
  let text: string
  try {
    text = (await readFile(file, 'utf8')).trim()
  } catch (error) {
    // As in client-go, the token beside a file stands in for it.
    if (token !== undefined) return token
    const code = errorCode(error)
    throw noToken(file, code === 'ENOENT' ? 'there is no such file' : `reading it failed with ${code}`)
  }
  if (text === '' || /\s/.test(text)) throw noToken(file, text === '' ? 'it is empty' : 'it holds more than one word')
  return text
}

function noToken(file: string, why: string): ProbeError {
  return new ProbeError({stage: 'dial', code: 'unauthorized', message: `Cannot read the token file ${file}: ${why}`})
}
