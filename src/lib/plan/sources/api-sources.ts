import {isOfAgent, isOfCheck, MIB, type SourceSpec} from '../source-spec.ts'
import {BINDINGS_PATH, rolesOf} from './cluster-roles.ts'
import {certificateLists, secretObjects} from './credential-objects.ts'
import {trustBundle} from './trust-bundle.ts'

/** What objects of the Kubernetes API say. */
export const API_SOURCES = {
  'published-root': {
    sides: ['agent'],
    maxBytes: 4 * MIB,
    asked: 'always',
    reach: 'api',
    wanted: (purpose) => purpose !== 'list',
    suits: ({agent, profile}) => agent.trustSource === profile.trust.default,
    forms: ({pod}) => [
      {type: 'api', path: `/api/v1/namespaces/${encodeURIComponent(pod.namespace)}/configmaps/istio-ca-root-cert`},
    ],
    later: (_asked, seen, round) => trustBundle(seen, round),
    rights: [
      {
        verb: 'get',
        resource: 'configmaps',
        resourceName: 'istio-ca-root-cert',
        opens: 'reads the published roots, which are public',
      },
      {
        verb: 'get',
        group: 'certificates.k8s.io',
        resource: 'clustertrustbundles',
        resourceName: 'istio.io:istiod-ca:root-cert',
        opens: 'reads the published roots, which are public',
        isForSome: true,
      },
    ],
  },
  'cert-manager': {
    sides: ['agent'],
    maxBytes: 64 * MIB,
    asked: 'sometimes',
    reach: 'api',
    wanted: isOfAgent,
    later: certificateLists,
    rights: [
      {
        verb: 'list',
        group: 'cert-manager.io',
        resource: 'certificates',
        opens: 'reads what certificates are ordered, for which names and until when; no key',
      },
    ],
  },
  'kubernetes-secret': {
    sides: ['agent'],
    // More than the API server takes as one object.
    maxBytes: 4 * MIB,
    asked: 'named',
    optedIn: ({kubernetesSecrets = false}) => kubernetesSecrets,
    reach: 'api',
    later: secretObjects,
    rights: [{verb: 'get', resource: 'secrets', opens: 'reads whole Secrets, private keys included'}],
  },
  'cluster-rbac': {
    sides: ['agent'],
    maxBytes: 64 * MIB,
    asked: 'sometimes',
    reach: 'api',
    wanted: isOfCheck,
    forms: () => [{type: 'api', path: BINDINGS_PATH}],
    later: rolesOf,
    rights: [
      {
        verb: 'list',
        group: 'rbac.authorization.k8s.io',
        resource: 'clusterrolebindings',
        opens: 'reads who has which rights in the whole cluster',
      },
      {
        verb: 'get',
        group: 'rbac.authorization.k8s.io',
        resource: 'clusterroles',
        opens: 'reads what a role of the whole cluster allows',
      },
    ],
  },
} as const satisfies Record<string, SourceSpec>
