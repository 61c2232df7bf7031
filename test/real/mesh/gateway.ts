/** What a gateway needs for TLS beside its Secret: the right to read it, and a Gateway that names it. */
export function gatewayObjects(): readonly object[] {
  const namespace = 'shop'
  return [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: {name: 'gateway-secrets', namespace},
      rules: [{apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch']}],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: {name: 'gateway-secrets', namespace},
      roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'gateway-secrets'},
      subjects: [{kind: 'ServiceAccount', name: 'ingress', namespace}],
    },
    gateway('shop', 'ingress', [
      server('https', 8443, 'shop-cert', '*'),
      server('missing', 9443, 'not-there', 'missing.example'),
    ]),
  ]
}

/** A Gateway for the pods that are labelled with `istio`. */
export function gateway(name: string, istio: string, servers: readonly object[]): object {
  const metadata = {name, namespace: 'shop'}
  return {apiVersion: 'networking.istio.io/v1', kind: 'Gateway', metadata, spec: {selector: {istio}, servers}}
}

/** A server of a Gateway, with the certificate of a Secret. */
export function server(name: string, number: number, credentialName: string, host: string): object {
  return {port: {number, name, protocol: 'HTTPS'}, tls: {mode: 'SIMPLE', credentialName}, hosts: [host]}
}
