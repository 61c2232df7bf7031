import {createPrivateKey, sign} from 'node:crypto'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {kubectl, site} from './site.ts'

/** For how long the API server goes on to accept a token that has expired (go-jose's `jwt.DefaultLeeway`). */
const LEEWAY_S = 60

/**
 * A token of a service account in `shop` as the cluster signs them, but accepted for seconds only: the API server hands
 * out none for less than ten minutes. One that it has seen it may go on to accept for ten seconds without a look.
 */
export async function serviceAccountToken(name: string, acceptedS: number): Promise<string> {
  const uid = await kubectl.run(['get', 'serviceaccount', '-n', 'shop', name, '-o', 'jsonpath={.metadata.uid}'])
  const nowS = Math.floor(Date.now() / 1000)
  const claims = {
    iss: 'https://kubernetes.default.svc',
    aud: ['https://kubernetes.default.svc'],
    sub: `system:serviceaccount:shop:${name}`,
    iat: nowS - 3600,
    nbf: nowS - 3600,
    exp: nowS + acceptedS - LEEWAY_S,
    'kubernetes.io': {namespace: 'shop', serviceaccount: {name, uid}},
  }
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = `${encode({alg: 'ES256', typ: 'JWT'})}.${encode(claims)}`
  const key = createPrivateKey(await readFile(join(site.pki, 'sa.key')))
  const signature = sign('sha256', Buffer.from(signed), {key, dsaEncoding: 'ieee-p1363'})
  return `${signed}.${signature.toString('base64url')}`
}
