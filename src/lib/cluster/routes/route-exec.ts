import {ProbeError} from '../../domain/failure.ts'
import {hintForMissing} from '../streams/explain-command.ts'
import type {PodRef} from '../../domain/pod.ts'
import type {Form, SdsForm} from '../../domain/question.ts'
import {type CommandRun, runCommand, runSpokenCommand, type SpokenCommand} from '../streams/command-run.ts'
import {type CommandDialect, httpCommands} from '../streams/http-commands.ts'
import {podName} from '../pod-path.ts'
import type {RawAnswer} from '../streams/raw-answer.ts'
import {readCommandAnswer, readFileAnswer} from '../streams/read-command-answer.ts'
import {limitDial, type PodRoute, type RouteRequest, unlessAborted} from './routes.ts'
import type {KubeSession} from '../connect/session.ts'

interface Candidate {
  readonly dialect: CommandDialect | 'cat' | '/bin/cat'
  readonly words: readonly string[]
}

/** Commands from a closed list, run in the container; which of them the image has is learned once. */
export class ExecRoute implements PodRoute {
  readonly route = 'exec'
  readonly #session: KubeSession
  readonly #pod: PodRef
  readonly #nowMs: () => number
  readonly #tempDir: string
  /** Programs that a container's image does not have. */
  readonly #missing = new Map<string, ProbeError>()
  readonly #runs = new Set<CommandRun>()
  #isClosed = false

  /** `tempDir` is where the bridge to a Unix socket may make a directory. */
  constructor(session: KubeSession, pod: PodRef, nowMs: () => number, tempDir: string) {
    this.#session = session
    this.#pod = pod
    this.#nowMs = nowMs
    this.#tempDir = tempDir
  }

  obstacle(form: Form): string | undefined {
    return form.type === 'api' ? 'it is an object of the API server' : undefined
  }

  async get(request: RouteRequest): Promise<RawAnswer> {
    const {container, form} = request
    if (form.type === 'sds') return await this.#twice(request, async () => await this.#readSecrets(request, form))
    const candidates = this.#candidates(request)
    for (const candidate of candidates) {
      const key = JSON.stringify([container, candidate.words[0]])
      if (this.#missing.has(key)) continue
      try {
        return await this.#twice(request, async () => await this.#run(request, candidate))
      } catch (error) {
        if (!(error instanceof ProbeError) || !isMissing(error)) throw error
        this.#missing.set(key, error)
      }
    }
    const tried = candidates.map(({words}) => words[0]).join(', ')
    throw new ProbeError({
      stage: 'dial',
      code: 'command-missing',
      message: `Cannot run a command in ${podName(this.#pod)} (${container}): its image has none of ${tried}`,
      hint: hintForMissing(candidates[0]?.words[0] ?? ''),
    })
  }

  close(): void {
    this.#isClosed = true
    for (const run of this.#runs) run.close()
  }

  #candidates({form, path, timeLeftMs}: RouteRequest): readonly Candidate[] {
    if (form.type === 'api' || form.type === 'sds') throw new Error('Not a form for a command')
    if (form.type === 'http') return httpCommands(form, path, timeLeftMs() / 1000)
    return (['cat', '/bin/cat'] as const).map((cat) => ({dialect: cat, words: [cat, '--', path]}))
  }

  /** A connection that goes before any of the answer is tried once more. */
  async #twice(request: RouteRequest, ask: () => Promise<RawAnswer>): Promise<RawAnswer> {
    try {
      return await ask()
    } catch (error) {
      const isLost = error instanceof ProbeError && error.failure.code === 'connection-lost'
      if (!isLost || request.signal.aborted || this.#isClosed) throw error
      return await ask()
    }
  }

  /** gRPC is loaded by who needs it alone. */
  async #readSecrets(request: RouteRequest, form: SdsForm): Promise<RawAnswer> {
    const {readSecrets} = await import('../sds/read-secrets.ts')
    const {container, signal, timeLeftMs} = request
    return await readSecrets({
      form,
      container,
      signal,
      timeLeftMs,
      pod: this.#pod,
      tempDir: this.#tempDir,
      nowMs: this.#nowMs,
      start: async (words) => await this.#startSpoken(request, words),
    })
  }

  async #startSpoken(request: RouteRequest, words: readonly string[]): Promise<SpokenCommand> {
    const {container, signal} = request
    const limit = limitDial(request, `run a command in ${podName(this.#pod)}`)
    try {
      const started = runSpokenCommand(this.#session, this.#pod, container, words, limit.signal)
      const run = await unlessAborted(started, limit.signal, (late) => late.close())
      const stop = (): void => run.close()
      signal.addEventListener('abort', stop, {once: true})
      run.stdin.once('close', () => {
        signal.removeEventListener('abort', stop)
        this.#runs.delete(run)
      })
      this.#runs.add(run)
      return run
    } finally {
      limit.dialled()
    }
  }

  async #run(request: RouteRequest, {dialect, words}: Candidate): Promise<RawAnswer> {
    const {container} = request
    const place = {pod: this.#pod, container, command: words}
    const run = await this.#start(request, words)
    const stop = (): void => run.close()
    request.signal.addEventListener('abort', stop, {once: true})
    this.#runs.add(run)
    const answer =
      dialect === 'cat' || dialect === '/bin/cat'
        ? readFileAnswer(run, place, this.#nowMs)
        : readCommandAnswer(dialect, run, place, this.#nowMs)
    const {body, ...head} = await unlessAborted(answer, request.signal, ({discard}) => discard())
    return {...head, body: endingWith(body, request.signal, () => this.#runs.delete(run))}
  }

  async #start(request: RouteRequest, words: readonly string[]): Promise<CommandRun> {
    const limit = limitDial(request, `run a command in ${podName(this.#pod)}`)
    try {
      const started = runCommand(this.#session, this.#pod, request.container, words, limit.signal)
      return await unlessAborted(started, limit.signal, (run) => run.close())
    } finally {
      limit.dialled()
    }
  }
}

/** An agent older than one of its flags is as good as none. */
function isMissing({failure}: ProbeError): boolean {
  return (
    failure.code === 'command-missing' ||
    (failure.code === 'command-failed' && /unknown (?:flag|command)/u.test(failure.message))
  )
}

async function* endingWith(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  finish: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    finish()
  }
}
