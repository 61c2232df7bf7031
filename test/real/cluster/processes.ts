import {spawn} from 'node:child_process'
import {openSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

/** Starts the cluster's processes, each with a log of its own. All of them end with the namespaces they are in. */
export class Processes {
  readonly #logs: string
  readonly #onEnd: (why: string) => void

  /** `onEnd` is told of a process that ends: none of them should. */
  constructor(logs: string, onEnd: (why: string) => void) {
    this.#logs = logs
    this.#onEnd = onEnd
  }

  start(name: string, [program, ...args]: readonly [string, ...string[]], env = process.env): void {
    const path = join(this.#logs, `${name}.log`)
    const log = openSync(path, 'a')
    const child = spawn(program, args, {env, stdio: ['ignore', log, log]})
    child.once('error', (error) => this.#onEnd(`Cannot run ${program}: ${error.message}`))
    child.once('exit', (code, signal) => {
      const tail = readFileSync(path, 'utf8').trimEnd().split('\n').slice(-3).join('\n')
      this.#onEnd(`${name} has ended with ${String(code ?? signal)}; its log ends with:\n${tail}`)
    })
  }
}
