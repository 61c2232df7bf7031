import {type Failure, ProbeError} from '../domain/failure.ts'
import {isWebPage, oneLine} from './foreign-text.ts'
import {explainImpersonation} from './impersonation-refusal.ts'
import {fieldsOf, present, textOf} from './narrow.ts'
import {type ApiSubject, readApiPath} from './pod-path.ts'
import {readStreamText} from './streams/stream-texts.ts'

/** How a server said no: to a WebSocket upgrade, or to a GET. */
export interface Refusal {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body, or its beginning. */
  readonly body: string
  /** Path and query that were asked. */
  readonly path: string
}

type Cause = Pick<Failure, 'code' | 'hint'> & {readonly says: string}

interface Said {
  readonly refusal: Refusal
  readonly subject: ApiSubject | undefined
  readonly webPage: boolean
  /** The body is a Status object: the API server itself speaks, or its kubelet through it. */
  readonly byApiServer: boolean
  /** The Status' message, or a plain body; one line. */
  readonly text: string
}

const IN_BETWEEN =
  'Something between here and the API server answers for it (a gateway, a login page, a proxy): check the server address and --via pod-proxy'
const NODE_GONE = 'Kubernetes removes the pods of a deleted node after a while: kubectl get nodes shows which there are'
const WEBSOCKET = 'A proxy in between may not pass WebSockets, or the container or port is wrong: try --via pod-proxy'

/** Works out why the API server, the kubelet behind it, or something in front of it refused a request. */
export function explainRefusal(refusal: Refusal): ProbeError {
  const said = read(refusal)
  const {code, says, hint} = explain(said)
  return new ProbeError({
    stage: 'dial',
    code,
    message: `Cannot ${attempt(said.subject, code, refusal.path)}: ${says}`,
    ...present('hint', hint),
  })
}

function read(refusal: Refusal): Said {
  const status = parseStatus(refusal.body)
  const type = refusal.headers['content-type']
  const subject = readApiPath(refusal.path)
  return {
    refusal,
    subject,
    webPage: isWebPage(typeof type === 'string' ? type : type?.[0], refusal.body),
    byApiServer: status !== undefined,
    // What is no Status may be the Secret itself, of which no field is a reason.
    text: oneLine(status?.message ?? (subject?.resource === 'secrets' ? '' : refusal.body)),
  }
}

function parseStatus(body: string): {readonly message: string} | undefined {
  if (!body.trimStart().startsWith('{')) return undefined
  try {
    const {kind, message} = fieldsOf(JSON.parse(body))
    return kind === 'Status' ? {message: textOf(message) ?? ''} : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function explain(said: Said): Cause {
  const {status, headers} = said.refusal
  if (said.webPage) {
    return {code: 'proxy-in-between', says: `${status} with a web page, not from the API server`, hint: IN_BETWEEN}
  }
  // RBAC's own sentence quotes names, which the texts below must not be looked for in.
  if (status === 403 && / is forbidden: /u.test(said.text)) return explainForbidden(said)
  const node = absentNode(said)
  if (node !== undefined) return {code: 'node-unreachable', says: `its node ${node} is gone`, hint: NODE_GONE}
  const known = readStreamText(said.text)
  if (known !== undefined && status >= 400 && status !== 401) return known
  if (status >= 300 && status < 400) {
    return {code: 'proxy-in-between', says: `${status}, a redirect to another address`, hint: IN_BETWEEN}
  }
  if (status >= 500) return explainUnavailable(said)
  switch (status) {
    case 401:
      return {
        code: 'unauthorized',
        says: 'the login has expired or is not accepted',
        hint: 'Log in again, then check with: kubectl auth whoami',
      }
    case 403:
      return explainForbidden(said)
    case 404:
      return explainAbsent(said)
    case 407:
      return {code: 'proxy-in-between', says: '407, the proxy wants a login', hint: IN_BETWEEN}
    case 429: {
      const after = headers['retry-after']
      return {
        code: 'throttled',
        says: `too many requests${typeof after === 'string' ? `, asked to wait ${oneLine(after)} s` : ''}`,
        hint: 'Ask fewer pods at once: --concurrency 4',
      }
    }
    default:
      return explainOther(said)
  }
}

/**
 * A pod outlives its node for a while. The API server then looks for the node, and tells of a pod by the node's name
 * (`pods "node-1" not found`, seen on 1.37).
 */
function absentNode({refusal, subject, byApiServer, text}: Said): string | undefined {
  if (refusal.status !== 404 || !byApiServer || !isStream(subject)) return undefined
  const name = /^pods "([^"]+)" not found$/u.exec(text)?.[1]
  return name === subject?.name ? undefined : name
}

