import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {SandboxUserName} from '../../src/lib/sandbox/api/users.ts'
import {type Sandbox, type SandboxOptions, startSandbox} from '../../src/lib/sandbox/start-sandbox.ts'
import {type Ran, runCommand} from './run-command.ts'

/** The moment at which everything happens in a test that compares whole texts. */
const NOW_MS = Date.parse('2026-06-01T12:00:00Z')

/** Who logs in, and where the context stands. */
interface As {
  readonly user?: SandboxUserName | 'client-certificate'
  readonly namespace?: string
  readonly env?: Readonly<Record<string, string>>
  readonly columns?: number
  readonly stdin?: string
  /** Used in place of the sandbox's own kubeconfig. */
  readonly kubeconfig?: string
}

/** A sandbox, and commands that run against it in this process. */
export interface OpenSandbox {
  readonly sandbox: Sandbox
  /** Runs a command line, its words separated by blanks; the clock stands where the sandbox's stands. */
  run(line: string, as?: As): Promise<Ran>
  close(): Promise<void>
}

/** Starts a sandbox whose clock stands still, unless told otherwise. */
export async function openSandbox(options: SandboxOptions = {}): Promise<OpenSandbox> {
  const nowMs = options.nowMs ?? ((): number => NOW_MS)
  const sandbox = await startSandbox({...options, nowMs})
  const folder = mkdtempSync(join(tmpdir(), 'agentctl-test-'))
  const path = join(folder, 'kubeconfig')
  return {
    sandbox,
    run: async (line, {user = 'admin', namespace, env = {}, columns, stdin, kubeconfig} = {}) => {
      writeFileSync(path, kubeconfig ?? sandbox.kubeconfig(user, namespace), {mode: 0o600})
      const words = line.split(' ').filter((word) => word !== '')
      return await runCommand(words, {
        nowMs,
        env: {KUBECONFIG: path, ...env},
        ...(columns !== undefined && {columns}),
        ...(stdin !== undefined && {stdin}),
      })
    },
    close: async () => {
      await sandbox.close()
      rmSync(folder, {recursive: true, force: true})
    },
  }
}

/** A table without what differs from run to run: serial numbers, and the blanks that their width decides. */
export function settled(text: string): string {
  return text
    .replaceAll(/\b[0-9a-f]{26,40}\b/g, 'SERIAL')
    .replaceAll(/ {2,}/g, '  ')
    .replaceAll(/ +$/gm, '')
}

/** The facts of a document that tests look at. */
export interface Doc {
  readonly kind: string
  readonly items: readonly DocItem[]
  readonly page: {readonly continue?: string; readonly consistent: boolean; readonly remaining?: number}
  readonly stopped?: {readonly code: string; readonly message: string}
  readonly fleet: {readonly complete: boolean}
  readonly summary: Readonly<Record<string, number>>
}

interface DocItem {
  readonly context: string
  readonly namespace: string
  readonly pod: string
  readonly verdict: string
  readonly agentKind: string
  readonly skipped?: {readonly code: string}
  readonly failures?: readonly {
    readonly side?: string
    readonly source?: string
    readonly code: string
    readonly message: string
    readonly hint?: string
  }[]
  readonly findings?: readonly {readonly rule: string}[]
  readonly secrets?: readonly {
    readonly resource_name: string
    readonly result: string
    readonly compared_by: string
  }[]
}

/** Reads a command's JSON. */
export function documentOf({stdout}: Ran): Doc {
  return JSON.parse(stdout) as Doc
}
