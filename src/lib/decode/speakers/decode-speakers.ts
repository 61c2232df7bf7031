import type {Answer} from '../../domain/answer.ts'
import type {Observation} from '../../domain/observation.ts'
import type {PodRef} from '../../domain/pod.ts'
import {contentError, type Subject} from '../content-error.ts'
import {isRecord, recordsField, textField} from '../json/narrow.ts'
import {readJson} from '../json/read-json.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'

/** Which pods of a list speak for the pod that was asked about; an empty list is an `unusable` with code `no-source`. */
export async function decodeSpeakers(answer: Answer): Promise<readonly Observation[]> {
  const pods: PodRef[] = []
  const {unusable, dated, used} = await readParts(answer, async (part) => {
    const subject: Subject = {name: 'list of node agents', part}
    const {value} = await readJson(subject)
    if (!isRecord(value)) throw contentError(subject, 'bad-payload', 'no JSON object')
    for (const item of recordsField(value, 'items')) {
      const {metadata} = item
      const name = isRecord(metadata) ? textField(metadata, 'name') : undefined
      const namespace = isRecord(metadata) ? textField(metadata, 'namespace') : undefined
      if (name !== undefined && namespace !== undefined) pods.push({namespace, name})
    }
  })
  const {source, side} = answer.question
  if (used > 0 && pods.length === 0) return [...unusable, {type: 'unusable', failure: noneFound(source, side)}]
  return [{type: 'speakers', by: spokenBy(answer, dated), pods}, ...unusable]
}

function noneFound(source: Answer['question']['source'], side: Answer['question']['side']) {
  return {
    source,
    side,
    route: 'api',
    stage: 'select',
    code: 'no-source',
    message: 'No node agent runs on the node of this pod',
    hint: 'Name the namespace of the control plane and its node agents with --istio-namespace',
  } as const
}
