import {createAnswerer} from '../cluster/routes/answerer.ts'
import {listPods} from '../cluster/list/list-pods.ts'
import {readPod} from '../cluster/list/read-pod.ts'
import {openSessions} from '../cluster/connect/open-sessions.ts'
import type {KubeSession} from '../cluster/connect/session.ts'
import type {Answerer, Notice, PodLister} from '../domain/access.ts'
import {RunError} from '../domain/failure.ts'
import type {Pod} from '../domain/pod.ts'
import type {Selection} from '../domain/selection.ts'
import {chainListers} from '../flow/chain-listers.ts'
import {type ConnectionFlagValues, readConnection} from './connection.ts'
import type {Io} from './io.ts'
import type {VIAS} from './wants.ts'

/** One or several clusters, behind the interfaces that `flow` knows. */
export interface OpenCluster extends AsyncDisposable {
  readonly lister: PodLister
  /** Contexts that are asked, by name. */
  readonly contexts: readonly string[]
  /** The clusters themselves, for cursors: a cursor of one cluster means nothing at another. */
  readonly servers: readonly string[]
  answererFor(pod: Pod): Answerer
  /** The pod as it is now; undefined where it has gone. Throws ProbeError. */
  readPod(pod: Pod, signal: AbortSignal): Promise<Pod | undefined>
}

export interface ClusterSettings {
  readonly selection: Selection
  readonly chunkSize: number
  readonly via: (typeof VIAS)[number]
  readonly notice: Notice
}

/** Logs in and prepares to list and ask; nothing is dialled yet. Throws RunError. */
export async function openCluster(
  flags: ConnectionFlagValues,
  settings: ClusterSettings,
  io: Io,
): Promise<OpenCluster> {
  const {selection, chunkSize, via, notice} = settings
  const connection = readConnection(flags, io)
  if (connection.contexts.length > 1 && connection.server !== undefined) {
    throw new RunError(2, 'bad-flag', 'Several --context and --server cannot be used together')
  }
  const sessions = await openSessions(connection, {notice, now: io.nowMs})
  const isSeveral = sessions.length > 1
  const listers = sessions.map((session, contextIndex) =>
    listPods(session, selection, {chunkSize, contextIndex, ...(isSeveral && {contextName: session.context})}),
  )
  const byContext = new Map(
    sessions.map((session) => [
      isSeveral ? session.context : undefined,
      {session, answerer: createAnswerer(session, {via, notice, nowMs: io.nowMs, tempDir: io.tempDir})},
    ]),
  )
  const lineTo = ({context}: Pod): {readonly session: KubeSession; readonly answerer: Answerer} => {
    const line = byContext.get(context)
    if (line === undefined) throw new Error(`No session for context ${String(context)}`)
    return line
  }
  return {
    lister: chainListers(listers),
    contexts: sessions.map(({context}) => context),
    servers: sessions.map(({server}) => server),
    answererFor: (pod) => lineTo(pod).answerer,
    readPod: async (pod, signal) => await readPod(lineTo(pod).session, pod, signal),
    async [Symbol.asyncDispose]() {
      await closeAll(sessions)
    },
  }
}

async function closeAll(sessions: readonly KubeSession[]): Promise<void> {
  await Promise.all(sessions.map(async (session) => await session[Symbol.asyncDispose]()))
}