function explainUnavailable(said: Said): Cause {
  const hint = 'The API server, or a server behind it, is not able to answer now: try again'
  return {code: 'api-unavailable', says: `${said.refusal.status}${reason(said)}`, hint}
}

function explainAbsent(said: Said): Cause {
  const {subject, text} = said
  if (text !== '' && !said.byApiServer && isStream(subject)) return explainOther(said)
  return subject?.resource === 'pods'
    ? {code: 'pod-gone', says: 'the pod is gone', hint: 'The pod may have been replaced: list the pods again'}
    : {code: 'not-found', says: 'not found'}
}

function explainOther(said: Said): Cause {
  const says = `refused with ${said.refusal.status}${reason(said)}`
  return isStream(said.subject) ? {code: 'upgrade-failed', says, hint: WEBSOCKET} : {code: 'bad-request', says}
}

function explainForbidden(said: Said): Cause {
  const {subject, text} = said
  const webhook = /admission webhook "([^"]+)" denied/u.exec(text)?.[1]
  if (webhook !== undefined) {
    return {code: 'forbidden', says: oneLine(text), hint: `The policy behind the webhook ${webhook} forbids it`}
  }
  const impersonation = explainImpersonation(text)
  if (impersonation !== undefined) return impersonation
  const user = /User "([^"]*)"/u.exec(text)?.[1]
  const {right, hint} = permission(subject)
  if (said.byApiServer || user !== undefined) {
    const who = user === undefined ? '' : ` for user ${user}`
    return {
      code: 'forbidden',
      says: `forbidden${who}${subject?.subresource === undefined ? '' : `, needs ${right}`}`,
      hint,
    }
  }
  return {
    code: 'forbidden',
    says: `403${reason(said)}`,
    hint: `${hint}; if it is there, a gateway in front of the API server refuses`,
  }
}

/** What the server gave as its reason; without one, what can be seen of the server. */
function reason({text, refusal}: Said): string {
  if (text !== '') return `: ${text}`
  const server = refusal.headers['server']
  return typeof server === 'string' ? ` without a reason (by ${oneLine(server)})` : ' without a reason'
}

function isStream(subject: ApiSubject | undefined): boolean {
  return subject?.subresource === 'portforward' || subject?.subresource === 'exec'
}

/**
 * An upgrade is a GET, and since Kubernetes 1.35 it needs `create` as well
 * (`AuthorizePodWebsocketUpgradeCreatePermission`).
 */
function permission(subject: ApiSubject | undefined): {readonly right: string; readonly hint: string} {
  const {group = '', resource = 'this path', subresource, namespace, name} = subject ?? {}
  const verbs = isStream(subject) ? ['get', 'create'] : [name === undefined ? 'list' : 'get']
  // Of groups outside Kubernetes' own, others may have a resource of the same name.
  const isForeign = group.includes('.') && !group.endsWith('.k8s.io')
  const qualified = isForeign ? `${resource}.${group}` : resource
  const full = subresource === undefined ? qualified : `${qualified}/${subresource}`
  const right = `${verbs.join(' and ')} on ${full}`
  const [where, flag] =
    namespace === undefined ? ['in the whole cluster', '-A'] : [`in namespace ${namespace}`, `-n ${namespace}`]
  const check = verbs.map((verb) => `kubectl auth can-i ${verb} ${full} ${flag}`).join(' && ')
  const instead = namespace === undefined && name === undefined ? 'Choose namespaces with -n, or a' : 'A'
  return {right, hint: `${instead}sk for ${right} ${where}; check with: ${check}`}
}

/** What was tried. RBAC speaks of a namespace, all else of one pod. */
function attempt(subject: ApiSubject | undefined, code: Failure['code'], path: string): string {
  if (subject === undefined) return `get ${path.split('?')[0]}`
  const {namespace, resource, name, subresource} = subject
  const inNamespace = namespace === undefined ? 'the whole cluster' : namespace
  const object = code === 'forbidden' || name === undefined ? `pods in ${inNamespace}` : `${inNamespace}/${name}`
  if (resource === 'pods') {
    if (subresource === 'portforward') return `forward ports of ${object}`
    if (subresource === 'exec') return `run a command in ${object}`
    if (subresource === 'proxy') return `use the pod proxy to ${object}`
  }
  return name === undefined ? `list ${resource} in ${inNamespace}` : `get ${resource}/${name} in ${inNamespace}`
}
