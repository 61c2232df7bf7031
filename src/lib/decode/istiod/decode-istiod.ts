import type {Answer, AnswerPart} from '../../domain/answer.ts'
import {type Failure, ProbeError} from '../../domain/failure.ts'
import type {Observation} from '../../domain/observation.ts'
import {podKey} from '../../domain/pod.ts'
import type {SecretItem} from '../../domain/secret.ts'
import {contentError, type Subject} from '../content-error.ts'
import type {DecodeContext} from '../decode-context.ts'
import {scanJson} from '../json/scan-json.ts'
import {type PartPlace, readParts} from '../read-parts.ts'
import {secondDump} from '../second-dump.ts'
import {spokenBy} from '../spoken.ts'
import {IstiodDumpVisitor} from './istiod-dump-visitor.ts'
import {readConnections} from './read-connections.ts'

const SAVED = "istiod's config dump"

const HINTS: NonNullable<Subject['hints']> = {
  'bad-request': 'This istiod may be older than the request, which needs 1.16 or newer',
  forbidden:
    'istiod tells that to its own pod and namespace alone (ENABLE_DEBUG_ENDPOINT_AUTH): use --via port-forward',
  'path-unknown': 'Its debug endpoints may be off: look for ENABLE_DEBUG_ON_HTTP in the environment of istiod',
  unauthorized: 'istiod wants a login of all but its own pod (ENABLE_DEBUG_ENDPOINT_AUTH): use --via port-forward',
}

/**
 * What an istiod would send to one proxy, from `/debug/config_dump?proxyID=…&types=sds`, and whose that is: istiod takes
 * the first connection whose name holds the text, so the list of its connections, asked next, must name that proxy and
 * no other that fits. An istiod that does not know the proxy gives `proxy-unknown`.
 */
export async function decodeIstiod(answer: Answer, context: DecodeContext): Promise<readonly Observation[]> {
  if (answer.route === 'file') return await decodeSaved(answer, context)
  const {question} = answer
  const [form] = question.forms
  const proxy = new URLSearchParams(form.type === 'http' ? form.paths[0]?.split('?')[1] : '').get('proxyID') ?? ''
  const at = question.at ?? {namespace: '', name: ''}
  let dump: readonly SecretItem[] | 'unknown proxy' | undefined
  let fitting: readonly string[] | undefined
  const parts = whoseIsAskedOf(answer.parts, () => dump !== undefined && dump !== 'unknown proxy')
  const {unusable, dated} = await readParts({...answer, parts}, async (part, {index, report}) => {
    if (index === 0)
      dump = await ofKnownProxy(readDump({name: `config dump of ${podKey(at)}`, part, hints: HINTS}, context, report))
    else fitting = await readConnections({name: `connections of ${podKey(at)}`, part, hints: HINTS}, proxy)
  })
  const by = spokenBy(answer, dated)
  if (dump === 'unknown proxy') return [{type: 'proxy-unknown', by, at}]
  if (dump === undefined || fitting === undefined) return unusable
  const others = fitting.filter((name) => name !== proxy)
  if (!fitting.includes(proxy)) {
    const [instead] = others
    return [{type: 'proxy-unknown', by, at, ...(instead !== undefined && {instead})}]
  }
  if (others.length > 0) return [{type: 'unusable', failure: ambiguous(answer, proxy, others)}]
  const items = dump.map((item) => ({...item, agentPod: at.name}))
  return [{type: 'secrets', by, side: question.side, items, complete: unusable.length === 0, notes: []}, ...unusable]
}

/** A saved dump is of the proxy that the user says: it names none. */
async function decodeSaved(answer: Answer, context: DecodeContext): Promise<readonly Observation[]> {
  const {side} = answer.question
  const items: SecretItem[] = []
  const {unusable, dated, used} = await readParts(answer, async (part, {index, report}) => {
    if (index > 0) throw secondDump({name: SAVED, part})
    items.push(...(await readDump({name: SAVED, part, hints: HINTS}, context, report)))
  })
  if (used === 0) return unusable
  const by = spokenBy(answer, dated)
  return [{type: 'secrets', by, side, items, complete: unusable.length === 0, notes: []}, ...unusable]
}

/** The parts of an answer, of which those after the first are asked for only where there is something to be sure of. */
async function* whoseIsAskedOf(parts: AsyncIterable<AnswerPart>, hasDump: () => boolean): AsyncGenerator<AnswerPart> {
  for await (const part of parts) {
    yield part
    if (!hasDump()) return
  }
}

async function ofKnownProxy(dump: Promise<readonly SecretItem[]>): Promise<readonly SecretItem[] | 'unknown proxy'> {
  try {
    return await dump
  } catch (error) {
    if (error instanceof ProbeError && error.failure.code === 'not-found') return 'unknown proxy'
    throw error
  }
}

async function readDump(
  subject: Subject,
  {certificates}: DecodeContext,
  report: PartPlace['report'],
): Promise<readonly SecretItem[]> {
  const visitor = new IstiodDumpVisitor(certificates)
  await scanJson(subject, visitor)
  if (!visitor.isWanted()) throw contentError(subject, 'bad-payload', 'it is no config dump')
  if (visitor.tooLargeCount > 0) {
    report(contentError(subject, 'too-large', `${visitor.tooLargeCount} of its values are too large or too deep`))
  }
  return visitor.items
}

function ambiguous({question: {side, source}, route}: Answer, proxy: string, others: readonly string[]): Failure {
  return {
    side,
    source,
    route,
    stage: 'decode',
    code: 'wrong-pod',
    message: `Cannot tell whose secrets istiod sent for ${proxy}: it may have taken ${others.slice(0, 3).join(', ')} for it`,
    hint: 'istiod takes any connection whose name holds what was asked for: compare its list with istioctl proxy-config secret',
  }
}
