import path from 'node:path'
import {RunError} from '../../domain/failure.ts'
import type {ConnectionDeps, ConnectionOptions} from './connection-options.ts'
import type {ClusterEntry, ContextEntry, UserEntry} from './kubeconfig-entries.ts'
import type {Kubeconfig} from './kubeconfig.ts'
import {present, textOf} from '../narrow.ts'
import {readServiceAccount} from './service-account.ts'

/** One server and one user on it: a context of the kubeconfig with the flags laid over it. */
export interface Login {
  /** The context's name; the server's host where flags alone say it all. */
  readonly context: string
  readonly namespace: string
  readonly server: URL
  readonly cluster: ClusterEntry
  readonly user: UserEntry
  /** Users of one name log in once, however many contexts they are in; absent where a flag made the user. */
  readonly userName?: string
}

const NOBODY: UserEntry = {asGroups: [], asExtra: {}}

/**
 * Lays the flags over the contexts of a kubeconfig, by client-go's rules (`clientcmd.DirectClientConfig`); without
 * any kubeconfig, takes the pod's own service account. One login for each context, each context once.
 * Throws RunError: exit 4 where there is no cluster to ask, exit 2 for flags that contradict each other.
 */
export function resolveLogins(config: Kubeconfig, options: ConnectionOptions, deps: ConnectionDeps): readonly Login[] {
  checkFlags(options)
  const isEmpty = config.contexts.size === 0 && config.clusters.size === 0 && config.users.size === 0
  const inCluster = isEmpty && options.contexts.length === 0 ? readServiceAccount(options, deps) : undefined
  const names = options.contexts.length > 0 ? [...new Set(options.contexts)] : [config.currentContext]
  return names.map((name) => {
    const context = inCluster === undefined ? findContext(config, name, options) : {namespace: inCluster.namespace}
    const userName = options.user ?? context.user
    const cluster = overlayCluster(
      inCluster?.cluster ?? findCluster(config, options.cluster ?? context.cluster, options),
      options,
    )
    const server = parseServer(cluster, config, options)
    return {
      context: inCluster === undefined ? (name ?? server.host) : 'in-cluster',
      namespace: context.namespace ?? 'default',
      server,
      cluster,
      user: overlayUser(inCluster?.user ?? findUser(config, userName), options),
      ...present('userName', options.token === undefined ? userName : undefined),
    }
  })
}

function checkFlags(options: ConnectionOptions): void {
  if (options.contexts.length > 1 && options.server !== undefined) {
    throw new RunError(2, 'usage', 'Several --context and one --server contradict each other')
  }
  if (options.as === undefined && (options.asGroups.length > 0 || options.asUid !== undefined)) {
    throw new RunError(2, 'usage', 'Flags --as-group and --as-uid need --as: a group alone cannot be impersonated')
  }
  if (options.insecureSkipTlsVerify === true && options.certificateAuthority !== undefined) {
    throw new RunError(2, 'usage', 'Flags --certificate-authority and --insecure-skip-tls-verify contradict each other')
  }
}

function findContext(config: Kubeconfig, name: string | undefined, options: ConnectionOptions): ContextEntry {
  const known = [...config.contexts.keys()]
  if (name === undefined) {
    if (options.server !== undefined || options.cluster !== undefined) return {}
    if (known.length === 0) throw noCluster(config)
    throw new RunError(4, 'no-context', 'No context is chosen: the kubeconfig has no current-context', [
      `Choose one: --context ${known.slice(0, 10).join(' | ')}`,
    ])
  }
  const context = config.contexts.get(name)
  if (context !== undefined) return context
  if (known.length === 0) throw noCluster(config, name)
  throw new RunError(4, 'unknown-context', `Context ${name} does not exist in the kubeconfig`, [
    `Known contexts: ${known.slice(0, 20).join(', ')}${known.length > 20 ? ', …' : ''}`,
  ])
}

