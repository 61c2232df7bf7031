import type {Spoken} from './spoken.ts'

/** A ClusterRole, and to whom a ClusterRoleBinding gives it. */
export interface RoleBinding {
  readonly name: string
  readonly role: string
  /** Service accounts as `namespace/name`. */
  readonly accounts: readonly string[]
  readonly groups: readonly string[]
}

/** A page of the ClusterRoleBindings, those to users alone left out. */
export interface RoleBindingsSeen {
  readonly type: 'role-bindings'
  readonly by: Spoken
  readonly bindings: readonly RoleBinding[]
  /** The server's token for the next page; absent at the end. */
  readonly next?: string
}

/** One rule of a role: these verbs, on these resources or paths. */
export interface PolicyRule {
  readonly verbs: readonly string[]
  /** API groups; `''` is the core group. */
  readonly groups: readonly string[]
  readonly resources: readonly string[]
  /** Whether it is about single objects by their names alone. */
  readonly isOfNamed: boolean
  /** Paths that are no resources. */
  readonly paths: readonly string[]
}

/** What a ClusterRole allows. */
export interface ClusterRoleSeen {
  readonly type: 'cluster-role'
  readonly by: Spoken
  readonly name: string
  readonly rules: readonly PolicyRule[]
}
