import {ProbeError} from '../../domain/failure.ts'
import type {PodRef} from '../../domain/pod.ts'
import type {Form, HttpForm} from '../../domain/question.ts'
import {getOverStream, type HttpAnswer, StreamAgent} from '../streams/http-over-stream.ts'
import {podName} from '../pod-path.ts'
import {openPortForward, type PortForward} from '../streams/port-forward.ts'
import type {RawAnswer} from '../streams/raw-answer.ts'
import {type DialLimit, limitDial, type PodRoute, type RouteRequest, unlessAborted} from './routes.ts'
import type {KubeSession} from '../connect/session.ts'
import {Turns} from '../streams/turns.ts'

/** A port's connection, kept for the next request. */
interface Line {
  readonly forward: PortForward
  readonly agent: StreamAgent
}

/**
 * HTTP over forwarded ports, without a local port. One WebSocket carries all the ports that are foreseen; another is
 * opened for an unforeseen port, and where the other end has ended a port's connection. Requests to one port go one
 * after the other, so answers are to be read as they come.
 */
export class PortForwardRoute implements PodRoute {
  readonly route = 'port-forward'
  readonly #session: KubeSession
  readonly #pod: PodRef
  readonly #foreseen: readonly number[]
  readonly #nowMs: () => number
  readonly #closing = new AbortController()
  readonly #turns = new Turns<number>()
  readonly #lines = new Map<number, Line>()
  readonly #forwards = new Set<PortForward>()
  #shared: Promise<PortForward> | undefined
  /** Ports whose connection on the shared socket has been handed out; each has but one. */
  readonly #taken = new Set<number>()

  constructor(session: KubeSession, pod: PodRef, ports: readonly number[], nowMs: () => number) {
    this.#session = session
    this.#pod = pod
    this.#foreseen = [...new Set(ports)]
    this.#nowMs = nowMs
  }

  obstacle(form: Form): string | undefined {
    if (form.type !== 'http') return 'a forwarded port carries HTTP alone'
    return form.socket === undefined ? undefined : 'a Unix socket cannot be forwarded'
  }

  async get(request: RouteRequest): Promise<RawAnswer> {
    const {form, signal} = request
    if (form.type !== 'http') throw new Error('Not an HTTP form')
    const endTurn = await this.#turns.take(form.port, signal)
    try {
      const answer = await this.#getTwice(form, request)
      void answer.finished.then(endTurn)
      return answer
    } catch (error) {
      endTurn()
      throw error
    }
  }

  close(): void {
    const message = `Cannot forward ports of ${podName(this.#pod)}: nobody waits for them any more`
    this.#closing.abort(new ProbeError({stage: 'dial', code: 'connection-lost', message}))
    for (const forward of this.#forwards) forward.close()
    for (const {agent} of this.#lines.values()) agent.destroy()
  }

  /** A connection that goes before any answer is tried once more: an idle one may have ended meanwhile. */
  async #getTwice(form: HttpForm, request: RouteRequest): Promise<HttpAnswer> {
    const limit = limitDial(request, `forward port ${form.port} of ${podName(this.#pod)}`)
    try {
      return await this.#getOnce(form, request, limit)
    } catch (error) {
      const isLost = error instanceof ProbeError && error.failure.code === 'connection-lost'
      if (!isLost || limit.signal.aborted || this.#closing.signal.aborted) throw error
      return await this.#getOnce(form, request, limit)
    } finally {
      limit.dialled()
    }
  }

  async #getOnce(form: HttpForm, request: RouteRequest, limit: DialLimit): Promise<HttpAnswer> {
    const {port, headers} = form
    const {forward, agent} = await this.#line(port, limit.signal)
    void forward.answered.then(() => limit.dialled())
    try {
      const answer = await getOverStream(agent, {
        path: request.path,
        ...(headers !== undefined && {headers}),
        where: `port ${port} of ${podName(this.#pod)}`,
        hasFailed: () => forward.hasFailed(port),
        explainEnd: () => forward.explainEnd(port),
        nowMs: this.#nowMs,
        signal: limit.signal,
      })
      if (!answer.endsWithConnection || forward.ports.length === 1) return answer
    } catch (error) {
      this.#drop(port, agent)
      throw error
    }
    // The end of one port's connection is not told while the socket carries others: such an answer needs its own.
    this.#drop(port, agent)
    return await this.#getOnce(form, request, limit)
  }

  #drop(port: number, agent: StreamAgent): void {
    this.#lines.delete(port)
    agent.destroy()
  }

  async #line(port: number, signal: AbortSignal): Promise<Line> {
    const kept = this.#lines.get(port)
    if (kept !== undefined) {
      if (kept.forward.isOpen && kept.agent.isUsable && !kept.forward.hasFailed(port)) return kept
      this.#drop(port, kept.agent)
    }
    const forward = await this.#forward(port, signal)
    const line = {forward, agent: new StreamAgent(forward.stream(port))}
    this.#lines.set(port, line)
    return line
  }

  async #forward(port: number, signal: AbortSignal): Promise<PortForward> {
    if (this.#foreseen.includes(port) && !this.#taken.has(port)) {
      this.#shared ??= this.#open(this.#foreseen)
      const forward = await unlessAborted(this.#shared, signal)
      this.#taken.add(port)
      if (forward.isOpen || forward.hasFailed(port)) return forward
    }
    return await unlessAborted(this.#open([port]), signal, (late) => late.close())
  }

  /** Under this route's own signal: others may wait for the same. */
  async #open(ports: readonly number[]): Promise<PortForward> {
    const {signal} = this.#closing
    try {
      const forward = await openPortForward(this.#session, this.#pod, ports, signal)
      this.#forwards.add(forward)
      if (signal.aborted) forward.close()
      return forward
    } catch (error) {
      if (ports === this.#foreseen) this.#shared = undefined
      throw error
    }
  }
}
