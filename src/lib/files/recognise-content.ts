import {REMOVED_KEY} from '../domain/answer.ts'
import type {Source} from '../domain/question.ts'
import {JsonEvents} from './json-events.ts'
import {JsonFacts} from './json-facts.ts'
import type {NodeFacts} from './node-facts.ts'
import {recogniseJson} from './recognise-json.ts'

/** What a content is, as far as its beginning tells. */
export interface Recognised {
  /** Sources it may be from, likeliest first; one, but where the content alone cannot tell. */
  readonly sources: readonly [Source, ...Source[]]
  /** It says nothing of whose it is: certificates as such. */
  readonly needsSide: boolean
  /** The pods it names. */
  readonly nodes: readonly NodeFacts[]
  /** Namespace that published roots were read from. */
  readonly namespace?: string
  /** Where the JSON begins, behind what a program wrote before it; -1 where it is none. */
  readonly jsonAt: number
}

/** Or in words what it is instead. */
export type Verdict = Recognised | {readonly otherwise: string}

/** Lines that may begin a document; more would be a text full of brackets. */
const MAX_STARTS = 20

const METRIC_LINE =
  /^(?:# (?:HELP|TYPE) [A-Za-z_:]|[A-Za-z_:][\w:]*(?:\{[^\n]*\})? +(?:[-+]?(?:\d|Inf|\.\d)|NaN)\S*(?: +-?\d+)?[ \t]*$)/

/** Plain texts that are answers too, if no good ones: of Envoy's admin interface, and of a node agent. */
const KNOWN_TEXTS: readonly (readonly [RegExp, Source])[] = [
  [/^debug endpoint failure\b/, 'node-agent-debug'],
  [/^invalid path\b/i, 'envoy-config-dump'],
  [/^FieldMask paths?\b|not found in config dump|^Failed to convert protobuf message to JSON/, 'envoy-config-dump'],
  [/^(?:upstream connect error|no healthy upstream|upstream request timeout)/, 'envoy-config-dump'],
]

/** How compressed files begin; a saved answer may have come compressed. */
const PACKED: readonly {readonly magic: Buffer; readonly name: string}[] = [
  {magic: Buffer.from([0x1f, 0x8b]), name: 'gzip'},
  {magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), name: 'zstd'},
  {magic: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]), name: 'xz'},
  {magic: Buffer.from('BZh'), name: 'bzip2'},
  {magic: Buffer.from('PK\u0003\u0004'), name: 'zip'},
]

/** Tells what a content is from its first bytes. */
export function recogniseContent(head: Buffer): Verdict {
  // A sequence with a long length; as text these bytes would be a digit and half a character.
  if (head[0] === 0x30 && (head[1] ?? 0) >= 0x80) return certificates()
  const packed = PACKED.find(({magic}) => head.subarray(0, magic.length).equals(magic))
  if (packed !== undefined) return {otherwise: `packed with ${packed.name}: unpack it first`}
  const text = head.toString('latin1').replace(/^\u00EF\u00BB\u00BF/, '')
  if (text.includes('\0')) return {otherwise: 'binary data, and no certificate in DER'}
  const json = findJson(head, text)
  if (json !== undefined && 'sources' in json) return json

  const first = text.trimStart()
  const lines = first.split(/\r?\n/, 20)
  if (lines.some((line) => METRIC_LINE.test(line)) && !first.startsWith('<')) return plain(['agent-metrics'])
  if (/-----BEGIN [^\r\n-]/.test(text) || text.includes(REMOVED_KEY)) return certificates()
  const known = KNOWN_TEXTS.find(([pattern]) => pattern.test(first))
  if (known !== undefined) return plain([known[1]])
  return json ?? {otherwise: describeText(first)}
}

function certificates(): Recognised {
  return {sources: ['agent-files'], needsSide: true, nodes: [], jsonAt: -1}
}

function plain(sources: readonly [Source, ...Source[]]): Recognised {
  return {sources, needsSide: false, nodes: [], jsonAt: -1}
}

function findJson(head: Buffer, text: string): Verdict | undefined {
  let otherwise: Verdict | undefined
  let starts = 0
  for (const match of text.matchAll(/^[ \t]*(?=[{[])/gm)) {
    if (++starts > MAX_STARTS) break
    const jsonAt = head.length - text.length + match.index
    const facts = new JsonFacts()
    new JsonEvents(facts.see).write(head.subarray(jsonAt))
    const verdict = recogniseJson(facts)
    if ('sources' in verdict) {
      return {
        ...verdict,
        needsSide: false,
        nodes: facts.nodes(),
        jsonAt,
        ...(facts.namespace !== undefined && {namespace: facts.namespace}),
      }
    }
    otherwise ??= verdict
  }
  return otherwise
}

function describeText(text: string): string {
  if (/^<(?:!doctype|html|\?xml)/i.test(text)) return 'an HTML page'
  const line = text.split(/\r?\n/, 1)[0] ?? ''
  return `text that begins ${JSON.stringify(line.slice(0, 60))}`
}
