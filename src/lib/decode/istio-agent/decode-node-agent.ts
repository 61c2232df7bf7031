import type {Answer} from '../../domain/answer.ts'
import {parseNodeId} from '../../domain/node-identity.ts'
import type {Observation} from '../../domain/observation.ts'
import type {SecretItem} from '../../domain/secret.ts'
import {contentError, type Subject} from '../content-error.ts'
import type {DecodeContext} from '../decode-context.ts'
import {isRecord, type JsonRecord, recordsField, textField} from '../json/narrow.ts'
import {readJson} from '../json/read-json.ts'
import {bundleSet, chainSet, noCertificates} from '../pem/certificate-set.ts'
import {readPem} from '../pem/read-pem.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'
import {parseTime} from '../text/rfc3339.ts'
import type {CertificateReader} from '../x509/certificate-reader.ts'

/**
 * Secrets from a node agent's `/debug/sds/workload` or `/debug/sds/gateway` (Istio 1.3 to 1.8,
 * `security/pkg/nodeagent/sds`). One agent answers for all proxies of its node: each item's `destination` is the node
 * id of its proxy, to be matched exactly by whoever knows the pod.
 */
export async function decodeNodeAgent(answer: Answer, context: DecodeContext): Promise<readonly Observation[]> {
  const items: SecretItem[] = []
  const notes: string[] = []
  const {at} = answer.question
  const agentPod = at === undefined ? {} : {agentPod: at.name}
  const {unusable, dated, used} = await readParts(answer, async (part) => {
    const subject: Subject = {name: 'secrets of the node agent', part}
    const {value, notes: noise} = await readJson(subject)
    if (!isRecord(value)) throw contentError(subject, 'bad-payload', 'no JSON object')
    if (!('clients' in value) && Object.keys(value).length > 0) {
      throw contentError(
        subject,
        'bad-payload',
        `no list of clients: its keys are ${Object.keys(value).slice(0, 5).join(', ')}`,
      )
    }
    items.push(
      ...recordsField(value, 'clients').map((client) => ({...readClient(client, context.certificates), ...agentPod})),
    )
    notes.push(...noise)
  })
  if (used === 0) return unusable
  const proxies = new Set(items.map(({destination}) => destination ?? ''))
  const [only] = proxies
  const node = proxies.size === 1 && only !== undefined ? parseNodeId(only) : undefined
  return [
    {
      type: 'secrets',
      by: spokenBy(answer, dated, context.nowMs),
      side: answer.question.side,
      items,
      // An agent that lists nobody knows nothing of this proxy either: it may not have connected yet.
      complete: items.length > 0 && unusable.length === 0,
      ...(node === undefined ? {} : {node}),
      notes: items.length === 0 ? ['no clients at the node agent', ...notes] : notes,
    },
    ...unusable,
  ]
}

function readClient(client: JsonRecord, reader: CertificateReader): SecretItem {
  const chain = textField(client, 'certificate_chain') ?? ''
  const root = textField(client, 'root_cert') ?? ''
  const destination = textField(client, 'proxy') ?? ''
  const createdMs = parseTime(textField(client, 'created_time'))
  return {
    name: textField(client, 'resource_name') ?? '',
    ...materialOf(chain, root, reader),
    ...(destination === '' ? {} : {destination}),
    ...(createdMs === undefined ? {} : {createdMs}),
  }
}

function materialOf(chain: string, root: string, reader: CertificateReader): Omit<SecretItem, 'name'> {
  if (chain.trim() !== '') return {type: 'Cert Chain', ...chainSet(readPem(chain, reader), reader)}
  if (root.trim() !== '') return {type: 'CA', ...bundleSet(readPem(root, reader))}
  return {type: 'Unknown', ...noCertificates('EMPTY', 'no certificate')}
}
