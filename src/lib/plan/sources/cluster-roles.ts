import type {Observation} from '../../domain/observation.ts'
import type {RoleBinding} from '../../domain/roles-seen.ts'
import {podKey} from '../../domain/pod.ts'
import {bindsAccount} from '../../domain/service-account.ts'
import type {Asked, Later} from '../source-spec.ts'

/** Bindings a page, and pages: past that, a cluster has more of them than pods. */
const PAGE_SIZE = 1000
const MAX_PAGES = 4

const GROUP = '/apis/rbac.authorization.k8s.io/v1'

/** The first page of what ClusterRoles are bound to whom; all pods of a cluster share it. */
export const BINDINGS_PATH = `${GROUP}/clusterrolebindings?limit=${PAGE_SIZE}`

/**
 * The roles that the last page gives to this pod's service account, and the page after it; `round` is counted from 1.
 * All pods of one account need the same ones, and share them.
 */
export function rolesOf({pod}: Asked, seen: readonly Observation[], round: number): Later {
  const pages = seen.filter((one) => one.type === 'role-bindings')
  const last = pages[round - 1]
  // A page that could not be had is not asked for again.
  if (last === undefined || pages.length > round) return {asks: []}
  const before = new Set(pages.slice(0, round - 1).flatMap(({bindings}) => rolesBound(bindings)))
  const paths = rolesBound(last.bindings)
    .filter((role) => !before.has(role))
    .map((role) => `${GROUP}/clusterroles/${encodeURIComponent(role)}`)
  const asks = paths.map((path) => [{type: 'api', path}] as const)
  if (last.next === undefined) return {asks}
  if (round < MAX_PAGES) {
    const path = `${BINDINGS_PATH}&continue=${encodeURIComponent(last.next)}`
    return {asks: [...asks, [{type: 'api', path}]]}
  }
  const message = `Cannot read all ClusterRoleBindings for ${podKey(pod)}: there are more than ${PAGE_SIZE * MAX_PAGES}`
  const hint = 'What was read counts; --no-source cluster-rbac does without'
  return {asks, failure: {code: 'too-large', message, hint}}

  function rolesBound(bindings: readonly RoleBinding[]): readonly string[] {
    return [...new Set(bindings.filter((one) => bindsAccount(one, pod)).map(({role}) => role))]
  }
}
