import type {Answer} from '../../domain/answer.ts'
import type {CertificatePart, KubernetesSecretSeen} from '../../domain/kubernetes-seen.ts'
import type {Observation} from '../../domain/observation.ts'
import {contentError, type Subject} from '../content-error.ts'
import type {DecodeContext} from '../decode-context.ts'
import {isRecord, type JsonRecord, textField} from '../json/narrow.ts'
import {readJson} from '../json/read-json.ts'
import {bundleSet, chainSet} from '../pem/certificate-set.ts'
import {type PemCertificates, readPem} from '../pem/read-pem.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'

/** Istio's own names come before those of `kubernetes.io/tls` (istio `pilot/pkg/credentials/kube/secrets.go`). */
const CHAIN_KEYS = ['cert', 'tls.crt'] as const
const ROOT_KEYS = ['cacert', 'ca.crt'] as const

/**
 * The certificates of one Secret, as the Kubernetes API gives it and the door leaves of it. Nothing else in it is looked
 * at. That there is no such Secret is an observation, too.
 */
export async function decodeSecret(answer: Answer, context: DecodeContext): Promise<readonly Observation[]> {
  const secrets: Omit<KubernetesSecretSeen, 'by'>[] = []
  const {unusable, dated} = await readParts(answer, async (part) => {
    const [, namespace = '', name = ''] = /\/namespaces\/([^/]+)\/secrets\/([^/?]+)/.exec(part.path) ?? []
    const subject: Subject = {name: `Secret ${namespace}/${name}`, part: {...part, status: 200}}
    const {value} = await readJson(subject)
    const kind = isRecord(value) ? textField(value, 'kind') : undefined
    if (part.status === 404 && kind === 'Status') {
      secrets.push({type: 'kubernetes-secret', namespace, name, exists: false})
      return
    }
    if (!isRecord(value) || kind !== 'Secret') throw contentError(subject, 'bad-payload', 'it is no Secret')
    const data = isRecord(value['data']) ? value['data'] : {}
    const chain = readKeys(data, CHAIN_KEYS, context, (pem) => chainSet(pem, context.certificates))
    const roots = readKeys(data, ROOT_KEYS, context, bundleSet)
    secrets.push({
      type: 'kubernetes-secret',
      namespace,
      name,
      exists: true,
      ...(chain !== undefined && {chain}),
      ...(roots !== undefined && {roots}),
    })
  })
  const by = spokenBy(answer, dated)
  return [...secrets.map((secret) => ({...secret, by})), ...unusable]
}

/** The first of the keys that has a value; undefined where none has. */
function readKeys(
  data: JsonRecord,
  keys: readonly string[],
  {certificates}: DecodeContext,
  setOf: (pem: PemCertificates) => CertificatePart,
): CertificatePart | undefined {
  const text = keys.map((key) => data[key]).find((value) => typeof value === 'string' && value !== '')
  if (typeof text !== 'string') return undefined
  const base64 = text.replaceAll(/\s+/g, '')
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(base64)
  if (!isBase64) return setOf({certificates: ['no base64'], keyFound: false})
  return setOf(readPem(Buffer.from(base64, 'base64').toString('latin1'), certificates))
}
