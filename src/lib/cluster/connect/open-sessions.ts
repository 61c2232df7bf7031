import {readFileSync} from 'node:fs'
import {chooseProxy} from './choose-proxy.ts'
import type {ConnectionDeps, ConnectionOptions} from '../login/connection-options.ts'
import {cacheCredential, type CredentialCache} from '../login/credential-cache.ts'
import {findCredentialSource} from '../login/credential.ts'
import {loadKubeconfig} from '../login/kubeconfig.ts'
import {resolveLogins, type Login} from '../login/login.ts'
import {present} from '../narrow.ts'
import {openSession} from './open-session.ts'
import type {KubeSession} from './session.ts'

/** A login that is shared by all sessions of one user, and ends with the last of them. */
interface SharedLogin {
  readonly cache: CredentialCache
  users: number
}

/**
 * Opens a session for each chosen context, in the order given, each context once. Nothing is dialled yet; users that
 * several contexts share log in once. Throws RunError: exit 4 where there is no cluster, no such context, or a
 * kubeconfig that cannot be used; exit 2 for flags that contradict each other.
 */
export async function openSessions(options: ConnectionOptions, deps: ConnectionDeps): Promise<readonly KubeSession[]> {
  const logins = resolveLogins(loadKubeconfig(options), options, deps)
  const shared = new Map<string, SharedLogin>()
  return logins.map((login) => {
    const key = loginKey(login)
    const own = shared.get(key) ?? {
      cache: cacheCredential(
        findCredentialSource(login, () => describeCluster(login, options), options, deps),
        deps.now,
      ),
      users: 0,
    }
    shared.set(key, own)
    own.users += 1
    return closeLast(openSession(login, own.cache, options, deps), own)
  })
}

function closeLast(session: KubeSession, own: SharedLogin): KubeSession {
  return {
    ...session,
    async [Symbol.asyncDispose]() {
      own.users -= 1
      if (own.users === 0) own.cache.close()
      await session[Symbol.asyncDispose]()
    },
  }
}

function loginKey(login: Login): string {
  const isPerCluster = login.user.exec?.provideClusterInfo === true
  return JSON.stringify([login.userName ?? null, login.server.protocol, isPerCluster ? login.server.href : ''])
}

/** What a login program is told of the cluster where it asked for it (`ExecCredential.spec.cluster`). */
function describeCluster(login: Login, options: ConnectionOptions): Record<string, unknown> {
  const {cluster, server} = login
  return {
    server: server.href.replace(/\/$/, ''),
    ...present('tls-server-name', cluster.tlsServerName),
    ...(cluster.skipTlsVerify ? {'insecure-skip-tls-verify': true} : {}),
    ...present(
      'certificate-authority-data',
      cluster.caData ?? (cluster.caFile && readFileSync(cluster.caFile, 'base64')),
    ),
    ...present('proxy-url', cluster.proxyUrl ?? chooseProxy(server, options.env)?.href),
    ...present('config', cluster.execConfig),
  }
}
