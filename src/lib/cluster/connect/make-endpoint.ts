import {readFileSync} from 'node:fs'
import tls from 'node:tls'
import {RunError} from '../../domain/failure.ts'
import {chooseProxy} from './choose-proxy.ts'
import type {ConnectionOptions} from '../login/connection-options.ts'
import type {Endpoint} from './dial.ts'
import {errorCode} from '../error-text.ts'
import type {Login} from '../login/login.ts'

/**
 * How to reach a login's server: proxy, trust and client certificate, each checked before anything is dialled.
 * Throws RunError (exit 4) where one of them cannot be used; no part of a key is ever in its message.
 */
export function makeEndpoint(login: Login, options: ConnectionOptions): Endpoint {
  const {cluster, user, server} = login
  let proxy: URL | undefined
  try {
    proxy = chooseProxy(server, options.env, cluster.proxyUrl)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new RunError(4, 'bad-proxy', `Cannot use the proxy for ${server.host}: ${error.message}`)
  }
  const ca = readPem(cluster.caFile, cluster.caData, 'certificate authority')
  const isHttp = server.protocol === 'http:'
  const cert = isHttp ? undefined : readPem(user.certFile, user.certData, 'client certificate')
  const key = isHttp ? undefined : readPem(user.keyFile, user.keyData, 'client key')
  if ((cert === undefined) !== (key === undefined)) {
    throw badCertificate('client certificate', `${cert === undefined ? 'it' : 'its key'} is missing`)
  }
  const secrets = {...(cert === undefined ? {} : {cert}), ...(key === undefined ? {} : {key})}
  const trust = isHttp || cluster.skipTlsVerify ? {} : {ca: ca ?? systemAuthorities()}
  if (ca !== undefined && trust.ca === undefined) checkPem('certificate authority', {ca})
  const parts = {...secrets, ...trust}
  return {
    server,
    ...(proxy === undefined ? {} : {proxy}),
    tls: {
      ...parts,
      rejectUnauthorized: !cluster.skipTlsVerify,
      ...(cluster.tlsServerName === undefined ? {} : {servername: cluster.tlsServerName}),
    },
    ...(isHttp ? {} : {secureContext: secureContextOf(parts), resumption: {}}),
  }
}

/** Made once, for all connections. Only where it cannot be made, the parts are looked at one by one. */
function secureContextOf({ca, ...secrets}: tls.SecureContextOptions): tls.SecureContext {
  try {
    return tls.createSecureContext({...secrets, ...(ca !== undefined && {ca})})
  } catch (error) {
    checkPem('certificate authority', ca === undefined ? {} : {ca})
    checkPem('client certificate and key', secrets)
    throw error
  }
}

/** kubectl trusts what the machine trusts where a kubeconfig names no CA; Node alone would use its own list. */
function systemAuthorities(): string[] {
  return [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])]
}

function readPem(file: string | undefined, data: string | undefined, what: string): Buffer | undefined {
  // As in client-go, data in the kubeconfig itself wins over a file.
  if (data !== undefined) return Buffer.from(data, 'base64')
  if (file === undefined) return undefined
  try {
    return readFileSync(file)
  } catch (error) {
    const code = errorCode(error)
    throw badCertificate(what, `reading ${file} failed with ${code === 'ENOENT' ? 'no such file' : code}`)
  }
}

function checkPem(what: string, parts: tls.SecureContextOptions): void {
  try {
    tls.createSecureContext(parts)
  } catch {
    // OpenSSL's text is no help to a person, and must not carry parts of a key.
    throw badCertificate(what, 'it is no valid PEM, or certificate and key do not belong together')
  }
}

function badCertificate(what: string, why: string): RunError {
  return new RunError(4, 'bad-kubeconfig', `Cannot use the ${what} of the kubeconfig: ${why}`)
}
