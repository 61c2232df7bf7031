import {ProbeError, type FailureCode} from '../../domain/failure.ts'
import {DialError} from './dial.ts'
import {errorCode, errorLine, isTimeout} from '../error-text.ts'
import {fieldsOf, listOf} from '../narrow.ts'

/** What went wrong between here and a server, in words. */
interface Cause {
  readonly code: FailureCode
  readonly words: string
  readonly hint?: string
}

const UNKNOWN_CA: Cause = {
  code: 'tls',
  words: 'its certificate is signed by an unknown authority',
  hint: "Give the server's CA: --certificate-authority FILE, or certificate-authority-data in the kubeconfig",
}
const CLIENT_REFUSED: Cause = {
  code: 'tls',
  words: 'the server refused the client certificate',
  hint: 'Renew the client certificate of the kubeconfig: its date, or its issuer, is not accepted',
}
const NO_ANSWER: Cause = {
  code: 'timeout',
  words: 'no answer came in time',
  hint: 'Check the network, the VPN and the firewall, or allow more time: --request-timeout 60s',
}
const CLOSED: Cause = {
  code: 'api-unavailable',
  words: 'the connection was closed before an answer came',
  hint: 'Try again; if it stays so, check the scheme and the port of the server address',
}
const NOT_TLS: Cause = {
  code: 'tls',
  words: 'what answers there does not speak TLS',
  hint: 'Check the scheme and the port of the server address',
}

const CAUSES: Readonly<Record<string, Cause>> = {
  ECONNREFUSED: {
    code: 'api-unavailable',
    words: 'connection refused',
    hint: 'Check that the server runs, and its port',
  },
  ConnectionRefused: {
    code: 'api-unavailable',
    words: 'connection refused',
    hint: 'Check that the server runs, and its port',
  },
  ENOTFOUND: {
    code: 'api-unavailable',
    words: 'its name is not known to DNS',
    hint: 'Check the server address, and the VPN',
  },
  EAI_AGAIN: {
    code: 'api-unavailable',
    words: 'DNS gives no answer for its name',
    hint: 'Check the network, and the VPN',
  },
  ETIMEDOUT: {code: 'timeout', words: 'connecting timed out', hint: 'Check the network, the VPN and the firewall'},
  EHOSTUNREACH: {code: 'api-unavailable', words: 'no route to the host', hint: 'Check the network, and the VPN'},
  ENETUNREACH: {code: 'api-unavailable', words: 'the network is unreachable', hint: 'Check the network, and the VPN'},
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CA,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_CA,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_CA,
  CERT_UNTRUSTED: UNKNOWN_CA,
  CERT_SIGNATURE_FAILURE: UNKNOWN_CA,
  CERT_HAS_EXPIRED: {code: 'tls', words: 'its certificate has expired', hint: "Renew the API server's certificate"},
  CERT_NOT_YET_VALID: {code: 'tls', words: 'its certificate is not valid yet', hint: "Check this machine's clock"},
  EPROTO: NOT_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
}

/**
 * A connection that could not be made, as a ProbeError of stage `dial` whose message names the server and the cause.
 * Error codes are Node's and OpenSSL's (`errno`, `X509_V_ERR_*`).
 */
export function explainConnectError(server: string, error: unknown): ProbeError {
  if (error instanceof ProbeError) return error
  const via = error instanceof DialError ? error.via : undefined
  const {code, words, hint} = findCause(error instanceof DialError ? error.cause : error)
  const through = via === undefined ? '' : ` through the proxy ${via}`
  const failure = {stage: 'dial', code, message: `Cannot reach ${server}${through}: ${words}`} as const
  return new ProbeError(hint === undefined ? failure : {...failure, hint}, {cause: error})
}

function findCause(error: unknown): Cause {
  // A host with several addresses fails with one error for each.
  const [first] = listOf(fieldsOf(error)['errors'])
  if (first !== undefined) return findCause(first)
  if (isTimeout(error)) return NO_ANSWER
  const code = errorCode(error)
  const known = CAUSES[code]
  if (known !== undefined) return known
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return {
      code: 'tls',
      words: 'its certificate is for another name',
      hint: 'Check the server address, or name the right one: --tls-server-name NAME',
    }
  }
  // OpenSSL's and BoringSSL's names differ: ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED, ERR_SSL_TLSV1_ALERT_….
  if (/^ERR_SSL_.*ALERT_(.*CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/.test(code)) return CLIENT_REFUSED
  if (code.startsWith('HPE_')) return {code: 'api-unavailable', words: 'what answers there does not speak HTTP'}
  const text = errorLine(error)
  if (/socket hang up|ECONNRESET|socket disconnected/i.test(text)) {
    return CLOSED
  }
  const isTls = code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') || code.startsWith('CERT_')
  return {
    code: isTls ? 'tls' : 'api-unavailable',
    words: `${text.slice(0, 200)}${code === '' ? '' : ` (${code})`}`,
  }
}
