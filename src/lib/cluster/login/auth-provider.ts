import type {RequestOptions} from 'node:https'
import {KubeConfig} from '@kubernetes/client-node'
import {ProbeError} from '../../domain/failure.ts'
import {errorLine} from '../error-text.ts'
import type {UserEntry} from './kubeconfig-entries.ts'
import {maskSecrets} from './mask-secrets.ts'
import {fieldsOf, textOf} from '../narrow.ts'

/** Gives the bearer token of a kubeconfig's `auth-provider`; each call refreshes it where it has expired. */
export type TokenProvider = () => Promise<string>

/**
 * Logs in through a kubeconfig's `auth-provider` (`oidc`, and the retired `gcp` and `azure`), which only the
 * Kubernetes client knows how to refresh. Loaded lazily: that client is large, and few kubeconfigs need it.
 * The provider throws ProbeError (`unauthorized`).
 */
export function openAuthProvider(user: UserEntry): TokenProvider {
  const name = textOf(fieldsOf(user.authProvider)['name']) ?? 'without a name'
  const config = new KubeConfig()
  config.loadFromOptions({
    clusters: [{name: 'cluster', server: 'https://localhost', skipTLSVerify: false}],
    users: [{name: 'user', authProvider: structuredClone(user.authProvider)}],
    contexts: [{name: 'context', cluster: 'cluster', user: 'user'}],
    currentContext: 'context',
  })
  return async () => {
    const request: RequestOptions = {}
    try {
      await config.applyToHTTPSOptions(request)
    } catch (error) {
      const why = maskSecrets(errorLine(error))
      throw refused(name, why, error)
    }
    const token = /^Bearer (\S+)$/.exec(textOf(fieldsOf(request.headers)['Authorization']) ?? '')?.[1]
    if (token === undefined) throw refused(name, 'it has no token, or an expired one that it cannot refresh')
    return token
  }
}

function refused(name: string, why: string, cause?: unknown): ProbeError {
  const message = `Cannot log in with the auth provider ${name}: ${why}`
  return new ProbeError(
    {stage: 'dial', code: 'unauthorized', message, hint: 'Log in again with your identity provider'},
    {cause},
  )
}
