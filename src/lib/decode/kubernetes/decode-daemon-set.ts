import type {Answer} from '../../domain/answer.ts'
import type {DaemonSetSeen} from '../../domain/kubernetes-seen.ts'
import type {Observation} from '../../domain/observation.ts'
import {contentError, type Subject} from '../content-error.ts'
import {isRecord, type JsonRecord, recordField, textField} from '../json/narrow.ts'
import {readJson} from '../json/read-json.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'

/** How many nodes a DaemonSet is meant for and has, as the Kubernetes API tells it. */
export async function decodeDaemonSet(answer: Answer): Promise<readonly Observation[]> {
  const seen: Omit<DaemonSetSeen, 'by'>[] = []
  const {unusable, dated} = await readParts(answer, async (part) => {
    const subject: Subject = {name: 'DaemonSet', part}
    if (part.status === 404) throw contentError(subject, 'not-found', 'it does not exist')
    const {value} = await readJson(subject)
    const daemonSet = isRecord(value) ? readDaemonSet(value) : undefined
    if (daemonSet === undefined) throw contentError(subject, 'bad-payload', 'it is no DaemonSet with a status')
    seen.push(daemonSet)
  })
  const by = spokenBy(answer, dated)
  return [...seen.map((one) => ({...one, by})), ...unusable]
}

function readDaemonSet(object: JsonRecord): Omit<DaemonSetSeen, 'by'> | undefined {
  const metadata = recordField(object, 'metadata') ?? {}
  const status = recordField(object, 'status')
  const name = textField(metadata, 'name')
  const namespace = textField(metadata, 'namespace')
  if (status === undefined || name === undefined || namespace === undefined) return undefined
  // A count of none is left out by some servers.
  const desired = countOf(status, 'desiredNumberScheduled')
  const isObserved = countOf(status, 'observedGeneration') >= countOf(metadata, 'generation')
  const isRollingOut = !isObserved || countOf(status, 'updatedNumberScheduled') < desired
  return {type: 'daemon-set', namespace, name, desired, ready: countOf(status, 'numberReady'), isRollingOut}
}

function countOf(record: JsonRecord, name: string): number {
  const value = record[name]
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0
}
