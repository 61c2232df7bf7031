import type {Answer} from '../../domain/answer.ts'
import type {Certificate} from '../../domain/certificate.ts'
import type {Observation} from '../../domain/observation.ts'
import {contentError, type Subject} from '../content-error.ts'
import type {DecodeContext} from '../decode-context.ts'
import {isRecord, recordField, textField} from '../json/narrow.ts'
import {readJson} from '../json/read-json.ts'
import {bundleSet} from '../pem/certificate-set.ts'
import {readPem} from '../pem/read-pem.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'

/** Key of the ConfigMap `istio-ca-root-cert` (istiod writes it into every namespace). */
const KEY = 'root-cert.pem'

/** An object that holds the roots, as its path names it. */
interface Published {
  readonly subject: Subject
  /** Name of the object, where it is a ClusterTrustBundle. */
  readonly bundle?: string
}

function publishedIn(part: Subject['part']): Published {
  const bundle = /\/clustertrustbundles\/([^/?]+)/.exec(part.path)?.[1]
  if (bundle !== undefined) {
    const name = decodeURIComponent(bundle)
    const hints = {'bad-payload': `See what it holds: kubectl get clustertrustbundles ${name} -o yaml`}
    return {subject: {name: `ClusterTrustBundle ${name}`, part, hints}, bundle: name}
  }
  const namespace = /\/namespaces\/([^/]+)\//.exec(part.path)?.[1]
  const where = namespace === undefined ? '' : ` -n ${namespace}`
  const hints = {
    'bad-payload': `See what it holds: kubectl get configmap istio-ca-root-cert${where} -o yaml`,
    forbidden: 'It needs the right to get configmaps; --no-source published-root does without',
  }
  return {subject: {name: 'published root certificates', part, hints}}
}

/**
 * The roots that the control plane publishes, from the ConfigMap as the Kubernetes API gives it, or from the
 * ClusterTrustBundle that istiod writes with `ENABLE_CLUSTER_TRUST_BUNDLE_API`.
 */
export async function decodePublishedRoot(answer: Answer, context: DecodeContext): Promise<readonly Observation[]> {
  const roots: Certificate[] = []
  let from: string | undefined
  const {unusable, dated} = await readParts(answer, async (part) => {
    const {subject, bundle} = publishedIn(part)
    if (part.status === 404) throw contentError(subject, 'not-found', 'not found')
    if (bundle !== undefined) from = `ClusterTrustBundle ${bundle}`
    const {value} = await readJson(subject)
    const [holder, key] = bundle === undefined ? ['data', KEY] : ['spec', 'trustBundle']
    const data = isRecord(value) ? recordField(value, holder) : undefined
    const pem = data === undefined ? undefined : textField(data, key)
    if (pem === undefined || pem.trim() === '') throw contentError(subject, 'bad-payload', `nothing under ${key}`)
    const blocks = bundleSet(readPem(pem, context.certificates)).certificates
    roots.push(...blocks.filter((block) => block.readable))
    const problems = blocks.filter((block) => !block.readable).map(({problem}) => problem)
    if (problems.length > 0) throw contentError(subject, 'bad-payload', [...new Set(problems)].join(', '))
  })
  if (roots.length === 0) return unusable
  const by = spokenBy(answer, dated)
  return [{type: 'published-roots', by, roots, ...(from !== undefined && {from})}, ...unusable]
}
