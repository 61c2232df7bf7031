/** What each user that a token names may do in `shop`; `nobody` may do nothing. */
const RIGHTS: Readonly<Record<string, readonly object[]>> = {
  lister: [rule('pods', 'list')],
  getter: [rule('pods', 'list', 'get'), rule('pods/portforward', 'get')],
  creator: [rule('pods', 'list', 'get'), rule('pods/portforward', 'create')],
  forwarder: [rule('pods', 'list', 'get'), rule('pods/portforward', 'get', 'create')],
  proxier: [rule('pods', 'list', 'get'), rule('pods/proxy', 'get')],
  execGetter: [rule('pods', 'list', 'get'), rule('pods/exec', 'get')],
  execCreator: [rule('pods', 'list', 'get'), rule('pods/exec', 'create')],
  executor: [rule('pods', 'list', 'get'), rule('pods/exec', 'get', 'create')],
  reader: [rule('pods', 'list', 'get'), rule('pods/portforward', 'get', 'create'), rule('configmaps', 'get')],
}

/** The Roles of the users in `shop`. */
export function userRoles(): readonly object[] {
  const namespace = 'shop'
  return Object.entries(RIGHTS).flatMap(([name, rules]) => [
    {apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: {name, namespace}, rules},
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: {name, namespace},
      roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name},
      subjects: [{kind: 'User', name, apiGroup: 'rbac.authorization.k8s.io'}],
    },
  ])
}

function rule(resource: string, ...verbs: readonly string[]): object {
  return {apiGroups: [''], resources: [resource], verbs}
}
