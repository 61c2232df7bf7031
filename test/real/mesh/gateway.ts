import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {runCommand} from '../run-command.ts'

/** What a gateway needs for TLS: a Secret with a certificate, the right to read it, and a Gateway that names it. */
export async function gatewayObjects(): Promise<readonly object[]> {
  const namespace = 'shop'
  return [
    await certificateSecret(),
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
    {
      apiVersion: 'networking.istio.io/v1',
      kind: 'Gateway',
      metadata: {name: 'shop', namespace},
      spec: {
        selector: {istio: 'ingress'},
        servers: [server('https', 8443, 'shop-cert', '*'), server('missing', 9443, 'not-there', 'missing.example')],
      },
    },
  ]
}

function server(name: string, number: number, credentialName: string, host: string): object {
  return {port: {number, name, protocol: 'HTTPS'}, tls: {mode: 'SIMPLE', credentialName}, hosts: [host]}
}

/** The Secret `shop-cert` with a fresh certificate. */
async function certificateSecret(): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), 'real-certificate-'))
  try {
    const [key, certificate] = [join(folder, 'key'), join(folder, 'certificate')]
    const subject = [
      '-subj',
      '/O=Shop/CN=shop.example',
      '-addext',
      'subjectAltName=DNS:shop.example,DNS:*.shop.example',
    ]
    const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate]
    await runCommand(['openssl', 'req', '-x509', '-days', '60', ...made, ...subject])
    const base64 = async (path: string): Promise<string> => (await readFile(path)).toString('base64')
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {name: 'shop-cert', namespace: 'shop'},
      type: 'kubernetes.io/tls',
      data: {'tls.crt': await base64(certificate), 'tls.key': await base64(key)},
    }
  } finally {
    await rm(folder, {recursive: true})
  }
}
