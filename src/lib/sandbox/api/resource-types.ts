/** A type of object that the embedded API serves. */
export interface ResourceType {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly isNamespaced: boolean
  readonly shortNames: readonly string[]
  /** Of an extension: its API is there as soon as one of it is. */
  readonly isExtension?: true
}

function type(
  group: string,
  plural: string,
  kind: string,
  shortNames: readonly string[] = [],
  isNamespaced = true,
): ResourceType {
  return {group, version: 'v1', plural, singular: kind.toLowerCase(), kind, isNamespaced, shortNames}
}

/** Pods, what owns them, and what they refer to. */
export const resourceTypes = {
  configmaps: type('', 'configmaps', 'ConfigMap', ['cm']),
  namespaces: type('', 'namespaces', 'Namespace', ['ns'], false),
  nodes: type('', 'nodes', 'Node', ['no'], false),
  pods: type('', 'pods', 'Pod', ['po']),
  serviceaccounts: type('', 'serviceaccounts', 'ServiceAccount', ['sa']),
  services: type('', 'services', 'Service', ['svc']),
  daemonsets: type('apps', 'daemonsets', 'DaemonSet', ['ds']),
  deployments: type('apps', 'deployments', 'Deployment', ['deploy']),
  replicasets: type('apps', 'replicasets', 'ReplicaSet', ['rs']),
  statefulsets: type('apps', 'statefulsets', 'StatefulSet', ['sts']),
  jobs: type('batch', 'jobs', 'Job'),
  secrets: type('', 'secrets', 'Secret'),
  certificates: {...type('cert-manager.io', 'certificates', 'Certificate', ['cert', 'certs']), isExtension: true},
  clustertrustbundles: {
    ...type('certificates.k8s.io', 'clustertrustbundles', 'ClusterTrustBundle', [], false),
    // As Kubernetes 1.33 to 1.35 have it, where it is switched on.
    version: 'v1beta1',
    isExtension: true,
  },
  clusterroles: {...type('rbac.authorization.k8s.io', 'clusterroles', 'ClusterRole', [], false), isExtension: true},
  clusterrolebindings: {
    ...type('rbac.authorization.k8s.io', 'clusterrolebindings', 'ClusterRoleBinding', [], false),
    isExtension: true,
  },
} as const satisfies Record<string, ResourceType>

/** The type at an API path, or nothing. */
export function findResourceType(group: string, version: string, plural: string): ResourceType | undefined {
  return Object.values<ResourceType>(resourceTypes).find(
    (candidate) => candidate.group === group && candidate.version === version && candidate.plural === plural,
  )
}
