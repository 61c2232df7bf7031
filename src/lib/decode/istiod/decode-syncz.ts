import type {Answer} from '../../domain/answer.ts'
import type {Observation} from '../../domain/observation.ts'
import type {ProxySync} from '../../domain/mesh-seen.ts'
import {podKey} from '../../domain/pod.ts'
import {contentError, type Subject} from '../content-error.ts'
import {scanJson} from '../json/scan-json.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'
import {readVersion} from './read-version.ts'
import {SynczVisitor} from './syncz-visitor.ts'

/**
 * Which proxies are connected to an istiod and what they took up, from its `/debug/syncz`; and behind it, where that was
 * asked for too, its own version from `/version`, without which the rest stands all the same.
 */
export async function decodeSyncz(answer: Answer): Promise<readonly Observation[]> {
  const {at = {namespace: '', name: ''}} = answer.question
  let proxies: ReadonlyMap<string, readonly ProxySync[]> | undefined
  let atMs = 0
  let version: string | undefined
  const {unusable, dated} = await readParts(answer, async (part, {index, report}) => {
    if (index > 0) {
      version = await readVersion(part)
      return
    }
    atMs = part.dateMs ?? part.receivedMs
    const subject: Subject = {name: `proxies of ${podKey(at)}`, part, hints: HINTS}
    const visitor = await readSyncz(subject)
    proxies = visitor.proxies
    if (visitor.tooLargeCount > 0)
      report(contentError(subject, 'too-large', `${visitor.tooLargeCount} of its proxies are too large`))
  })
  if (proxies === undefined) return unusable
  const by = spokenBy(answer, dated)
  return [{type: 'sync-states', by, istiod: at, ...(version !== undefined && {version}), atMs, proxies}, ...unusable]
}

const HINTS = {
  forbidden: 'istiod itself refuses it: its debug endpoints are for its own namespace, or those it is told to allow',
  unauthorized: 'istiod itself wants a login: it takes a forwarded port for its own, but not the API server’s proxy',
  'path-unknown': 'Its debug endpoints may be switched off (ENABLE_DEBUG_ON_HTTP)',
} as const

async function readSyncz(subject: Subject): Promise<SynczVisitor> {
  const visitor = new SynczVisitor()
  await scanJson(subject, visitor)
  if (!visitor.isWanted()) throw contentError(subject, 'bad-payload', 'it is no list of proxies')
  return visitor
}
