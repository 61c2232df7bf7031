import type {RoleBinding} from './roles-seen.ts'
import type {Pod} from './pod.ts'

type AccountOf = Pick<Pod, 'namespace' | 'serviceAccount'>

/** The service account that a pod runs under, `namespace/name`. */
export function accountOf({namespace, serviceAccount = 'default'}: AccountOf): string {
  return `${namespace}/${serviceAccount}`
}

/** Whether a binding is to the account of a pod: by its name, or by a group that every such account is in. */
export function bindsAccount({accounts, groups}: Pick<RoleBinding, 'accounts' | 'groups'>, pod: AccountOf): boolean {
  const groupsOfAccount = ['system:authenticated', 'system:serviceaccounts', `system:serviceaccounts:${pod.namespace}`]
  return accounts.includes(accountOf(pod)) || groups.some((group) => groupsOfAccount.includes(group))
}
