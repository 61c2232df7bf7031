import pMap from 'p-map'
import type {Notice, Place, PodLister, PodPage} from '../domain/access.ts'
import type {Agent} from '../domain/agent.ts'
import type {Answer} from '../domain/answer.ts'
import {type Failure, ProbeError, RunError} from '../domain/failure.ts'
import {type Pod, type PodRef, podKey} from '../domain/pod.ts'
import type {Selection, Target} from '../domain/selection.ts'
import {assignPods, type FilePod} from './assign-pods.ts'
import {answerOf} from './file-answer.ts'
import {type FileArgument, fileName} from './file-argument.ts'
import {type BadFile, inspectFile, isGood} from './inspect-file.ts'
import type {OpenFileOptions} from './open-file.ts'
import {makeAgent, makePod} from './pod-facts.ts'
import {refuseClusterSelection, selectFilePods} from './select-file-pods.ts'
import {type SettledFile, settleSources} from './settle-sources.ts'

export interface OpenFilesOptions extends OpenFileOptions {
  readonly selection: Selection
  readonly notice: Notice
}

/** Files in place of a cluster: they list the pods that they speak for, and answer for them. */
export interface FileSet extends PodLister {
  /** What the files say of a pod's agent; undefined for a pod that is not of these files. */
  agentOf(pod: PodRef): Agent | undefined
  /**
   * What is said of a pod: an answer for each source and side, with a part for each file; and for each file that cannot
   * be used a function that throws ProbeError. Each may be called again, which reads the files again.
   */
  answersFor(pod: PodRef): readonly (() => Promise<Answer>)[]
}

/** Files read at once. */
const CONCURRENCY = 4

/**
 * Opens files and tells what each is and which pod it speaks for; their bodies are read later, as streams. A file that
 * cannot be used is a failure of its pod. Throws RunError: usage (2) for a selection that files cannot serve, and for
 * certificates without a side; 4 where no file at all can be used.
 */
export async function openFiles(args: readonly FileArgument[], options: OpenFilesOptions): Promise<FileSet> {
  const {selection, notice, signal} = options
  refuseClusterSelection(selection)
  if (args.filter(({path}) => path === '-').length > 1) {
    throw new RunError(2, 'usage', 'Standard input can be read once: --file - is given twice')
  }
  const inspected = await pMap(args, async (argument) => await inspectFile(argument, options), {
    concurrency: CONCURRENCY,
    signal,
  })
  const good = inspected.filter((file) => isGood(file))
  const bad = inspected.flatMap((file) => (isGood(file) ? [] : [file]))
  if (good.length === 0) throw nothingReadable(bad)
  const settled = settleSources(good)
  if (bad.length === 0 && settled.every(({source}) => source === 'published-root')) throw onlyRoots(settled)
  const all = assignPods(settled, bad, selection)
  const {pods, missing} = selectFilePods(all, selection, notice)
  const [absent] = missing
  if (absent !== undefined && pods.length === 0) throw notThere(absent, all)
  return new OpenedFiles(pods, absent === undefined ? undefined : noFileFor(absent, all))
}

class OpenedFiles implements FileSet {
  readonly #pods: ReadonlyMap<string, {readonly source: FilePod; readonly pod: Pod; readonly agent: Agent}>
  readonly #missing: Failure | undefined

  constructor(pods: readonly FilePod[], missing: Failure | undefined) {
    this.#pods = new Map(
      pods.map((source) => [
        podKey(source.ref),
        {source, pod: makePod(source.ref, source.facts), agent: makeAgent(source.files, source.facts)},
      ]),
    )
    this.#missing = missing
  }

  /** One page, since all is known by now; a TARGET that no file speaks for is a failure after it. */
  async *pages(from: Place | undefined, signal: AbortSignal): AsyncGenerator<PodPage> {
    signal.throwIfAborted()
    const after = from?.after === undefined ? '' : podKey(from.after)
    const pods = [...this.#pods].filter(([key]) => key > after).map(([, {pod}]) => pod)
    yield {pods, place: from ?? {context: 0, query: 0}, consistent: true}
    if (this.#missing !== undefined) throw new ProbeError(this.#missing)
  }

  agentOf(pod: PodRef): Agent | undefined {
    return this.#pods.get(podKey(pod))?.agent
  }

  answersFor(pod: PodRef): readonly (() => Promise<Answer>)[] {
    const found = this.#pods.get(podKey(pod))
    if (found === undefined) return []
    const {files, bad} = found.source
    const answers = bySource(files).map((group) => async () => await Promise.resolve(answerOf(group)))
    return [...answers, ...bad.map((file) => async () => await Promise.reject(new ProbeError(failureOf(file, files))))]
  }
}

/** Files of one source and side make one answer: a chain and its roots, the lists that were saved one by one. */
function bySource(files: readonly SettledFile[]): readonly [SettledFile, ...SettledFile[]][] {
  const groups = new Map<string, [SettledFile, ...SettledFile[]]>()
  for (const file of files) {
    const key = `${file.source} ${file.side}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [file])
    else group.push(file)
  }
  return [...groups.values()]
}

/** Where only one side has files that can be used, a file that cannot be was the other's. */
function failureOf({failure}: BadFile, files: readonly SettledFile[]): Failure {
  if (failure.side !== undefined) return failure
  const sides = new Set(files.filter(({source}) => source !== 'published-root').map(({side}) => side))
  const [only] = sides
  if (only === undefined || sides.size > 1) return failure
  return {...failure, side: only === 'agent' ? 'proxy' : 'agent'}
}

function nothingReadable(bad: readonly BadFile[]): RunError {
  const [first, ...others] = bad.map(({failure}) => failure)
  if (first === undefined) return new RunError(2, 'usage', 'No file is given', ['Give one with --file PATH'])
  const hints = [...(first.hint === undefined ? [] : [first.hint]), ...others.map(({message}) => message)]
  return new RunError(4, first.code, first.message, hints)
}

function onlyRoots([first]: readonly SettledFile[]): RunError {
  const name = first === undefined ? 'the files' : fileName(first.argument)
  return new RunError(
    4,
    'no-source',
    `No file speaks for a pod: ${name} holds published roots, which are a reference`,
    ["Give a pod's answer beside it, such as Envoy's config_dump"],
  )
}

function notThere(target: Target, pods: readonly FilePod[]): RunError {
  const {message, hint} = noFileFor(target, pods)
  return new RunError(4, 'not-found', message, hint === undefined ? [] : [hint])
}

function noFileFor(target: Target, pods: readonly FilePod[]): Failure {
  const names = pods.slice(0, 5).map(({ref}) => podKey(ref))
  return {
    route: 'file',
    stage: 'select',
    code: 'not-found',
    message: `Cannot find ${target.resource === 'pods' ? 'pod ' : ''}${target.text} in the files: none speaks for it`,
    hint: `The files speak for ${names.join(', ')}${pods.length > names.length ? ', …' : ''}`,
  }
}
