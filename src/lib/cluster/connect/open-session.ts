import type http from 'node:http'
import {setTimeout as wait} from 'node:timers/promises'
import type {WebSocket} from 'ws'
import {ProbeError} from '../../domain/failure.ts'
import {explainConnectError} from './connect-error.ts'
import type {ConnectionDeps, ConnectionOptions} from '../login/connection-options.ts'
import type {CredentialCache} from '../login/credential-cache.ts'
import type {Credential} from '../login/credential.ts'
import {explainRefusal} from '../explain-refusal.ts'
import {impersonationHeaders} from '../login/impersonation.ts'
import type {Login} from '../login/login.ts'
import type {Endpoint} from './dial.ts'
import {makeEndpoint} from './make-endpoint.ts'
import {openAgent} from './open-agent.ts'
import {openWebSocket, type Refusal} from './open-web-socket.ts'
import {readBody} from '../read-body.ts'
import {readRetryAfter} from './retry-after.ts'
import {sendGet} from './send-get.ts'
import type {ApiRequest, ApiResponse, KubeSession} from './session.ts'
import {readWarnings} from './warnings.ts'

const MAX_THROTTLED = 3

/** The agents of one client certificate: an agent is bound to the TLS that it was made with. */
interface Wire {
  readonly certificate: Credential['clientCertificate']
  readonly requests: http.Agent
  readonly streams: http.Agent
}

/**
 * Opens the session of one login; nothing is dialled and nobody logs in before the first request. The credential
 * cache may be shared with other sessions of the same user: who makes it closes it.
 * Throws RunError (exit 4) where certificates, the proxy or the impersonation cannot be used.
 */
export function openSession(
  login: Login,
  credentials: CredentialCache,
  options: ConnectionOptions,
  deps: ConnectionDeps,
): KubeSession {
  const {server} = login
  const shownServer = `${server.protocol}//${server.host}${server.pathname.replace(/\/$/, '')}`
  const endpoint = makeEndpoint(login, options)
  const impersonation = impersonationHeaders(login.user)
  const timeoutMs = options.requestTimeoutMs
  const closing = new AbortController()
  const agents: http.Agent[] = []
  let wire: Wire | undefined

  const wireFor = (credential: Credential): Wire => {
    const certificate = credential.clientCertificate
    if (wire === undefined || wire.certificate !== certificate) {
      // Requests under way keep the old agent; its idle connections end with the session.
      const own = certificate === undefined ? endpoint : withCertificate(endpoint, certificate)
      wire = {
        certificate,
        requests: openAgent(own, timeoutMs, closing.signal, {keepAlive: true, scheduling: 'lifo'}),
        streams: openAgent(own, timeoutMs, closing.signal, {keepAlive: false}),
      }
      agents.push(wire.requests, wire.streams)
    }
    return wire
  }

  const headersFor = (credential: Credential): http.OutgoingHttpHeaders => ({
    'user-agent': 'agentctl',
    ...(credential.authorization === undefined ? {} : {authorization: credential.authorization}),
    ...impersonation,
  })

  /** Runs one exchange, and once more with another credential if the server refused the first with a 401. */
  const loggedIn = async <Outcome>(
    exchange: (credential: Credential, wire: Wire) => Promise<Outcome>,
    isRefused: (outcome: Outcome) => boolean,
    leave: (outcome: Outcome) => void,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    signal.throwIfAborted()
    let credential = await credentials.current(signal)
    for (;;) {
      const outcome = await exchange(credential, wireFor(credential)).catch((error: unknown) => {
        throw signal.aborted ? signal.reason : explainConnectError(shownServer, error)
      })
      if (!isRefused(outcome)) {
        credentials.accept(credential)
        return outcome
      }
      const renewed = await credentials.renew(credential, signal)
      if (renewed === undefined) return outcome
      leave(outcome)
      credential = renewed
    }
  }

  const get = async (path: string, request: ApiRequest): Promise<ApiResponse> => {
    const {signal} = request
    const startMs = deps.now()
    for (let attempt = 0; ; attempt += 1) {
      const response = await loggedIn(
        (credential, {requests}) => {
          const headers = {
            accept: request.accept ?? 'application/json',
            'accept-encoding': 'gzip',
            ...request.headers,
            ...headersFor(credential),
          }
          return sendGet({server, agent: requests, path, headers, timeoutMs}, signal)
        },
        ({statusCode}) => statusCode === 401 && !isAnswerOfPod(path),
        (response) => response.resume(),
        signal,
      )
      for (const warning of readWarnings(response.headers['warning'])) deps.notice(warning)
      const waitMs =
        response.statusCode === 429 && attempt < MAX_THROTTLED
          ? readRetryAfter(response.headers['retry-after'], deps.now())
          : undefined
      const isInTime = timeoutMs === 0 || (waitMs ?? 0) + deps.now() - startMs <= timeoutMs
      if (waitMs === undefined || !isInTime) {
        if (response.statusCode === 401 && !isAnswerOfPod(path)) {
          response.destroy()
          throw loginRefused(login, shownServer)
        }
        return {
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: readBody(response, timeoutMs, `GET ${path.split('?', 1)[0]}`, signal),
          receivedMs: deps.now(),
        }
      }
      response.resume()
      await wait(waitMs, undefined, {signal}).catch(() => signal.throwIfAborted())
    }
  }

  const upgrade = async (path: string, protocols: readonly string[], signal: AbortSignal): Promise<WebSocket> => {
    const outcome = await loggedIn(
      (credential, {streams}) =>
        openWebSocket({server, agent: streams, path, protocols, headers: headersFor(credential), timeoutMs}, signal),
      (upgraded) => 'refused' in upgraded && upgraded.refused.status === 401,
      () => undefined,
      signal,
    )
    if ('opened' in outcome) return outcome.opened
    throw refusalOf(outcome.refused, path)
  }

  const refusalOf = (refused: Refusal, path: string): ProbeError => {
    for (const warning of readWarnings(refused.headers['warning'])) deps.notice(warning)
    return refused.status === 401 ? loginRefused(login, shownServer) : explainRefusal({...refused, path})
  }

  return {
    context: login.context,
    namespace: login.namespace,
    server: shownServer,
    get,
    upgrade,
    async [Symbol.asyncDispose]() {
      closing.abort(new DOMException('The session is closed', 'AbortError'))
      for (const agent of agents) agent.destroy()
    },
  }
}

/** A pod asked through the API server's proxy may answer 401 itself; that says nothing of the login. */
function isAnswerOfPod(path: string): boolean {
  return /\/proxy(\/|\?|$)/.test(path)
}

/** What was made of the kubeconfig's certificate is not for another one, and neither is what a connection with it left. */
function withCertificate(
  {server, proxy, tls}: Endpoint,
  certificate: NonNullable<Credential['clientCertificate']>,
): Endpoint {
  return {server, ...(proxy !== undefined && {proxy}), tls: {...tls, ...certificate}, resumption: {}}
}

function loginRefused(login: Login, server: string): ProbeError {
  const who = login.userName === undefined ? '' : ` of user ${login.userName}`
  const context = login.userName === undefined ? '' : ` --context ${login.context}`
  const hint =
    login.user.exec === undefined
      ? `Log in again, then check with: kubectl auth whoami${context}`
      : `Log in again with ${login.user.exec.command}`
  const message = `Cannot log in to ${server}: the login${who} has expired or is not accepted (401)`
  return new ProbeError({stage: 'dial', code: 'unauthorized', message, hint})
}
