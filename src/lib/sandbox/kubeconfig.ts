/** Who a kubeconfig logs in as: by token, or by client certificate. */
export type Login = {readonly token: string} | {readonly certificatePem: string; readonly keyPem: string}

/**
 * A kubeconfig with one context, `sandbox`. JSON strings are YAML, so the values need no further quoting.
 * `namespace` is the context's own; `default` if absent.
 */
export function writeKubeconfig(url: string, caPem: string, login: Login, namespace?: string): string {
  const credentials =
    'token' in login
      ? `    token: ${JSON.stringify(login.token)}\n`
      : `    client-certificate-data: ${base64(login.certificatePem)}\n    client-key-data: ${base64(login.keyPem)}\n`
  return `apiVersion: v1
kind: Config
current-context: sandbox
clusters:
- name: sandbox
  cluster:
    server: ${JSON.stringify(url)}
    certificate-authority-data: ${base64(caPem)}
contexts:
- name: sandbox
  context:
    cluster: sandbox
    user: sandbox
${namespace === undefined ? '' : `    namespace: ${JSON.stringify(namespace)}\n`}users:
- name: sandbox
  user:
${credentials}`
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
