import {gatherEvidence} from '../../../src/lib/compare/gather.ts'
import {collectNotes} from '../../../src/lib/compare/collect-notes.ts'
import {compareSecrets} from '../../../src/lib/compare/compare-secrets.ts'
import {explainDifferences} from '../../../src/lib/compare/explain-differences.ts'
import {findFailures, findGaps} from '../../../src/lib/compare/find-gaps.ts'
import {listSecrets} from '../../../src/lib/compare/list-secrets.ts'
import {reportSides} from '../../../src/lib/compare/report-sides.ts'
import {decode} from '../../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../../src/lib/decode/x509/certificate-reader.ts'
import type {Answer, AnswerPart} from '../../../src/lib/domain/answer.ts'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {PodRef} from '../../../src/lib/domain/pod.ts'
import type {Side, Source} from '../../../src/lib/domain/question.ts'
import type {SecretDiffItem, SecretListItem} from '../../../src/lib/domain/report.ts'
import type {SecretListRow} from '../../../src/lib/domain/row.ts'
import {judgeDiff, judgeList} from '../../../src/lib/judge/judge-pod.ts'
import {secretDiffView} from '../../../src/lib/report/views/secret-diff.ts'
import {secretListView} from '../../../src/lib/report/views/secret-list.ts'
import {scrub} from '../../../src/lib/scrub/scrub.ts'
import {scrubSecret} from '../../../src/lib/scrub/scrub-secret.ts'
import {AGENT, NOW_MS, pod} from '../report/items.ts'
import {renderText} from '../report/render-text.ts'
import {inChunks} from '../scrub/run-scrub.ts'
import {answerOf, readFixture} from './answers.ts'

/** A good answer to begin with, and what it is compared with. */
export interface Subject {
  readonly file: string
  readonly source: Source
  readonly side: Side
  readonly pod: PodRef
  readonly isZtunnel?: true
  /** A good answer of the other side. */
  readonly beside?: Omit<Subject, 'pod' | 'beside'>
}

/** All that a run makes of an answer. */
export interface Seen {
  /** What came through the door, as far as it was read. */
  readonly scrubbed: Buffer
  readonly list: readonly SecretListRow[]
  readonly documents: readonly string[]
  readonly tables: readonly string[]
}

const certificates = createCertificateReader({maxEntries: 1000})
const ISTIOD = {namespace: 'istio-system', name: 'istiod-1'}

/** A table to print besides the documents; each takes more time than all the rest. */
export type Table = 'diff' | 'list' | 'wide' | undefined

/** Takes an answer all the way: scrub, decode, compare, judge, print. `bytes` stand in the place of the good answer's. */
export async function seeAnswer(subject: Subject, bytes: Buffer, table?: Table): Promise<Seen> {
  const scrubbed: Uint8Array[] = []
  const observations = [
    ...(await observe(subject, subject.pod, bytes, scrubbed)),
    ...(subject.beside === undefined
      ? []
      : await observe(subject.beside, subject.pod, readFixture(subject.beside.file), [])),
  ]
  const evidence = gatherEvidence({
    pod: subject.pod,
    agent: subject.isZtunnel === true ? {...AGENT, dialect: 'ztunnel'} : AGENT,
    observations,
    failures: [],
    asked: {sources: [subject, ...(subject.beside === undefined ? [] : [subject.beside])]},
    nowMs: NOW_MS,
    reading: 'files',
  })
  const diff = compareSecrets(evidence)
  const list = listSecrets(evidence)
  const gaps = findGaps(evidence)
  const item = {
    pod: pod(subject.pod.name, {namespace: subject.pod.namespace}),
    agent: evidence.agent,
    sides: reportSides(evidence),
    failures: findFailures(evidence),
    notes: collectNotes(evidence),
  }
  const diffItem: SecretDiffItem = {
    ...item,
    ...judgeDiff({rows: diff, gaps, observations}),
    rows: diff,
    differences: explainDifferences(diff),
  }
  const listItem: SecretListItem = {...item, ...judgeList({rows: list, gaps, observations}), rows: list}
  const diffEvents = [{type: 'item', item: diffItem}] as const
  const listEvents = [{type: 'item', item: listItem}] as const
  const documents = [
    await renderText('json', secretDiffView, diffEvents),
    await renderText('json', secretListView, listEvents),
  ]
  const tables = [
    ...(table === 'diff' ? [await renderText('table', secretDiffView, diffEvents, {width: 120})] : []),
    ...(table === 'list' ? [await renderText('table', secretListView, listEvents, {width: 120})] : []),
    ...(table === 'wide' ? [await renderText('wide', secretDiffView, diffEvents)] : []),
  ]
  return {scrubbed: Buffer.concat(scrubbed), list, documents: textsOf(documents), tables: textsOf(tables)}
}

function textsOf(printed: readonly {readonly text: string; readonly notes: readonly string[]}[]): string[] {
  return printed.map(({text, notes}) => [text, ...notes].join('\n'))
}

async function observe(
  {file, source, side}: Omit<Subject, 'pod' | 'beside'>,
  of: PodRef,
  bytes: Buffer,
  scrubbed: Uint8Array[],
): Promise<readonly Observation[]> {
  const path = PATHS[source] ?? file.slice(file.lastIndexOf('/') + 1)
  const door = source === 'kubernetes-secret' ? scrubSecret : scrub
  const parts = [partOf(path, bytes, scrubbed, door)]
  const answer = answerOf(source, source === 'istiod-config-dump' ? [...parts, connectionsOf(of)] : parts, {side})
  return await decode(source === 'istiod-config-dump' ? fromIstiod(answer, of) : answer, {certificates})
}

/** Where an answer says of which object it is by its path alone. */
const PATHS: Partial<Record<Source, string>> = {
  'cert-manager': '/apis/cert-manager.io/v1/namespaces/gw/certificates?limit=500',
  'kubernetes-secret': '/api/v1/namespaces/gw/secrets/shop-cert',
}

function partOf(path: string, bytes: Buffer, scrubbed: Uint8Array[], door = scrub): AnswerPart {
  const body = recorded(door(inChunks(bytes, 4099)), scrubbed)
  return {path, status: 200, receivedMs: NOW_MS, dateMs: NOW_MS, body}
}

async function* recorded(body: AsyncIterable<Uint8Array>, scrubbed: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    scrubbed.push(Uint8Array.from(piece))
    yield piece
  }
}

function connectionsOf({name, namespace}: PodRef): AnswerPart {
  const client = {connectionId: `${name}.${namespace}-2`, connectedAt: '2026-05-30T18:35:35Z', address: '10.0.0.1:1'}
  return partOf('/debug/connections', Buffer.from(JSON.stringify({totalClients: 1, clients: [client]})), [])
}

function fromIstiod(answer: Answer, {name, namespace}: PodRef): Answer {
  const paths = [`/debug/config_dump?proxyID=${name}.${namespace}&types=sds`, '/debug/connections']
  const form = {type: 'http', port: 15_014, paths, bindsToPod: false, refusals: []} as const
  return {
    ...answer,
    question: {...answer.question, at: ISTIOD, isOwn: true, container: 'discovery', forms: [form]},
  }
}
