import {countOf, countText} from '../domain/count-text.ts'
import type {PodItem, Verdict} from '../domain/report.ts'
import type {Watch} from '../flow/watch.ts'
import {durationText} from '../report/time-text.ts'
import {isCi} from './color.ts'
import type {Io} from './io.ts'

/** A run that is over sooner has no need of it, ms. */
const QUIET_MS = 1000
const BETWEEN_MS = 250

/** Erases the line, and stands at its beginning. */
const ERASE = '\r\u001B[2K'

/** How far a run is, for people who wait for it: one line of a terminal, rewritten in place. */
export class Progress implements Watch, Disposable {
  readonly #io: Io
  readonly #startedMs: number
  readonly #timer: NodeJS.Timeout
  readonly #verdicts = new Map<Verdict, number>()
  #done = 0
  #listed = 0
  #selected = 0
  #remaining: number | undefined
  #isShown = false

  constructor(io: Io) {
    this.#io = io
    this.#startedMs = io.nowMs()
    this.#timer = setInterval(() => this.#paint(), BETWEEN_MS)
    this.#timer.unref()
  }

  listed(pods: number, selected: number, remaining: number | undefined): void {
    this.#listed += pods
    this.#selected += selected
    this.#remaining = remaining
  }

  looked({verdict}: PodItem): void {
    this.#done += 1
    this.#verdicts.set(verdict, (this.#verdicts.get(verdict) ?? 0) + 1)
  }

  /** Takes the line away, so that something else can be written. */
  clear(): void {
    if (this.#isShown) this.#io.stderr.write(ERASE)
    this.#isShown = false
  }

  ended(): void {
    clearInterval(this.#timer)
    this.clear()
  }

  [Symbol.dispose](): void {
    this.ended()
  }

  #paint(): void {
    const elapsedMs = this.#io.nowMs() - this.#startedMs
    if (elapsedMs < QUIET_MS) return
    this.#isShown = true
    this.#io.stderr.write(`${ERASE}${this.#text(elapsedMs)}`)
  }

  #text(elapsedMs: number): string {
    const rate = this.#done / (elapsedMs / 1000)
    const total = this.#total()
    const left = total === undefined || rate === 0 ? 0 : Math.ceil((total - this.#done) / rate)
    return [
      total === undefined ? countOf(this.#done, 'pod') : `${countText(this.#done)} of ${countOf(total, 'pod')}`,
      `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`,
      ...(left === 0 ? [] : [`${durationText(left)} left`]),
      ...(['fail', 'warn', 'unknown'] as const).flatMap((verdict) => {
        const count = this.#verdicts.get(verdict)
        return count === undefined ? [] : [`${countText(count)} ${verdict}`]
      }),
    ].join(', ')
  }

  /** Of the pods that are not listed yet as many count as of those that are. */
  #total(): number | undefined {
    if (this.#remaining === undefined || this.#listed === 0) return undefined
    return this.#selected + Math.round((this.#remaining * this.#selected) / this.#listed)
  }
}

/** Whether somebody watches who wants to see it: never in CI, nor where the answer streams to the same terminal. */
export function wantsProgress(io: Io, isAnswerLast: boolean, quiet: boolean): boolean {
  const {TERM} = io.env
  return io.isStderrTerminal && !quiet && !isCi(io.env) && TERM !== 'dumb' && (isAnswerLast || !io.isStdoutTerminal)
}

/** The process with a stderr before whose texts the line of progress is taken away. */
export function behindProgress(io: Io, progress: Progress): Io {
  const {stderr} = io
  return {
    ...io,
    stderr: {
      write(text) {
        progress.clear()
        return stderr.write(text)
      },
    },
  }
}
