import type {DecodeContext} from '../decode/decode-context.ts'
import {createCertificateReader} from '../decode/x509/certificate-reader.ts'
import {readLive} from '../flow/read-live.ts'
import type {ReadPod} from '../flow/reading.ts'
import {createSharedAnswers} from '../flow/shared-answers.ts'
import type {Wants} from '../plan/plan.ts'
import {builtinProfiles} from '../profiles/builtin.generated.ts'
import {recognise} from '../profiles/recognise.ts'
import {refuseClusterFlags} from './cluster-flags.ts'
import type {ConnectionFlagValues} from './connection.ts'
import type {Io} from './io.ts'
import {openCluster} from './open-cluster.ts'
import type {OpenPods, PodSettings} from './opened-pods.ts'
import {fileSecretName, openSaved} from './open-saved.ts'
import {tidyPages, tidyReads} from './tidy.ts'

/** Certificates and signatures remembered: a fleet's roots and intermediates, and the leaves of a few pages. */
const CERTIFICATES = 4096
/** Answers that pods share: the roots of namespaces, and the ztunnels of nodes, whose pods come in no order of nodes. */
const SHARED = 1024

/** Flags that decide where pods come from. */
export interface OriginFlagValues extends ConnectionFlagValues {
  readonly file?: readonly string[] | undefined
  readonly secret?: readonly string[] | undefined
}

/** Opens what the flags name: files, else clusters. Throws RunError where there is nothing to open. */
export async function openPods(flags: OriginFlagValues, settings: PodSettings, io: Io): Promise<OpenPods> {
  const decodeContext = {
    certificates: createCertificateReader({maxEntries: CERTIFICATES}),
    ...(settings.fixedNowMs !== undefined && {nowMs: settings.fixedNowMs}),
    wantsCounters: settings.wants.purpose === 'check',
  }
  if (flags.file === undefined) return await openLive(flags, settings, decodeContext, io)
  refuseClusterFlags({...flags})
  return await openSaved(flags.file, settings, {...decodeContext, ...fileSecretName(flags.secret)}, io)
}

async function openLive(
  flags: ConnectionFlagValues,
  settings: PodSettings,
  decodeContext: DecodeContext,
  io: Io,
): Promise<OpenPods> {
  const {selection, chunkSize, wants, notice} = settings
  const cluster = await openCluster(flags, {selection, chunkSize, via: wants.via, notice}, io)
  const shared = createSharedAnswers(SHARED, io.nowMs)
  const overrides = {
    ...(selection.container !== undefined && {container: selection.container}),
    ...(settings.adminPort !== undefined && {adminPort: settings.adminPort}),
  }
  const reader =
    (wanted: Wants): ReadPod =>
    async (pod, agent, signal, isAgain) =>
      await readLive(pod, agent, signal, {
        answerer: cluster.answererFor(pod),
        shared,
        wants: wanted,
        decodeContext,
        deadlineMs: settings.deadlineMs,
        nowMs: io.nowMs,
        runSignal: settings.signal,
        isAgain,
        settleMs: settings.settleMs,
        ...(settings.trace !== undefined && {trace: settings.trace}),
      })
  return {
    lister: tidyPages(cluster.lister),
    contexts: cluster.contexts,
    origins: cluster.servers,
    reading: 'live',
    certificates: decodeContext.certificates,
    recognise: (pod) => recognise(pod, builtinProfiles, overrides, {nowMs: io.nowMs(), settleMs: settings.settleMs}),
    read: tidyReads(reader(wants)),
    readMetrics: reader({...wants, sides: ['agent'], sources: ['agent-metrics']}),
    readPod: async (pod, signal) => await cluster.readPod(pod, signal),
    [Symbol.asyncDispose]: async () => await cluster[Symbol.asyncDispose](),
  }
}
