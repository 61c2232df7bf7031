import {type Ended, runCommand, tryCommand} from '../run-command.ts'

/** kubectl, on this cluster as its admin. */
export class Kubectl {
  readonly #program: string
  readonly #env: NodeJS.ProcessEnv

  constructor(program: string, kubeconfig: string) {
    this.#program = program
    this.#env = {...process.env, KUBECONFIG: kubeconfig, HOME: '/nonexistent'}
  }

  /** Its output. Throws where it ends with another code than 0. */
  async run(args: readonly string[], input = ''): Promise<string> {
    return await runCommand([this.#program, ...args], {env: this.#env, input})
  }

  /** How it ends, whatever that is. */
  async try(args: readonly string[], input = ''): Promise<Ended> {
    return await tryCommand([this.#program, ...args], {env: this.#env, input})
  }

  /** Creates or changes objects. */
  async apply(objects: readonly object[]): Promise<void> {
    const list = {apiVersion: 'v1', kind: 'List', items: objects}
    await this.run(['apply', '--server-side', '--force-conflicts', '-f', '-'], JSON.stringify(list))
  }

  /** One object. */
  async get(...args: readonly string[]): Promise<unknown> {
    return JSON.parse(await this.run(['get', '-o', 'json', ...args]))
  }
}
