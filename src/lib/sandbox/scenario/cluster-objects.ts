import type {IssuedCertificate} from '../pki/certificate-authority.ts'
import {resourceTypes} from '../api/resource-types.ts'
import {bundle} from './mesh.ts'
import type {Mesh} from './mesh.ts'
import {rfc3339, uidOf} from './object-values.ts'
import type {OwnerReference} from './pod-manifest.ts'

/** Puts the objects around the pods into the cluster: nodes, namespaces, owners, services. */
export interface ClusterObjects {
  node(name: string, address: string): {readonly name: string; readonly address: string}
  /** A namespace with the mesh's published roots in it. */
  namespace(name: string, roots: readonly IssuedCertificate[], labels?: Readonly<Record<string, string>>): void
  serviceAccount(namespace: string, name: string): void
  /** A Deployment with one ReplicaSet, and a Service before it; the ReplicaSet is the pods' owner. */
  deployment(namespace: string, name: string, hash: string, replicas: number): OwnerReference
  statefulSet(namespace: string, name: string, replicas: number): OwnerReference
  daemonSet(
    namespace: string,
    name: string,
    desired: number,
    labels: Readonly<Record<string, string>>,
    ready?: number,
  ): OwnerReference
  job(namespace: string, name: string): OwnerReference
}

export function clusterObjects({world, startedMs}: Mesh): ClusterObjects {
  const created = rfc3339(startedMs - 7 * 86_400_000)
  const metadata = (kind: string, namespace: string, name: string, labels: Readonly<Record<string, string>>) => ({
    name,
    ...(namespace === '' ? {} : {namespace}),
    uid: uidOf(kind, namespace, name),
    resourceVersion: '900',
    creationTimestamp: created,
    labels,
  })
  const service = (namespace: string, name: string): void => {
    world.putManifest(resourceTypes.services, {
      metadata: metadata('Service', namespace, name, {app: name}),
      spec: {
        type: 'ClusterIP',
        clusterIP: '10.96.0.10',
        selector: {app: name},
        ports: [{name: 'http', port: 80, targetPort: 8080, protocol: 'TCP'}],
      },
      status: {loadBalancer: {}},
    })
  }
  return {
    node(name, address) {
      world.putManifest(resourceTypes.nodes, {
        metadata: metadata('Node', '', name, {'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux'}),
        spec: {},
        status: {
          addresses: [
            {type: 'InternalIP', address},
            {type: 'Hostname', address: name},
          ],
          conditions: [{type: 'Ready', status: 'True', reason: 'KubeletReady'}],
          nodeInfo: {kubeletVersion: 'v1.35.0', operatingSystem: 'linux', architecture: 'amd64'},
        },
      })
      return {name, address}
    },
    namespace(name, roots, labels = {}) {
      world.putManifest(resourceTypes.namespaces, {
        metadata: metadata('Namespace', '', name, {'kubernetes.io/metadata.name': name, ...labels}),
        spec: {finalizers: ['kubernetes']},
        status: {phase: 'Active'},
      })
      world.putManifest(resourceTypes.configmaps, {
        metadata: metadata('ConfigMap', name, 'istio-ca-root-cert', {'istio.io/config': 'true'}),
        data: {'root-cert.pem': bundle(roots)},
      })
    },
    serviceAccount(namespace, name) {
      world.putManifest(resourceTypes.serviceaccounts, {metadata: metadata('ServiceAccount', namespace, name, {})})
    },
    deployment(namespace, name, hash, replicas) {
      const spec = {replicas, selector: {matchLabels: {app: name}}, template: {metadata: {labels: {app: name}}}}
      const status = {replicas, readyReplicas: replicas, availableReplicas: replicas, observedGeneration: 1}
      world.putManifest(resourceTypes.deployments, {
        metadata: metadata('Deployment', namespace, name, {app: name}),
        spec,
        status,
      })
      const setName = `${name}-${hash}`
      world.putManifest(resourceTypes.replicasets, {
        metadata: {
          ...metadata('ReplicaSet', namespace, setName, {app: name, 'pod-template-hash': hash}),
          ownerReferences: [{...owner('apps/v1', 'Deployment', namespace, name), controller: true}],
        },
        spec: {...spec, selector: {matchLabels: {app: name, 'pod-template-hash': hash}}},
        status,
      })
      service(namespace, name)
      return owner('apps/v1', 'ReplicaSet', namespace, setName)
    },
    statefulSet(namespace, name, replicas) {
      world.putManifest(resourceTypes.statefulsets, {
        metadata: metadata('StatefulSet', namespace, name, {app: name}),
        spec: {replicas, serviceName: name, selector: {matchLabels: {app: name}}},
        status: {replicas, readyReplicas: 0},
      })
      service(namespace, name)
      return owner('apps/v1', 'StatefulSet', namespace, name)
    },
    daemonSet(namespace, name, desired, labels, ready = desired) {
      world.putManifest(resourceTypes.daemonsets, {
        metadata: {...metadata('DaemonSet', namespace, name, labels), generation: 1},
        spec: {selector: {matchLabels: labels}},
        status: {
          desiredNumberScheduled: desired,
          numberReady: ready,
          currentNumberScheduled: desired,
          updatedNumberScheduled: desired,
          observedGeneration: 1,
          numberMisscheduled: 0,
        },
      })
      return owner('apps/v1', 'DaemonSet', namespace, name)
    },
    job(namespace, name) {
      world.putManifest(resourceTypes.jobs, {
        metadata: metadata('Job', namespace, name, {'batch.kubernetes.io/job-name': name}),
        spec: {
          completions: 1,
          parallelism: 1,
          selector: {matchLabels: {'batch.kubernetes.io/job-name': name}},
        },
        status: {succeeded: 1, conditions: [{type: 'Complete', status: 'True'}]},
      })
      return owner('batch/v1', 'Job', namespace, name)
    },
  }
}

function owner(apiVersion: string, kind: string, namespace: string, name: string): OwnerReference {
  return {apiVersion, kind, name, uid: uidOf(kind, namespace, name)}
}
