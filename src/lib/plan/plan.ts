import type {Failure} from '../domain/failure.ts'
import type {Question, Side, Source} from '../domain/question.ts'
import type {Via} from './routes-for.ts'

export type Purpose = 'list' | 'diff' | 'mesh-roots' | 'check'

/** What a command wants to know of its pods. */
export interface Wants {
  readonly sides: readonly Side[]
  /** `--source`: of a side that one of these speaks for, nothing else is asked; the other side is as it would be. */
  readonly sources?: readonly Source[]
  /** `--no-source`: not asked, and no failure. */
  readonly exclude: readonly Source[]
  readonly via: Via
  /** `--sds`: the agent's SDS socket is asked, which puts its private key on the wire. Nothing else makes it so. */
  readonly sds?: boolean
  /** `--kubernetes-secrets`: Secrets of gateways are read, with the keys in them. Nothing else makes it so. */
  readonly kubernetesSecrets?: boolean
  /** `--secret`: keys of no other secret are to cross the wire. */
  readonly secretNames?: readonly string[]
  /**
   * What is made of the answers: `mesh-roots` needs who trusts what, and no evidence of what the agent has; `diff` needs
   * the published roots as a reference too.
   */
  readonly purpose: Purpose
  /** Where the control plane and its node agents are. */
  readonly istioNamespace: string
  /** `debug get`: this, and nothing else. Without a port, the proxy's admin interface. */
  readonly debug?: {readonly port?: number; readonly path: string}
}

/** What to ask next, and what cannot be asked though it was wanted. */
export interface Plan {
  readonly questions: readonly Question[]
  readonly failures: readonly Failure[]
}
