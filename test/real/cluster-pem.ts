import {kubectl} from './site.ts'

/** The roots that the control plane publishes in `shop`, as PEM. */
export async function publishedRoot(): Promise<string> {
  const path = String.raw`jsonpath={.data.root-cert\.pem}`
  return await kubectl.run(['get', 'configmap', '-n', 'shop', 'istio-ca-root-cert', '-o', path])
}

/** A certificate out of a Secret in `shop`, as PEM. */
export async function secretPem(name: string, key: string): Promise<string> {
  const path = `jsonpath={.data.${key.replace('.', String.raw`\.`)}}`
  return Buffer.from(await kubectl.run(['get', 'secret', '-n', 'shop', name, '-o', path]), 'base64').toString('utf8')
}
