import type {Notice} from '../../domain/access.ts'

/** kubectl's connection flags, and what of the process they depend on, as values. */
export interface ConnectionOptions {
  /** `--kubeconfig`: one file; wins over `KUBECONFIG`. */
  readonly kubeconfig?: string
  /** `--context`, in the order given; empty means the current one. */
  readonly contexts: readonly string[]
  readonly cluster?: string
  readonly user?: string
  readonly token?: string
  readonly server?: string
  readonly certificateAuthority?: string
  readonly insecureSkipTlsVerify?: boolean
  readonly tlsServerName?: string
  readonly as?: string
  readonly asGroups: readonly string[]
  readonly asUid?: string
  /** For the head of an answer and between two chunks of its body; 0 waits for as long as the caller does. */
  readonly requestTimeoutMs: number
  /** The process environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** The user's home; on Windows `HOME`, `HOMEDRIVE` and `USERPROFILE` of `env` come first, as in client-go. */
  readonly homeDir: string
  readonly platform: NodeJS.Platform
  /** Somebody sits at a terminal: login programs may ask questions. */
  readonly isTerminal: boolean
}

/** What a session needs from its surroundings. */
export interface ConnectionDeps {
  readonly notice: Notice
  /** The clock, ms since 1970. */
  readonly now: () => number
  /** Where a pod finds its service account; Kubernetes' own place unless given. */
  readonly serviceAccountDir?: string
}
