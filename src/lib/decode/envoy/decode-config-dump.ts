import type {Answer, AnswerPart} from '../../domain/answer.ts'
import {parseNodeId} from '../../domain/node-identity.ts'
import type {Observation} from '../../domain/observation.ts'
import type {SecretItem} from '../../domain/secret.ts'
import {contentError, type Subject} from '../content-error.ts'
import type {DecodeContext} from '../decode-context.ts'
import {scanJson} from '../json/scan-json.ts'
import {type PartPlace, readParts} from '../read-parts.ts'
import {secondDump} from '../second-dump.ts'
import {spokenBy} from '../spoken.ts'
import {ADMIN_HINTS} from './admin-hints.ts'
import {ConfigDumpVisitor} from './config-dump-visitor.ts'
import {type RequestedSecrets, requestedSecrets} from './requested-secrets.ts'
import type {SecretList} from './secret-items.ts'

const MAX_MISSING_NOTES = 20

/** What one or several parts say together. */
interface Dump {
  readonly items: SecretItem[]
  readonly notes: string[]
  /** Lists that were read as a whole. */
  readonly lists: Set<SecretList>
  /** Some part listed all secrets by itself. */
  whole: boolean
  /** Something was left out. */
  partial: boolean
  nodeId: string | undefined
}

/**
 * Secrets from Envoy's `/config_dump`, in any of its forms; parts that were asked one by one (`resource=`) are merged
 * into one observation.
 */
export async function decodeConfigDump(answer: Answer, context: DecodeContext): Promise<readonly Observation[]> {
  const dump: Dump = {items: [], notes: [], lists: new Set(), whole: false, partial: false, nodeId: undefined}
  const {unusable, dated, used} = await readParts(answer, (part, {report}) => readDump(part, dump, context, report))
  if (used === 0) return unusable
  const {nodeId} = dump
  const items = dump.lists.size > 1 ? withoutArrived(dump.items) : dump.items
  const node = nodeId === undefined ? undefined : parseNodeId(nodeId)
  const lists = dump.lists.has('dynamic_active_secrets') && dump.lists.has('dynamic_warming_secrets')
  return [
    {
      type: 'secrets',
      by: spokenBy(answer, dated, context.nowMs),
      side: answer.question.side,
      items: nodeId === undefined ? items : items.map((item) => ({...item, destination: nodeId})),
      complete: !dump.partial && (dump.whole || lists),
      ...(node === undefined ? {} : {node}),
      notes: items.length === 0 ? ['no secrets', ...dump.notes] : dump.notes,
    },
    ...unusable,
  ]
}

/** Between the requests for two lists a secret may arrive: it is then seen warming, and active. */
function withoutArrived(items: readonly SecretItem[]): readonly SecretItem[] {
  const active = new Set(items.filter(({state}) => state === 'ACTIVE').map(({name}) => name))
  return items.filter(({state, name}) => state !== 'WARMING' || !active.has(name))
}

async function readDump(
  part: AnswerPart,
  dump: Dump,
  context: DecodeContext,
  report: PartPlace['report'],
): Promise<void> {
  const subject: Subject = {name: 'Envoy config dump', part, hints: ADMIN_HINTS}
  const asked = requestedSecrets(part.path)
  const visitor = new ConfigDumpVisitor(context.certificates, asked.type === 'list' ? asked.list : undefined)
  const notes = await scanJson(subject, visitor)
  if (!visitor.isWanted()) throw contentError(subject, 'bad-payload', whatElse(visitor.otherKeys))
  const isWhole = asked.type === 'all' || (asked.type === 'unknown' && !visitor.hasBareEntries)
  if (isWhole && dump.whole) throw secondDump(subject)

  dump.items.push(...visitor.items, ...visitor.inline.items())
  dump.notes.push(...notes, ...missingSecrets(visitor))
  dump.nodeId ??= visitor.nodeId
  countCompleteness(dump, asked, visitor)
  if (visitor.tooLargeCount > 0) {
    dump.partial = true
    report(contentError(subject, 'too-large', `${visitor.tooLargeCount} of its values are too large or too deep`))
  }
}

function countCompleteness(dump: Dump, asked: RequestedSecrets, visitor: ConfigDumpVisitor): void {
  switch (asked.type) {
    case 'all':
      dump.whole = true
      return
    case 'some':
      dump.whole ||= asked.complete
      return
    case 'list':
      dump.lists.add(asked.list)
      return
    case 'unknown':
      // A saved dump was asked for whole, or by a mask for all that changes; one list alone shows itself as bare entries.
      if (!visitor.hasBareEntries) dump.whole = true
      for (const {state} of visitor.hasBareEntries ? visitor.items : []) {
        dump.lists.add(state === 'WARMING' ? 'dynamic_warming_secrets' : 'dynamic_active_secrets')
      }
  }
}

function missingSecrets(visitor: ConfigDumpVisitor): string[] {
  if (!visitor.hasOwners) return []
  const missing = visitor.inline.missing(new Set(visitor.items.map(({name}) => name)))
  const notes = missing
    .slice(0, MAX_MISSING_NOTES)
    .map(({name, owner}) => `SDS secret ${name} is waited for by ${owner}, and is in no secrets section`)
  const more = missing.length - notes.length
  return more > 0 ? [...notes, `${more} more SDS secrets are waited for`] : notes
}

function whatElse(keys: readonly string[]): string {
  if (keys.length === 0) return 'no JSON object'
  if (keys.includes('certificates')) return "no config dump of Envoy's, but its /certs or a ztunnel's dump"
  if (keys.includes('clients')) return "no config dump of Envoy's, but a node agent's answer"
  return `no config dump: its keys are ${keys.slice(0, 5).join(', ')}`
}
