import type {Notice} from '../domain/access.ts'
import type {CertificateReader} from '../decode/x509/certificate-reader.ts'
import {RunError} from '../domain/failure.ts'
import type {Side} from '../domain/question.ts'
import type {PodItem} from '../domain/report.ts'
import type {RootQuestions} from '../domain/roots.ts'
import {pause} from '../flow/deadline.ts'
import {decodeCursor, fingerprintQuery} from '../flow/cursor.ts'
import {type FleetFold, inspect} from '../flow/inspect.ts'
import {lookUntilWell} from '../flow/look-until-well.ts'
import {onlyPod} from '../flow/only-pod.ts'
import type {Selected} from '../flow/select-pods.ts'
import type {DiffLooking} from '../flow/look-at-diff.ts'
import {builtinProfiles} from '../profiles/builtin.generated.ts'
import {leavesOut} from '../domain/selection.ts'
import type {Purpose} from '../plan/plan.ts'
import {parseOutputFormat} from '../report/output-format.ts'
import {extraFormats} from '../report/render.ts'
import type {RenderStyle} from '../report/style.ts'
import type {View} from '../report/view.ts'
import type {CheckLooking} from '../flow/look-at-check.ts'
import type {CheckPolicy} from '../judge/check-policy.ts'
import {type CheckFlagValues, readCheckPolicy} from './check-policy.ts'
import {checkOptIns} from './check-opt-ins.ts'
import {hasColor} from './color.ts'
import type {ConnectionFlagValues} from './connection.ts'
import {type ExitFlagValues, readExitPolicy} from './exit-policy.ts'
import {parseCount, parseDuration, parseInstant, parsePort} from './flags/values.ts'
import {startRunSignal} from './interrupt.ts'
import type {Io} from './io.ts'
import {createWarnings} from './notices.ts'
import {openPods} from './open-pods.ts'
import {readOutputs, withFiles} from './output-files.ts'
import {printable} from './printable.ts'
import {behindProgress, Progress, wantsProgress} from './progress.ts'
import {reportRun} from './report-run.ts'
import {resumeCommand} from './resume-command.ts'
import {readInTurn} from './read-in-turn.ts'
import {refreshPod} from './refresh-pod.ts'
import {readRootQuestions} from './root-questions.ts'
import {type PodFlagValues, readSelection} from './selection.ts'
import {readStyle, type StyleFlagValues} from './style.ts'
import {readPatience, readSample, waitFor, type WaitFlagValues} from './waiting.ts'
import {type AskFlagValues, readWants} from './wants.ts'

/** One kind of command over pods: what it wants of each, and what it makes of it. */
export interface PodCommand<Item extends PodItem> {
  readonly view: View<Item>
  /** Sides that are asked; none for what the listing alone says. */
  readonly sides: readonly Side[]
  readonly purpose: Purpose
  look(selected: Selected, signal: AbortSignal, looking: DiffLooking & CheckLooking): Promise<Item>
  /** What it says of all pods together. */
  readonly fold?: (what: Folding) => FleetFold<Item>
  /** Nothing selected is no failure of this command. */
  readonly mayBeEmpty: boolean
  /** It tells of one pod: several are a usage error. */
  readonly single?: boolean
}

/** What a report on the fleet is made with. */
interface Folding {
  readonly roots: RootQuestions
  readonly policy: CheckPolicy
  readonly certificates: CertificateReader
  readonly nowMs: () => number
}

/** Flags of every command over pods; those that only some have are optional. */
export interface PodCommandFlags
  extends
    PodFlagValues,
    ConnectionFlagValues,
    CheckFlagValues,
    WaitFlagValues,
    StyleFlagValues,
    ExitFlagValues,
    Partial<AskFlagValues> {
  readonly file?: readonly string[] | undefined
  readonly secret?: readonly string[] | undefined
  readonly 'proxy-admin-port'?: string | undefined
  readonly 'istio-namespace'?: string
  readonly 'chunk-size'?: string
  readonly limit?: string | undefined
  readonly continue?: string | undefined
  readonly timeout: string
  readonly concurrency?: string
  readonly deadline?: string
  readonly settle?: string
  readonly output: string
  readonly 'output-file'?: readonly string[] | undefined
  readonly color: string
  readonly quiet: boolean
  readonly detail?: boolean
  readonly expect?: string | undefined
  readonly without?: string | undefined
  readonly now?: string | undefined
}

