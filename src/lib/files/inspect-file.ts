import {X509Certificate} from 'node:crypto'
import {type Failure, ProbeError} from '../domain/failure.ts'
import type {FileArgument} from './file-argument.ts'
import {fileName} from './file-argument.ts'
import {fileError, ofFile} from './file-error.ts'
import {JsonEvents} from './json-events.ts'
import {JsonFacts} from './json-facts.ts'
import type {NodeFacts} from './node-facts.ts'
import {openFile, type OpenFile, type OpenFileOptions} from './open-file.ts'
import {HEAD_BYTES, readHead} from './read-head.ts'
import {type Recognised, recogniseContent} from './recognise-content.ts'

/** A file that says something. */
export interface GoodFile extends Recognised {
  readonly argument: FileArgument
  readonly file: OpenFile
  /** For certificates: whether they are a bundle of CAs, which stands beside a chain and not in its place. */
  readonly isBundle: boolean
}

/** A file that says nothing, and why. */
export interface BadFile {
  readonly argument: FileArgument
  readonly failure: Failure
}

export type InspectedFile = GoodFile | BadFile

export function isGood(file: InspectedFile): file is GoodFile {
  return !('failure' in file)
}

const READABLE =
  "Readable are Envoy's config_dump and certs, istioctl proxy-config secret -o json, ztunnel's config_dump, a node " +
  "agent's /debug/sds answer, istiod's config_dump, agent metrics, the ConfigMap istio-ca-root-cert as JSON, PEM and DER, each also behind its HTTP head"

/** Opens a file and tells from its content what it is. What is wrong with the file is data; other errors propagate. */
export async function inspectFile(argument: FileArgument, options: OpenFileOptions): Promise<InspectedFile> {
  try {
    const file = await openFile(argument, options)
    const head = await readHead(file.body())
    const recognised = recognise(argument, file, head)
    const nodes = mayNameMore(recognised, head) ? await readAllNodes(file, recognised.jsonAt) : recognised.nodes
    return {...recognised, nodes, argument, file, isBundle: recognised.needsSide && isBundle(head)}
  } catch (error) {
    const known = ofFile(fileName(argument), error)
    if (!(known instanceof ProbeError)) throw known
    const {side} = argument
    return {argument, failure: {...known.failure, ...(side !== undefined && {side})}}
  }
}

function recognise(argument: FileArgument, {head: saved}: OpenFile, head: Buffer): Recognised {
  const name = fileName(argument)
  // A refusal says little, and seldom whose it is; its status is what counts.
  const isRefusal = saved !== undefined && saved.status !== 200
  const verdict = recogniseContent(head)
  if ('sources' in verdict && !(isRefusal && verdict.needsSide)) return verdict
  if (isRefusal) {
    return {sources: ['envoy-config-dump', 'node-agent-debug'], needsSide: false, nodes: [], jsonAt: -1}
  }
  if (head.toString('latin1').trim() === '') {
    throw fileError(
      name,
      'empty-answer',
      'it is empty',
      'Save the answer again, and look at what the command that wrote it said',
    )
  }
  throw fileError(
    name,
    'bad-payload',
    'otherwise' in verdict ? `it is ${verdict.otherwise}` : 'it is no answer',
    READABLE,
  )
}

/**
 * A node agent speaks for all pods of its node, and may name the last one at its very end. A dump that was sorted anew
 * may have its bootstrap behind all else.
 */
function mayNameMore({sources, nodes}: Recognised, head: Buffer): boolean {
  if (head.length < HEAD_BYTES) return false
  return sources[0] === 'node-agent-debug' || (sources[0] === 'envoy-config-dump' && nodes.length === 0)
}

/** The pods that a whole document names. */
async function readAllNodes(file: OpenFile, jsonAt: number): Promise<readonly NodeFacts[]> {
  const facts = new JsonFacts()
  const events = new JsonEvents(facts.see)
  let skipped = 0
  for await (const chunk of file.body()) {
    const from = Math.min(chunk.length, Math.max(0, jsonAt - skipped))
    skipped += chunk.length
    if (from < chunk.length) events.write(chunk.subarray(from))
    if (events.isDone) break
  }
  return facts.nodes()
}

function isBundle(head: Buffer): boolean {
  try {
    return new X509Certificate(head).ca
  } catch {
    // Whoever decodes it will say what is wrong with it; a chain is the more likely.
    return false
  }
}