function noCluster(config: Kubeconfig, context?: string): RunError {
  const looked = [...config.missing, ...config.files]
  const where = looked.length === 0 ? '' : `: looked in ${looked.join(', ')}`
  const what =
    context === undefined
      ? 'No cluster is configured'
      : `Context ${context} does not exist, as no cluster is configured`
  return new RunError(4, 'no-cluster', `${what}${where}`, [
    'Name a kubeconfig with --kubeconfig or KUBECONFIG, or a server with --server',
  ])
}

function findCluster(config: Kubeconfig, name: string | undefined, options: ConnectionOptions): ClusterEntry {
  const cluster = name === undefined ? undefined : config.clusters.get(name)
  if (cluster !== undefined) return cluster
  if (name === undefined || (options.server !== undefined && options.cluster === undefined))
    return {skipTlsVerify: false}
  throw new RunError(4, 'unknown-cluster', `Cluster ${name} does not exist in the kubeconfig`, [
    `Known clusters: ${[...config.clusters.keys()].slice(0, 20).join(', ')}`,
  ])
}

function findUser(config: Kubeconfig, name: string | undefined): UserEntry {
  if (name === undefined) return NOBODY
  const user = config.users.get(name)
  if (user !== undefined) return user
  throw new RunError(4, 'unknown-user', `User ${name} does not exist in the kubeconfig`, [
    `Known users: ${[...config.users.keys()].slice(0, 20).join(', ')}`,
  ])
}

function overlayCluster(cluster: ClusterEntry, options: ConnectionOptions): ClusterEntry {
  const {caFile, caData, tlsServerName, ...rest} = cluster
  // A trust given by flag replaces all trust of the file; a server given by flag takes the file's server name away.
  const trustByFlag = options.certificateAuthority !== undefined || options.insecureSkipTlsVerify === true
  const nameByFlag = options.tlsServerName !== undefined || options.server !== undefined
  const trust = trustByFlag
    ? {
        ...present('caFile', options.certificateAuthority && path.resolve(options.cwd, options.certificateAuthority)),
        skipTlsVerify: options.insecureSkipTlsVerify === true,
      }
    : {...present('caFile', caFile), ...present('caData', caData)}
  return {
    ...rest,
    ...trust,
    ...present('server', options.server ?? cluster.server),
    ...present('tlsServerName', nameByFlag ? textOf(options.tlsServerName) : tlsServerName),
  }
}

function overlayUser(user: UserEntry, options: ConnectionOptions): UserEntry {
  const impersonated =
    options.as === undefined
      ? {}
      : {
          as: options.as,
          asGroups: options.asGroups.length > 0 ? options.asGroups : user.asGroups,
          ...present('asUid', options.asUid ?? user.asUid),
        }
  if (options.token === undefined) return {...user, ...impersonated}
  const {tokenFile: _file, exec: _exec, authProvider: _provider, username: _name, password: _password, ...rest} = user
  return {...rest, ...impersonated, token: options.token}
}

function parseServer(cluster: ClusterEntry, config: Kubeconfig, options: ConnectionOptions): URL {
  if (cluster.server === undefined) throw noCluster(config, options.contexts[0])
  const text = cluster.server.includes('://') ? cluster.server : defaultScheme(cluster, cluster.server)
  const server = URL.parse(text)
  if (server === null || !['http:', 'https:'].includes(server.protocol) || server.hostname === '') {
    throw new RunError(4, 'bad-server', `Server address ${withoutPassword(cluster.server)} is no http or https URL`)
  }
  return server
}

/** client-go (`rest.DefaultServerURL`) takes a bare `host:port` for https only where TLS is configured. */
function defaultScheme(cluster: ClusterEntry, address: string): string {
  const hasTls = cluster.skipTlsVerify || cluster.caFile !== undefined || cluster.caData !== undefined
  return `${hasTls ? 'https' : 'http'}://${address}`
}

function withoutPassword(address: string): string {
  return address.replace(/\/\/[^/@]*@/, '//')
}
