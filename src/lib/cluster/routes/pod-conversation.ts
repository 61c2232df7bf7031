import type {Conversation, Notice} from '../../domain/access.ts'
import type {Answer} from '../../domain/answer.ts'
import {ProbeError} from '../../domain/failure.ts'
import type {PodRef} from '../../domain/pod.ts'
import {type Form, type Question, type Route, wordsOf} from '../../domain/question.ts'
import {endedBy, growingPieces, limitBytes} from './answer-body.ts'
import {answerParts} from './answer-parts.ts'
import {scrubSecret} from '../../scrub/scrub-secret.ts'
import {podName, readApiPath} from '../pod-path.ts'
import type {RawAnswer} from '../streams/raw-answer.ts'
import type {PodRoute} from './routes.ts'
import {leadsOn, mostTelling, type TriedRoute, withContext} from './tried-routes.ts'

/** What a conversation is made of. */
export interface ConversationParts {
  readonly pod: PodRef
  readonly routes: readonly PodRoute[]
  /** Ways that are forbidden, by route and namespace: shared by all conversations, and added to by each. */
  readonly forbidden: Map<string, ProbeError>
  readonly notice: Notice
  /** When the signals of `ask` fire, ms since 1970. */
  readonly deadlineAtMs?: number
  readonly allows: (route: Route) => boolean
  readonly nowMs: () => number
  readonly scrub: (body: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
}

/** For programs in the pod that end themselves, where nobody gave a deadline. */
const UNBOUNDED_MS = 60_000

/** In place of a path: the secrets of a socket are one answer. */
const SOCKET = 'the SDS socket'

/** A route, and the forms of one question that it can carry, by their place in the question. */
interface Way {
  readonly route: PodRoute
  readonly forms: readonly (readonly [place: number, form: Form])[]
}

export class PodConversation implements Conversation {
  readonly #parts: ConversationParts
  readonly #name: string
  /** Ways to this pod that were found impossible. */
  readonly #impossible = new Map<Route, ProbeError>()

  constructor(parts: ConversationParts) {
    this.#parts = parts
    this.#name = podName(parts.pod)
  }

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const ways = this.#ways(question)
    const tried: TriedRoute[] = []
    for (const [place, way] of ways.entries()) {
      const {route} = way.route
      const known = this.#known(route)
      if (known !== undefined) {
        tried.push({route, error: known})
        continue
      }
      const canFollow = ways.slice(place + 1).some(({route}) => this.#known(route.route) === undefined)
      try {
        return await this.#askBy(way, question, signal, canFollow)
      } catch (error) {
        if (signal.aborted) throw this.#interrupted(question, signal, way.route.route, tried)
        if (!(error instanceof ProbeError)) throw error
        tried.push({route, error})
        if (!leadsOn(error)) break
        this.#remember(route, error, canFollow)
      }
    }
    throw mostTelling(tried, question)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const route of this.#parts.routes) route.close()
  }

  /** The ways that can carry the question at all. Throws ProbeError where none can. */
  #ways(question: Question): readonly Way[] {
    const ways: Way[] = []
    const obstacles: string[] = []
    for (const name of question.routes) {
      const route = this.#parts.routes.find(({route}) => route === name)
      if (route === undefined || !this.#parts.allows(name)) continue
      const forms = [...question.forms.entries()].filter(([, form]) => route.obstacle(form) === undefined)
      if (forms.length > 0) ways.push({route, forms})
      else obstacles.push(`${name}: ${route.obstacle(question.forms[0])}`)
    }
    if (ways.length > 0) return ways
    const why = obstacles.length > 0 ? obstacles.join('; ') : `it is reached by ${question.routes.join(' or ')} alone`
    const message = `Cannot ask ${this.#name} for ${question.source}: ${why}`
    const {side, source} = question
    throw new ProbeError({side, source, stage: 'dial', code: 'no-source', message, hint: 'Use --via auto'})
  }

  #known(route: Route): ProbeError | undefined {
    return this.#impossible.get(route) ?? this.#parts.forbidden.get(this.#forbiddenKey(route))
  }

  #forbiddenKey(route: Route): string {
    return `${route} ${this.#parts.pod.namespace}`
  }

  #remember(route: Route, error: ProbeError, canFollow: boolean): void {
    // Which program is missing depends on the container and the form, and the API's own objects each have their rights.
    if (error.failure.code === 'command-missing' || route === 'api') return
    if (error.failure.code !== 'forbidden') {
      this.#impossible.set(route, error)
      return
    }
    const key = this.#forbiddenKey(route)
    if (canFollow && !this.#parts.forbidden.has(key)) {
      this.#parts.notice(`${error.failure.message}; another way is tried`)
    }
    this.#parts.forbidden.set(key, error)
  }

  /** Asks the forms one after the other until one is not refused. */
  async #askBy(way: Way, question: Question, signal: AbortSignal, canFollow: boolean): Promise<Answer> {
    const last = way.forms.at(-1)?.[0]
    for (const [place, form] of way.forms) {
      const paths = form.type === 'sds' ? [SOCKET] : wordsOf(form)
      const fetch = (path: string): Promise<RawAnswer> =>
        way.route.get({
          form,
          path,
          container: question.container,
          signal,
          dialBudgetMs: () => (canFollow ? this.#third() : undefined),
          timeLeftMs: () => this.#leftMs() ?? UNBOUNDED_MS,
        })
      const first = await fetch(paths[0] ?? '/')
      const isRefused = refusalsOf(form).includes(first.status)
      if (isRefused && place !== last) {
        first.discard()
        continue
      }
      const parts = answerParts({
        first,
        paths,
        fetch,
        clean: (body, path) =>
          this.#doorOf(form, path)(growingPieces(limitBytes(body, question.maxBytes, `${path} of ${this.#name}`))),
        told: (error) => this.#told(error, question, signal, way.route.route),
      })
      return {question, form: place, route: way.route.route, parts}
    }
    throw new Error('A way without forms')
  }

  /** A Secret of Kubernetes passes by its certificates alone, whoever asks for it. */
  #doorOf(form: Form, path: string): ConversationParts['scrub'] {
    const isSecret = form.type === 'api' && readApiPath(path)?.resource === 'secrets'
    return isSecret ? scrubSecret : this.#parts.scrub
  }

  #told(error: unknown, question: Question, signal: AbortSignal, route: Route): unknown {
    if (signal.aborted) return this.#interrupted(question, signal, route, [])
    return error instanceof ProbeError ? withContext(error, question, route) : error
  }

  #interrupted(question: Question, signal: AbortSignal, route: Route, tried: readonly TriedRoute[]): unknown {
    const ended = endedBy(signal, `${nameOf(question)} of ${this.#name} by ${route}`)
    return ended instanceof ProbeError ? mostTelling([{route, error: ended}, ...tried], question) : ended
  }

  #leftMs(): number | undefined {
    const {deadlineAtMs, nowMs} = this.#parts
    return deadlineAtMs === undefined ? undefined : Math.max(0, deadlineAtMs - nowMs())
  }

  #third(): number | undefined {
    const leftMs = this.#leftMs()
    return leftMs === undefined ? undefined : leftMs / 3
  }
}

/** What was asked for, in a word; a debug question is known by its path alone. */
function nameOf({source, forms: [form]}: Question): string {
  return source === 'debug' && form.type === 'http' ? form.paths.join(', ') : source
}

/** Statuses of an answer that lead on to the next form. */
function refusalsOf(form: Form): readonly number[] {
  return form.type === 'http' || form.type === 'api' ? (form.refusals ?? []) : []
}
