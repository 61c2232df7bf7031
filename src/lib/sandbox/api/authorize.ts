import {StatusError} from './status.ts'
import type {StatusBody} from './status.ts'
import type {PolicyRule, SandboxUser} from './users.ts'

/** What a request does to what. */
export interface Attributes {
  readonly verb: string
  readonly group: string
  /** `pods`, `pods/exec`. */
  readonly resource: string
  /** Empty for the whole cluster. */
  readonly namespace: string
  readonly name: string
}

/** Whether the user's rules allow it. */
export function isAllowed(user: SandboxUser, attributes: Attributes): boolean {
  return user.rules.some((rule) => allows(rule, attributes))
}

/** Throws the Status that RBAC gives where it is not allowed. */
export function authorize(user: SandboxUser, attributes: Attributes): void {
  if (!isAllowed(user, attributes)) throw new StatusError(forbidden(user, attributes))
}

/** The text is apiserver's (`pkg/endpoints/handlers/responsewriters/errors.go`, `forbiddenMessage`). */
function forbidden(user: SandboxUser, attributes: Attributes): StatusBody {
  const {verb, group, resource, namespace, name} = attributes
  const plural = resource.split('/')[0] ?? resource
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`
  const what = `User "${user.name}" cannot ${verb} resource "${resource}" in API group "${group}" ${scope}`
  return {
    code: 403,
    reason: 'Forbidden',
    message: `${qualify(group, plural)}${name === '' ? '' : ` "${name}"`} is forbidden: ${what}`,
    details: {...(name === '' ? {} : {name}), ...(group === '' ? {} : {group}), kind: plural},
  }
}

/** Servers since 1.35 ask for `create` beside `get` on a WebSocket, and give no reason (kubernetes #134577). */
export function forbiddenWithoutReason(attributes: Attributes): StatusBody {
  return {
    code: 403,
    reason: 'Forbidden',
    message: `pods "${attributes.name}" is forbidden: `,
    details: {name: attributes.name, kind: 'pods'},
  }
}

function qualify(group: string, plural: string): string {
  return group === '' ? plural : `${plural}.${group}`
}

function allows(rule: PolicyRule, {verb, group, resource, namespace, name}: Attributes): boolean {
  return (
    covers(rule.verbs, verb) &&
    covers(rule.groups, group) &&
    covers(rule.resources, resource) &&
    (rule.names === undefined || rule.names.includes(name)) &&
    (rule.namespaces === undefined || rule.namespaces.includes(namespace))
  )
}

function covers(values: readonly string[], value: string): boolean {
  return values.includes('*') || values.includes(value)
}
