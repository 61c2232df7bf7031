import type {IncomingMessage, ServerResponse} from 'node:http'
import {setTimeout as sleep} from 'node:timers/promises'
import {count} from '../counters.ts'
import {reviewAccess, reviewRules} from './access-review.ts'
import {authenticate} from './authenticate.ts'
import {authorize} from './authorize.ts'
import {discover} from './discovery.ts'
import {cutPage} from './list-page.ts'
import {proxyToPod} from './pod-proxy.ts'
import {chooseRepresentation, writeObject, writePage} from './represent.ts'
import {readResourcePath} from './resource-path.ts'
import type {ResourcePath} from './resource-path.ts'
import type {ResourceType} from './resource-types.ts'
import {respond} from './respond.ts'
import type {ApiReply} from './respond.ts'
import type {ServerContext} from './server-context.ts'
import {badRequest, notFound, StatusError, statusText, unauthorized, unknownPath} from './status.ts'
import type {SandboxUser} from './users.ts'

/** Paths that anybody may read (ClusterRole `system:public-info-viewer`). */
const publicPaths = new Set(['/healthz', '/livez', '/readyz', '/version'])

/** Answers one HTTP request to the API server. */
export async function serveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): Promise<void> {
  const {switches, counters, nowMs} = context
  const url = new URL(request.url ?? '/', 'https://sandbox')
  if (switches.latencyMs > 0) await sleep(switches.latencyMs)
  let reply: ApiReply | undefined
  try {
    takeSwitches(context)
    reply = await answer(request, response, url, context)
  } catch (error) {
    // Who has gone gets no answer: reading the rest of their body fails.
    if (request.destroyed && !request.complete) return
    if (!(error instanceof StatusError)) throw error
    reply = replyOf(error)
  }
  if (reply !== undefined) await respond(request, response, reply, switches.warnings, nowMs(), counters)
}

/** The Status as an answer. */
export function replyOf({status}: StatusError): ApiReply {
  const retry = status.retryAfterSeconds === undefined ? {} : {'retry-after': String(status.retryAfterSeconds)}
  return {status: status.code, text: statusText(status), headers: retry}
}

