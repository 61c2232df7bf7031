import {existsSync, readFileSync} from 'node:fs'
import path from 'node:path'
import type {ConnectionDeps, ConnectionOptions} from './connection-options.ts'
import type {ClusterEntry, UserEntry} from './kubeconfig-entries.ts'
import {textOf} from '../narrow.ts'

const SERVICE_ACCOUNT_DIR = '/var/run/secrets/kubernetes.io/serviceaccount'

/** What a pod finds of its own cluster and user. */
export interface ServiceAccount {
  readonly cluster: ClusterEntry
  readonly user: UserEntry
  readonly namespace: string
}

/**
 * The service account of the pod that this runs in (client-go `rest.InClusterConfig`); `undefined` outside of one.
 * The token stays in its file, which Kubernetes renews.
 */
export function readServiceAccount(options: ConnectionOptions, deps: ConnectionDeps): ServiceAccount | undefined {
  const host = textOf(options.env['KUBERNETES_SERVICE_HOST'])
  const port = textOf(options.env['KUBERNETES_SERVICE_PORT'])
  const folder = deps.serviceAccountDir ?? SERVICE_ACCOUNT_DIR
  const tokenFile = path.join(folder, 'token')
  if (host === undefined || port === undefined || !existsSync(tokenFile)) return undefined
  const caFile = path.join(folder, 'ca.crt')
  const namespaceFile = path.join(folder, 'namespace')
  return {
    cluster: {
      server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      skipTlsVerify: false,
      ...(existsSync(caFile) ? {caFile} : {}),
    },
    user: {asGroups: [], asExtra: {}, tokenFile},
    namespace: (existsSync(namespaceFile) && textOf(readFileSync(namespaceFile, 'utf8').trim())) || 'default',
  }
}
