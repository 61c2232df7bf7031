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

/** Whether it leaves out pods that a reader of all of them would see; `everywhere`: no namespace means all. */
export function leavesOut(selection: Selection, everywhere: boolean): boolean {
  const {targets, namespaces, labelSelector, fieldSelector, nodes, revision, kinds, container, match} = selection
  const isOfAll = namespaces === 'all' || (everywhere && namespaces.length === 0)
  const filters = [labelSelector, fieldSelector, revision, container, match]
  return !isOfAll || [targets, nodes, kinds].some(({length}) => length > 0) || filters.some((one) => one !== undefined)
}