/** What the switches say of this request. Throws StatusError for a request that they refuse. */
export function takeSwitches({switches}: ServerContext): void {
  if (switches.throttleNext > 0) {
    switches.throttleNext -= 1
    // Priority and fairness (apiserver `pkg/server/filters/priority-and-fairness.go`).
    throw new StatusError({
      code: 429,
      reason: 'TooManyRequests',
      message: 'Too many requests, please try again later.',
      details: {retryAfterSeconds: switches.retryAfterSeconds},
      retryAfterSeconds: switches.retryAfterSeconds,
    })
  }
  if (switches.rejectNext > 0) {
    switches.rejectNext -= 1
    throw new StatusError(unauthorized)
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  context: ServerContext,
): Promise<ApiReply | undefined> {
  const user = authenticate(request, context.tokens)
  const method = request.method ?? 'GET'
  const review = /^\/apis\/authorization\.k8s\.io\/v1\/(selfsubjectaccessreviews|selfsubjectrulesreviews)$/.exec(
    url.pathname,
  )?.[1]
  if (review !== undefined && method === 'POST') {
    count(context.counters.requests, `create ${review}`)
    requireLogin(user, method, url.pathname)
    const body = await readBody(request)
    const type = request.headers['content-type'] ?? ''
    const result =
      review === 'selfsubjectaccessreviews' ? reviewAccess(user, body, type) : reviewRules(user, body, type)
    return {status: 201, text: JSON.stringify(result)}
  }
  const path = readResourcePath(url.pathname)
  if (path !== undefined) return await serveResource(path, user, request, response, url, context)
  count(context.counters.requests, `${method.toLowerCase()} ${url.pathname}`)
  if (!publicPaths.has(url.pathname)) requireLogin(user, method, url.pathname)
  if (publicPaths.has(url.pathname) && url.pathname !== '/version') {
    return {status: 200, text: 'ok', headers: {'content-type': 'text/plain; charset=utf-8'}}
  }
  const found =
    method === 'GET' ? discover(url.pathname, request.headers.host ?? '', (type) => isServed(type, context)) : undefined
  if (found === undefined) throw new StatusError(unknownPath)
  return {status: 200, text: JSON.stringify(found)}
}

function requireLogin(user: SandboxUser, method: string, path: string): void {
  if (!user.groups.includes('system:unauthenticated')) return
  throw new StatusError({
    code: 403,
    reason: 'Forbidden',
    message: `forbidden: User "${user.name}" cannot ${method.toLowerCase()} path "${path}"`,
    details: {},
  })
}

const verbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

async function serveResource(
  path: ResourcePath,
  user: SandboxUser,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  context: ServerContext,
): Promise<ApiReply | undefined> {
  const {world, switches, counters, nowMs} = context
  const {type, namespace, name, subresource} = path
  const method = request.method ?? 'GET'
  const isWatch = ['1', 'true'].includes(url.searchParams.get('watch') ?? '')
  const verb = method === 'GET' && name === '' ? (isWatch ? 'watch' : 'list') : (verbs[method] ?? method.toLowerCase())
  const resource = subresource === '' ? type.plural : `${type.plural}/${subresource}`
  count(counters.requests, `${verb} ${resource}`)
  // The proxy's name has the port in it; RBAC sees the name alone.
  const objectName = subresource === 'proxy' ? name.replace(/^https?:/, '').replace(/:\d+$/, '') : name
  authorize(user, {verb, group: type.group, resource, namespace, name: objectName})
  await takeFault(resource, context)
  if (!isServed(type, context)) throw new StatusError(unknownPath)
  if (subresource === 'proxy' && type.plural === 'pods') {
    await proxyToPod(path, url.search, request, response, context)
    return undefined
  }
  if (['exec', 'portforward', 'attach'].includes(subresource)) {
    // SPDY, which WebSocket clients fall back to; a real server would upgrade.
    throw new StatusError(badRequest('Upgrade request required'))
  }
  if (subresource !== '') throw new StatusError(unknownPath)
  if (verb === 'watch') throw new StatusError(badRequest('the sandbox serves no watches'))
  if (method !== 'GET') {
    throw new StatusError({
      code: 405,
      reason: 'MethodNotAllowed',
      message: 'the server does not allow this method on the requested resource',
      details: {},
    })
  }
  const representation = chooseRepresentation(request.headers.accept ?? '')
  const include = url.searchParams.get('includeObject') ?? 'Metadata'
  if (name === '') {
    const page = cutPage(world, type, namespace, url.searchParams, switches, nowMs())
    const isCut = switches.cutNext > 0
    if (isCut) switches.cutNext -= 1
    return {status: 200, text: writePage(type, page, representation, include, nowMs()), isCut}
  }
  const object = world.get(type, namespace, name)
  if (object === undefined) throw new StatusError(notFound(type.group, type.plural, name))
  return {status: 200, text: writeObject(type, object, representation, include, nowMs())}
}

/** Whether the cluster has this type: an extension comes with its first object. */
function isServed(type: ResourceType, {world}: ServerContext): boolean {
  return type.isExtension !== true || world.list(type).length > 0
}

/** What is out of order with this resource alone. Throws StatusError. */
async function takeFault(resource: string, {switches}: ServerContext): Promise<void> {
  const fault = switches.resourceFaults.get(resource)
  if (fault === undefined) return
  if ('delayMs' in fault) await sleep(fault.delayMs)
  else
    throw new StatusError({
      code: fault.status,
      reason: 'InternalError',
      message: `etcdserver: ${resource} is out of order`,
    })
}

/** A review is a few hundred bytes; more is refused, as a server does at its own limit. */
const maxBodyBytes = 64 * 1024

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request) {
    if (!(chunk instanceof Uint8Array)) continue
    bytes += chunk.length
    if (bytes > maxBodyBytes) {
      throw new StatusError({code: 413, reason: 'RequestEntityTooLarge', message: 'limit of the request body exceeded'})
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
