import {CA_SUFFIX, type Credential, parseCredential} from '../domain/credential.ts'
import type {CertificatePart, KubernetesSecretSeen} from '../domain/kubernetes-seen.ts'
import type {SecretItem} from '../domain/secret.ts'
import type {Evidence} from './evidence.ts'
import {clockOf, type Held} from './held.ts'

/** What the Secrets of Kubernetes tell of the secrets of one proxy, by their names there. */
export interface SecretsRead {
  readonly held: readonly Held[]
  /** Names of secrets whose Secret does not exist. */
  readonly lacking: ReadonlySet<string>
}

/** Makes of Secrets what istiod would make of them for one proxy. */
export function kubernetesSecrets(
  names: Iterable<string>,
  secrets: readonly KubernetesSecretSeen[],
  {pod, nowMs}: Evidence,
): SecretsRead {
  const held: Held[] = []
  const lacking = new Set<string>()
  for (const name of secrets.length === 0 ? [] : names) {
    const credential = parseCredential(name, pod.namespace)
    if (credential === undefined || credential.scheme === 'configmap') continue
    const secret = secretOf(credential, secrets)
    if (secret === undefined) continue
    if (secret.exists) {
      held.push({
        item: itemOf(name, credential, secret),
        by: secret.by,
        clockMs: clockOf(secret.by, nowMs),
        agentPod: pod.name,
      })
    } else lacking.add(name)
  }
  return {held, lacking}
}

/**
 * The Secret that istiod takes: for a `-cacert` the one of that name, and only where there is none, the one without
 * (istio `pilot/pkg/credentials/kube/secrets.go`, `GetCaCert`). Undefined where that is not known.
 */
function secretOf(
  {namespace, name, isCaOnly}: Credential,
  secrets: readonly KubernetesSecretSeen[],
): KubernetesSecretSeen | undefined {
  const called = (wanted: string): KubernetesSecretSeen | undefined =>
    secrets.find((secret) => secret.namespace === namespace && secret.name === wanted)
  const own = called(name)
  return isCaOnly && own?.exists === false ? called(name.slice(0, -CA_SUFFIX.length)) : own
}

function itemOf(
  name: string,
  {isCaOnly}: Credential,
  {namespace, name: object, ...parts}: KubernetesSecretSeen,
): SecretItem {
  const type = isCaOnly ? 'CA' : 'Cert Chain'
  const part = isCaOnly ? parts.roots : parts.chain
  return {name, type, ...(part ?? nothing(`Secret ${namespace}/${object} has no ${isCaOnly ? 'ca.crt' : 'tls.crt'}`))}
}

function nothing(message: string): CertificatePart {
  return {certificates: [], absent: {status: 'EMPTY', message}, keyFound: false, notes: []}
}
