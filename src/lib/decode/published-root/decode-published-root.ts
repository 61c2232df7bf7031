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

function hintsFor(path: string): NonNullable<Subject['hints']> {
  const namespace = /\/namespaces\/([^/]+)\//.exec(path)?.[1]
  const where = namespace === undefined ? '' : ` -n ${namespace}`
  return {
    'bad-payload': `See what it holds: kubectl get configmap istio-ca-root-cert${where} -o yaml`,
    forbidden: 'It needs the right to get configmaps; --no-source published-root does without',
  }
}

/** The roots that the control plane publishes, from the ConfigMap as the Kubernetes API gives it. */
export async function decodePublishedRoot(answer: Answer, context: DecodeContext): Promise<readonly Observation[]> {
  const roots: Certificate[] = []
  const {unusable, dated} = await readParts(answer, async (part) => {
    const subject: Subject = {name: 'published root certificates', part, hints: hintsFor(part.path)}
    if (part.status === 404) throw contentError(subject, 'not-found', 'not found')
    const {value} = await readJson(subject)
    const data = isRecord(value) ? recordField(value, 'data') : undefined
    const pem = data === undefined ? undefined : textField(data, KEY)
    if (pem === undefined || pem.trim() === '') throw contentError(subject, 'bad-payload', `nothing under ${KEY}`)
    const blocks = bundleSet(readPem(pem, context.certificates)).certificates
    roots.push(...blocks.filter((block) => block.readable))
    const problems = blocks.filter((block) => !block.readable).map(({problem}) => problem)
    if (problems.length > 0) throw contentError(subject, 'bad-payload', [...new Set(problems)].join(', '))
  })
  if (roots.length === 0) return unusable
  return [{type: 'published-roots', by: spokenBy(answer, dated), roots}, ...unusable]
}
