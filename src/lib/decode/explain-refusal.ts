import type {FailureCode, ProbeError} from '../domain/failure.ts'
import {contentError, type Subject} from './content-error.ts'
import {firstLine, isHtml} from './text/first-line.ts'
import {readBeginning} from './text/read-beginning.ts'

/** Texts of Envoy's admin interface, of its data plane and of istiod, by which a refusal is told even without its status. */
const KNOWN_TEXTS: readonly {readonly pattern: RegExp; readonly code: FailureCode}[] = [
  {pattern: /^invalid path\b/i, code: 'path-unknown'},
  {pattern: /not found in config dump/i, code: 'path-unknown'},
  {pattern: /FieldMask|is not a repeated field|INVALID_ARGUMENT: .*name_regex/i, code: 'bad-request'},
  {pattern: /^(?:Invalid request; POST required|Method \S+ not allowed)/i, code: 'bad-request'},
  {pattern: /^Proxy not connected to this \w+ instance/i, code: 'not-found'},
  {pattern: /^You must provide a proxyID/i, code: 'bad-request'},
  {
    pattern:
      /^(?:upstream connect error|upstream request timeout|no healthy upstream|no route to|RBAC: access denied)/i,
    code: 'not-an-admin-port',
  },
]

const PROXY_HINT = 'A proxy or gateway answered in place of the pod: check HTTPS_PROXY, NO_PROXY and proxy-url'

/** Throws what a part's status says, where it is not 200; reads no more of its body than a message needs. */
export async function refuseBadStatus(subject: Subject): Promise<void> {
  if (subject.part.status === 200) return
  throw explainRefusal(subject, await readBeginning(subject.part.body))
}

/** Why a part is no answer to what was asked, from its status and the beginning of its text. */
export function explainRefusal(subject: Subject, text: string): ProbeError {
  const {status} = subject.part
  const code = refusalCode(status, text)
  const line = firstLine(statusMessage(text) ?? text)
  const said = line === '' ? 'no text' : line
  const reason = status === 200 ? `answered with ${said}` : `HTTP ${status}, ${said}`
  return contentError(subject, code, reason, code === 'proxy-in-between' ? PROXY_HINT : undefined)
}

function refusalCode(status: number, text: string): FailureCode {
  if (isHtml(text)) return 'proxy-in-between'
  const known = KNOWN_TEXTS.find(({pattern}) => pattern.test(text))
  if (known !== undefined) return known.code
  if (status === 200) return 'bad-payload'
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'path-unknown'
  if (status === 400 || status === 405) return 'bad-request'
  return 'http-status'
}

/** The words of a Kubernetes Status. */
function statusMessage(text: string): string | undefined {
  const message = /^\s*\{[^]*?"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  return message?.replaceAll(/\\(["\\/])/g, '$1')
}
