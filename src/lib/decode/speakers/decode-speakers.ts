import type {Answer} from '../../domain/answer.ts'
import type {Observation} from '../../domain/observation.ts'
import type {Speaker} from '../../domain/mesh-seen.ts'
import type {Side, Source} from '../../domain/question.ts'
import {contentError, type Subject} from '../content-error.ts'
import {isRecord, type JsonRecord, recordField, recordsField, textField} from '../json/narrow.ts'
import {readJson} from '../json/read-json.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'

interface Wanted {
  readonly list: string
  readonly none: string
  readonly hint: string
}

const NODE_AGENTS: Wanted = {
  list: 'list of node agents',
  none: 'No node agent runs on the node of this pod',
  hint: 'Name the namespace of the control plane and its node agents with --istio-namespace',
}

/** Who is looked for, by source. */
const WANTED: Partial<Record<Source, Wanted>> = {
  'istiod-config-dump': {
    list: 'list of istiods',
    none: 'No istiod runs in the namespace of the control plane',
    hint: 'Name that namespace with --istio-namespace; a control plane outside this cluster is left out with --no-source istiod-config-dump',
  },
  'istiod-metrics': {
    list: 'list of istiods',
    none: 'No istiod runs in the namespace of the control plane, so that its signing root is not known',
    hint: 'Name that namespace with --istio-namespace; a control plane outside this cluster is left out with --no-source istiod-metrics',
  },
  'istiod-syncz': {
    list: 'list of istiods',
    none: 'No istiod runs in the namespace of the control plane, so that nobody tells which proxies are connected',
    hint: 'Name that namespace with --istio-namespace; a control plane outside this cluster is left out with --no-source istiod-syncz',
  },
  'ztunnel-config-dump': {
    list: 'list of ztunnels',
    none: 'No ztunnel runs on the node of this pod',
    hint: 'See that the DaemonSet covers the node: kubectl get ds -A -l app=ztunnel; name its namespace with --istio-namespace',
  },
}

/** Which pods of a list speak for the pod that was asked about; an empty list is an `unusable` with code `no-source`. */
export async function decodeSpeakers(answer: Answer): Promise<readonly Observation[]> {
  const wanted = WANTED[answer.question.source] ?? NODE_AGENTS
  const pods: Speaker[] = []
  const {unusable, dated, used} = await readParts(answer, async (part) => {
    const subject: Subject = {name: wanted.list, part}
    const {value} = await readJson(subject)
    if (!isRecord(value)) throw contentError(subject, 'bad-payload', 'no JSON object')
    for (const item of recordsField(value, 'items')) {
      pods.push(...readSpeaker(item))
    }
  })
  const {source, side} = answer.question
  if (used > 0 && pods.length === 0) return [...unusable, {type: 'unusable', failure: noneFound(source, side, wanted)}]
  return [{type: 'speakers', by: spokenBy(answer, dated), pods}, ...unusable]
}

function readSpeaker(item: JsonRecord): readonly Speaker[] {
  const metadata = recordField(item, 'metadata') ?? {}
  const name = textField(metadata, 'name')
  const namespace = textField(metadata, 'namespace')
  if (name === undefined || namespace === undefined) return []
  const revision = textField(recordField(metadata, 'labels') ?? {}, 'istio.io/rev')
  const metricsPort = Number(textField(recordField(metadata, 'annotations') ?? {}, 'prometheus.io/port'))
  const isPort = Number.isInteger(metricsPort) && metricsPort > 0 && metricsPort <= 65_535
  return [{namespace, name, ...(revision !== undefined && {revision}), ...(isPort && {metricsPort})}]
}

function noneFound(source: Source, side: Side, {none, hint}: Wanted) {
  return {
    source,
    side,
    route: 'api',
    stage: 'select',
    code: 'no-source',
    message: none,
    hint,
  } as const
}