/** The command line a run came from, for the hint that goes on with it. */
export interface Invocation {
  readonly bin: string
  readonly id: string
  readonly argv: readonly string[]
  readonly targets: readonly string[]
  readonly verbosity: number
  readonly version: string
}

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
  // All text becomes values first: a wrong flag is told before anything is asked.
  const format = parseOutputFormat(flags.output, extraFormats(command.view))
  if (format.type === 'pem' && flags.cert === false)
    throw new RunError(2, 'bad-flag', '--output pem and --no-cert cannot be used together')
  const outputs = readOutputs(flags, format, extraFormats(command.view), process)
  const flagStyle = readStyle(flags)
  const limit = flags.limit === undefined ? undefined : parseCount(flags.limit, 'limit', 1)
  const chunkSize = parseCount(flags['chunk-size'] ?? '500', 'chunk-size', 1)
  const concurrency = parseCount(flags.concurrency ?? '32', 'concurrency', 1)
  const deadlineMs = parseDuration(flags.deadline ?? '10s', 'deadline')
  const settleMs = parseDuration(flags.settle ?? '2s', 'settle')
  const timeoutMs = parseDuration(flags.timeout, 'timeout')
  const fixedNowMs = flags.now === undefined ? undefined : parseInstant(flags.now, 'now')
  const adminPort = parsePort(flags['proxy-admin-port'])
  const policy = readExitPolicy(flags, {mayBeEmpty: command.mayBeEmpty && !isAsked(flags)})
  checkOptIns(flags, invocation.targets, process.platform)
  const roots = await readRootQuestions(flags)
  const nowMs = (): number => fixedNowMs ?? process.nowMs()
  const {policyIn, remarks} = await readCheckPolicy(flags, nowMs)
  const patience = readPatience(flags)
  const sampleMs = readSample(flags)
  const wants = readWants(
    {via: 'auto', ...flags},
    {sides: command.sides, purpose: command.purpose, istioNamespace: flags['istio-namespace'] ?? 'istio-system'},
  )
  const selection = readSelection(
    flags,
    invocation.targets,
    builtinProfiles.map(({name}) => name),
  )
  // Tables are written at the end; other formats go on beside the line of progress.
  const isAnswerLast = format.type === 'table' || format.type === 'wide'
  using progress = wantsProgress(process, isAnswerLast, flags.quiet) ? new Progress(process) : undefined
  const io = progress === undefined ? process : behindProgress(process, progress)
  const notice: Notice = createWarnings(io)
  if (isAsked(flags) && leavesOut(selection, flags.file !== undefined)) notice(PART_OF_FLEET)

  const trace =
    invocation.verbosity > 1 ? (text: string): void => void io.stderr.write(`${printable(text)}\n`) : undefined

  using run = startRunSignal(timeoutMs)
  await using pods = await openPods(
    flags,
    {selection, chunkSize, deadlineMs, settleMs, wants, adminPort, fixedNowMs, notice, signal: run.signal, trace},
    io,
  )
  const query = fingerprintQuery({...selection, servers: pods.origins})
  const isResting = patience !== undefined || sampleMs !== undefined
  const resting = sampleMs === undefined ? {read: pods.read} : readInTurn(pods, sampleMs, concurrency)
  const checkPolicy = policyIn(pods.contexts)
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
    limit,
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
      fleet: command.fold({roots, policy: checkPolicy, certificates: pods.certificates, nowMs}),
    }),
    ...(command.single === true && {narrow: (entries) => onlyPod(entries, invocation.targets[0])}),
  })
  const style: RenderStyle = {
    ...flagStyle,
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
  const reporting = {view, format, style, policy, quiet: flags.quiet, verbosity, resume, remarks}
  io.setExitCode(await withFiles(outputs, async (files) => await reportRun(events, {...reporting, files}, io)))
}

/** What is asked of a fleet is not answered by none. */
function isAsked({expect, without}: PodCommandFlags): boolean {
  return expect !== undefined || without !== undefined
}
