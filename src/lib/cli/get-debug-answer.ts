import type {Agent} from '../domain/agent.ts'
import {RunError} from '../domain/failure.ts'
import {type Pod, podKey} from '../domain/pod.ts'
import {getDebug} from '../flow/get-debug.ts'
import {type Selecting, selectPods} from '../flow/select-pods.ts'
import {checkDebugPath} from '../plan/check-debug-path.ts'
import {parseDebugPath} from '../plan/parse-debug-path.ts'
import {builtinProfiles} from '../profiles/builtin.generated.ts'
import {recognise} from '../profiles/recognise.ts'
import type {ConnectionFlagValues} from './connection.ts'
import {parseChoice, parseDuration, parsePort} from './flags/values.ts'
import {startRunSignal} from './interrupt.ts'
import type {Io} from './io.ts'
import {createWarnings} from './notices.ts'
import {openCluster} from './open-cluster.ts'
import {readSelection} from './selection.ts'
import {VIAS} from './wants.ts'
import {writeAll} from './write.ts'

/** Flags of `debug get`. */
export interface DebugFlagValues extends ConnectionFlagValues {
  readonly namespace?: string | undefined
  readonly container?: string | undefined
  readonly via: string
  readonly deadline: string
  readonly 'proxy-admin-port'?: string | undefined
}

/** Reads one path of one agent and writes the answer to stdout as it comes. Throws RunError and ProbeError. */
export async function getDebugAnswer(flags: DebugFlagValues, target: string, text: string, io: Io): Promise<void> {
  const {port, path} = parseDebugPath(text)
  const via = parseChoice(flags.via, 'via', VIAS)
  const deadlineMs = parseDuration(flags.deadline, 'deadline')
  const adminPort = parsePort(flags['proxy-admin-port'])
  const {container} = flags
  const selection = readSelection(
    {'all-namespaces': false, ...(flags.namespace !== undefined && {namespace: [flags.namespace]})},
    [target],
    [],
  )
  const overrides = {...(container !== undefined && {container}), ...(adminPort !== undefined && {adminPort})}

  using run = startRunSignal(0)
  await using cluster = await openCluster(flags, {selection, chunkSize: 500, via, notice: createWarnings(io)}, io)
  const {pod, agent} = await findOne(target, run.signal, {
    lister: cluster.lister,
    selection,
    recognise: (candidate) => recognise(candidate, builtinProfiles, overrides, {nowMs: io.nowMs(), settleMs: 0}),
    from: undefined,
    limit: 1,
  })
  const question = checkDebugPath(agent, port, path, {via})
  await writeAll(io.stdout, getDebug(pod, question, cluster.answererFor(pod), deadlineMs, io.nowMs(), run.signal))
}

async function findOne(target: string, signal: AbortSignal, selecting: Selecting): Promise<{pod: Pod; agent: Agent}> {
  for await (const entry of selectPods(selecting, signal)) {
    if (entry.type !== 'pod') continue
    const {pod, agent, skip, failure} = entry.selected
    const problem = failure?.message ?? skip?.message
    if (agent !== undefined && problem === undefined) return {pod, agent}
    const hints = failure?.hint === undefined ? [] : [failure.hint]
    throw new RunError(4, 'not-asked', problem ?? `${podKey(pod)} carries no agent`, hints)
  }
  throw new RunError(4, 'not-found', `No pod with an agent belongs to ${target}`)
}
