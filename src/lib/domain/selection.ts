/** One TARGET: a pod, or an owner all of whose pods are meant. */
export interface Target {
  /** As typed, for messages. */
  readonly text: string
  /** Lower-case plural of the API resource (`pods`, `deployments`, …). */
  readonly resource: string
  readonly name: string
  /** From istioctl's `name.namespace`, once it is known that no pod of the whole name exists; else absent. */
  readonly namespace?: string
}

/** Which pods. Filters are joined by AND; several values of one filter by OR. */
export interface Selection {
  readonly targets: readonly Target[]
  /** Names, or `all`. Empty: the context's own namespace. */
  readonly namespaces: readonly string[] | 'all'
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly nodes: readonly string[]
  readonly revision?: string
  readonly kinds: readonly string[]
  readonly container?: string
  /** Matched anywhere in the pod's name. */
  readonly match?: RegExp
}
