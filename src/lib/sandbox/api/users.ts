/** An RBAC rule; `*` stands for all. */
export interface PolicyRule {
  readonly verbs: readonly string[]
  readonly groups: readonly string[]
  /** `pods`, `pods/exec`. */
  readonly resources: readonly string[]
  /** Only objects of these names; all if absent. */
  readonly names?: readonly string[]
  /** Bound by a RoleBinding in these namespaces only; everywhere if absent. */
  readonly namespaces?: readonly string[]
}

export interface SandboxUser {
  readonly name: string
  readonly groups: readonly string[]
  readonly rules: readonly PolicyRule[]
}

const reading = {
  verbs: ['get', 'list', 'watch'],
  groups: ['', 'apps', 'batch', 'cert-manager.io'],
  resources: [
    'certificates',
    'configmaps',
    'daemonsets',
    'deployments',
    'jobs',
    'namespaces',
    'nodes',
    'pods',
    'replicasets',
    'serviceaccounts',
    'services',
    'statefulsets',
  ],
} as const
const core = {groups: ['']} as const
const listPods = {...core, verbs: ['get', 'list'], resources: ['pods']} as const

/** Users by a short name, which is also their token's beginning. Each shows one way in which rights can be short. */
export const sandboxUsers = {
  /** May do all. */
  admin: {name: 'sandbox-admin', groups: ['system:masters'], rules: [{verbs: ['*'], groups: ['*'], resources: ['*']}]},
  /** What a reading program needs: lists, forwards, and no more. */
  reader: {
    name: 'reader',
    groups: [],
    rules: [reading, {...core, verbs: ['get', 'create'], resources: ['pods/portforward']}],
  },
  /** Sees all and may open nothing. */
  viewer: {name: 'viewer', groups: [], rules: [reading]},
  /** `get` on streams without `create`: enough for servers up to 1.34. */
  getter: {
    name: 'getter',
    groups: [],
    rules: [reading, {...core, verbs: ['get'], resources: ['pods/portforward', 'pods/exec']}],
  },
  /** `create` on streams without `get`: enough for SPDY, not for WebSocket. */
  creator: {
    name: 'creator',
    groups: [],
    rules: [reading, {...core, verbs: ['create'], resources: ['pods/portforward', 'pods/exec']}],
  },
  /** May exec, not forward. */
  execer: {
    name: 'execer',
    groups: [],
    rules: [reading, {...core, verbs: ['get', 'create'], resources: ['pods/exec']}],
  },
  /** May use the API server's proxy to pods, and neither forward nor exec. */
  proxier: {name: 'proxier', groups: [], rules: [reading, {...core, verbs: ['get'], resources: ['pods/proxy']}]},
  /** All of `shop`, nothing elsewhere. */
  shopkeeper: {
    name: 'shopkeeper',
    groups: [],
    rules: [{verbs: ['*'], groups: ['*'], resources: ['*'], namespaces: ['shop']}],
  },
  /** Lists everywhere, forwards in `shop` only. */
  partial: {
    name: 'partial',
    groups: [],
    rules: [listPods, {...core, verbs: ['get', 'create'], resources: ['pods/portforward'], namespaces: ['shop']}],
  },
  /** Is known and may do nothing. */
  nobody: {name: 'nobody', groups: [], rules: []},
} as const satisfies Record<string, SandboxUser>

export type SandboxUserName = keyof typeof sandboxUsers

/** Who sends no credentials. */
export const anonymous: SandboxUser = {name: 'system:anonymous', groups: ['system:unauthenticated'], rules: []}
