import type {Invocation, PodCommand, PodCommandFlags} from './pod-command.ts'
import {isAsked, readRunSettings} from './run-settings.ts'
import type {Notice} from '../domain/access.ts'
import type {PodItem} from '../domain/report.ts'
import {pause} from '../flow/deadline.ts'
import {decodeCursor, fingerprintQuery} from '../flow/cursor.ts'
import {inspect} from '../flow/inspect.ts'
import {lookUntilWell} from '../flow/look-until-well.ts'
import {onlyPod} from '../flow/only-pod.ts'
import type {Selected} from '../flow/select-pods.ts'
import type {DiffLooking} from '../flow/look-at-diff.ts'
import {leavesOut} from '../domain/selection.ts'
import type {RenderStyle} from '../report/style.ts'
import type {CheckLooking} from '../flow/look-at-check.ts'
import {hasColor} from './color.ts'
import {startRunSignal} from './interrupt.ts'
import type {Io} from './io.ts'
import {createWarnings} from './notices.ts'
import {openPods} from './open-pods.ts'
import {withFiles} from './output-files.ts'
import {printable} from './printable.ts'
import {behindProgress, Progress, wantsProgress} from './progress.ts'
import {reportRun} from './report-run.ts'
import {resumeCommand} from './resume-command.ts'
import {readInTurn} from './read-in-turn.ts'
import {refreshPod} from './refresh-pod.ts'
import {waitFor} from './waiting.ts'

/** What the selected pods say of a root says nothing of whom they talk to. */
const PART_OF_FLEET =
  'Only the selected pods are asked: others may show certificates of this root, or have to check them. -A asks all'

/** Runs one command over pods from flags to exit code. Throws RunError where there is no answer. */
export async function inspectPods<Item extends PodItem>(
  command: PodCommand<Item>,
  flags: PodCommandFlags,
  invocation: Invocation,
  process: Io,
): Promise<void> {
  const settings = await readRunSettings(command, flags, invocation.targets, process)
  const {format, chunkSize, concurrency, settleMs, nowMs, policy, patience, sampleMs, selection} = settings
  // Tables are written at the end; other formats go on beside the line of progress.
  const isAnswerLast = format.type === 'table' || format.type === 'wide'
  using progress = wantsProgress(process, isAnswerLast, flags.quiet) ? new Progress(process) : undefined
  const io = progress === undefined ? process : behindProgress(process, progress)
  const notice: Notice = createWarnings(io)
  if (isAsked(flags) && leavesOut(selection, flags.file !== undefined)) notice(PART_OF_FLEET)

  const trace =
    invocation.verbosity > 1 ? (text: string): void => void io.stderr.write(`${printable(text)}\n`) : undefined

  using run = startRunSignal(settings.timeoutMs)
  await using pods = await openPods(flags, {...settings, notice, signal: run.signal, trace}, io)
  const query = fingerprintQuery({...selection, servers: pods.origins})
  const isResting = patience !== undefined || sampleMs !== undefined
  const resting = sampleMs === undefined ? {read: pods.read} : readInTurn(pods, sampleMs, concurrency)
  const checkPolicy = settings.policyIn(pods.contexts)
  const looking: DiffLooking & CheckLooking = {
    ...resting,
    refresh: async (selected, signal) => await refreshPod(selected, signal, pods),
    nowMs,
    settleMs,
    detail: flags.detail ?? false,
    policy: checkPolicy,
    pause,
    reading: pods.reading,
    certificates: pods.certificates,
    ...(flags.secret !== undefined && {secretNames: flags.secret}),
  }
  const look = async (selected: Selected, signal: AbortSignal, isAgain = false): Promise<Item> =>
    await command.look(selected, signal, {...looking, isAgain})
  const events = inspect<Item>({
    lister: pods.lister,
    selection,
    recognise: (pod) => pods.recognise(pod),
    from: flags.continue === undefined ? undefined : decodeCursor(flags.continue, query),
    limit: settings.limit,
    look:
      patience === undefined
        ? look
        : lookUntilWell(
            look,
            // Readings that take turns by themselves need none around them.
            waitFor(pods, patience, {
              concurrency: sampleMs === undefined ? concurrency : Number.POSITIVE_INFINITY,
              failOn: policy.failOn,
              nowMs: io.nowMs,
            }),
          ),
    // Who waits takes no turn, so that others are asked meanwhile.
    concurrency: isResting ? concurrency + chunkSize : concurrency,
    waiting: chunkSize,
    query,
    signal: run.signal,
    ...(progress !== undefined && {watch: progress}),
    ...(command.fold !== undefined && {
      fleet: command.fold({roots: settings.roots, policy: checkPolicy, certificates: pods.certificates, nowMs}),
    }),
    ...(command.single === true && {narrow: (entries) => onlyPod(entries, invocation.targets[0])}),
  })
  const style: RenderStyle = {
    ...settings.flagStyle,
    nowMs: nowMs(),
    generatedAtMs: io.nowMs(),
    contexts: pods.contexts,
    colour: hasColor(flags.color, io),
    failOn: policy.failOn,
    version: invocation.version,
    ...(io.columns !== undefined && {width: io.columns}),
  }
  const {bin, id, argv, verbosity} = invocation
  const resume = (cursor: string): string => resumeCommand(bin, id, argv, cursor)
  const {view} = command
  const reporting = {view, format, style, policy, quiet: flags.quiet, verbosity, resume, remarks: settings.remarks}
  io.setExitCode(await withFiles(settings.outputs, async (files) => await reportRun(events, {...reporting, files}, io)))
}
