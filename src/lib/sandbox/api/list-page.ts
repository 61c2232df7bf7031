import {type LabelRequirement, matchesLabels, parseLabelSelector} from '../../domain/label-selector.ts'
import type {StoredObject, World} from '../world.ts'
import {storeKey} from '../world.ts'
import {expiredToken, readContinueToken, writeContinueToken} from './continue-token.ts'
import {parseFieldSelector} from './field-selector.ts'
import type {ResourceType} from './resource-types.ts'
import {badRequest, StatusError} from './status.ts'
import type {Switches} from './switches.ts'

/** A page of a list, before it is written out. */
export interface ListPage {
  readonly objects: readonly StoredObject[]
  readonly revision: number
  readonly continueToken?: string
  readonly remaining?: number
}

/** Cuts the page that a list request asks for. Throws StatusError 400 or 410. */
export function cutPage(
  world: World,
  type: ResourceType,
  namespace: string,
  query: URLSearchParams,
  switches: Switches,
  nowMs: number,
): ListPage {
  const labelSelector = query.get('labelSelector') ?? ''
  const fieldSelector = query.get('fieldSelector') ?? ''
  const hasSelector = labelSelector !== '' || fieldSelector !== ''
  const requirements = readLabelSelector(labelSelector)
  const matchesFields = parseFieldSelector(fieldSelector, type)
  const limit = Number(query.get('limit') ?? 0)
  const text = query.get('continue') ?? ''
  const token = text === '' ? undefined : readContinueToken(text)
  const after = token?.after
  if (token !== undefined && token.revision !== -1 && isExpired(token.issuedMs, switches, nowMs)) {
    const fresh = switches.freshTokens
      ? writeContinueToken({revision: -1, after: token.after, issuedMs: nowMs})
      : undefined
    throw new StatusError(expiredToken(fresh))
  }
  const rest = world
    .list(type)
    .filter(
      (object) =>
        (namespace === '' || object.namespace === namespace) &&
        (after === undefined || storeKey(object.namespace, object.name) > after) &&
        matchesLabels(object.labels, requirements) &&
        matchesFields(object),
    )
  const revision = token === undefined || token.revision === -1 ? world.revision : token.revision
  if (limit <= 0 || rest.length <= limit) return {objects: rest, revision}
  const objects = rest.slice(0, limit)
  const last = objects.at(-1)
  if (last === undefined) return {objects, revision}
  const next = {revision, after: storeKey(last.namespace, last.name), issuedMs: token?.issuedMs ?? nowMs}
  return {
    objects,
    revision,
    continueToken: writeContinueToken(next),
    // With a selector the server does not know how many of the rest will match, and says nothing.
    ...(hasSelector ? {} : {remaining: rest.length - limit}),
  }
}

/** Whether a token is too old; uses up one of the expiries that were switched. */
function isExpired(issuedMs: number, switches: Switches, nowMs: number): boolean {
  if (switches.expireNext > 0) {
    switches.expireNext -= 1
    return true
  }
  return nowMs - issuedMs > switches.tokenLifetimeMs
}

function readLabelSelector(text: string): readonly LabelRequirement[] {
  const selector = parseLabelSelector(text)
  if ('requirements' in selector) return selector.requirements
  const message = `unable to parse requirement: found '${selector.unreadable}', expected: ',' or 'end of string'`
  throw new StatusError(badRequest(message))
}
