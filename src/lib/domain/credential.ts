/** The Kubernetes object that istiod makes a proxy's secret from, as the secret's name tells it. */
export interface Credential {
  readonly scheme: 'kubernetes' | 'kubernetes-gateway' | 'configmap'
  readonly namespace: string
  /** With `-cacert`, where the name has it. */
  readonly name: string
  /** Only the CA certificates of the object are meant (`…-cacert`). */
  readonly isCaOnly: boolean
}

/** What Istio adds to a credential's name for the CA that clients of a gateway are verified by. */
export const CA_SUFFIX = '-cacert'

const NAME = /^(kubernetes|kubernetes-gateway|configmap):\/\/(?:([^/]+)\/)?([^/]+)$/

/** A DNS subdomain, which names of these objects have to be: anything else is in no cluster, and in no path. */
const OBJECT_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/

/**
 * Reads `kubernetes://shop-cert`, `kubernetes-gateway://ns/name`, `configmap://ns/name`. A bare name is in the proxy's
 * own namespace (istio `pilot/pkg/model/credentials/resource.go`). Undefined for what names no object.
 */
export function parseCredential(secretName: string, proxyNamespace: string): Credential | undefined {
  const [, scheme, namespace = proxyNamespace, name] = NAME.exec(secretName) ?? []
  if (name === undefined || !isScheme(scheme)) return undefined
  if (!OBJECT_NAME.test(name) || !OBJECT_NAME.test(namespace)) return undefined
  return {scheme, namespace, name, isCaOnly: name.endsWith(CA_SUFFIX) && name !== CA_SUFFIX}
}

function isScheme(text: string | undefined): text is Credential['scheme'] {
  return text === 'kubernetes' || text === 'kubernetes-gateway' || text === 'configmap'
}
