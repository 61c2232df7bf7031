import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {runCommand} from '../run-command.ts'

/** Name of the Secret whose files are put before an agent. */
export const MOUNTED_SECRET = 'mounted-cert'

/** The Secret `shop-cert` of the gateway, with a fresh certificate. */
export async function gatewaySecret(): Promise<object> {
  return tlsSecret('shop-cert', await shopCertificate())
}

/** A Secret for a gateway's TLS. */
export function tlsSecret(name: string, {certificate, key}: Issued): object {
  const data = {'tls.crt': certificate, 'tls.key': key}
  return {apiVersion: 'v1', kind: 'Secret', metadata: place(name), type: 'kubernetes.io/tls', data}
}

/** A fresh certificate of the shop that signs itself. */
export async function shopCertificate(kind = 'rsa:2048'): Promise<Issued> {
  return await selfSigned('/O=Shop/CN=shop.example', 'DNS:shop.example,DNS:*.shop.example', kind)
}

/** The Secret of a workload whose certificate comes from elsewhere: it signs itself, and is its own root. */
export async function mountedSecret(): Promise<object> {
  const {certificate, key} = await selfSigned('/O=elsewhere', 'URI:spiffe://cluster.local/ns/shop/sa/cart')
  const data = {'cert-chain.pem': certificate, 'key.pem': key, 'root-cert.pem': certificate}
  return {apiVersion: 'v1', kind: 'Secret', metadata: place(MOUNTED_SECRET), data}
}

function place(name: string): object {
  return {name, namespace: 'shop'}
}

/** A certificate and its key, in base64. */
export interface Issued {
  readonly certificate: string
  readonly key: string
}

async function selfSigned(subject: string, names: string, kind = 'rsa:2048'): Promise<Issued> {
  const folder = await mkdtemp(join(tmpdir(), 'real-certificate-'))
  try {
    const [keyFile, file] = [join(folder, 'key'), join(folder, 'certificate')]
    const made = ['-newkey', kind, '-nodes', '-keyout', keyFile, '-out', file]
    const extension = ['-addext', `subjectAltName=${names}`]
    await runCommand(['openssl', 'req', '-x509', '-days', '60', ...made, '-subj', subject, ...extension])
    const base64 = async (path: string): Promise<string> => (await readFile(path)).toString('base64')
    return {certificate: await base64(file), key: await base64(keyFile)}
  } finally {
    await rm(folder, {recursive: true})
  }
}
