import {execFile} from 'node:child_process'
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import type {Sandbox} from '../../src/lib/sandbox/start-sandbox.ts'
import {keyNeedles} from './key-needles.ts'

const CANARY = 'ba4c1b7e-canary-of-the-heap'

/** What a reader in a process of its own left behind. */
export interface Leftovers {
  /** All that it kept. */
  readonly kept: Buffer
  readonly heap: Buffer
  /** The heap snapshot is whole: a text that was made last is in it. */
  readonly isHeapWhole: boolean
  /** stdout and stderr. */
  readonly printed: string
  /** Files in its temporary directory. */
  readonly temporary: readonly string[]
}

/**
 * Runs one of the clients that keep all they read (`keepAll`). Whoever holds the key is in this process, so that the
 * child can have it from the wire alone.
 */
export async function readApart(
  client: 'sds-client' | 'secret-client',
  sandbox: Sandbox,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Leftovers> {
  const folder = mkdtempSync(join(tmpdir(), 'agentctl-apart-'))
  try {
    const kubeconfig = join(folder, 'config')
    writeFileSync(kubeconfig, sandbox.kubeconfig(), {mode: 0o600})
    const script = join(import.meta.dirname, `${client}.ts`)
    const {stdout, stderr} = await promisify(execFile)(
      process.execPath,
      [script, kubeconfig, Buffer.from(CANARY).toString('base64'), folder, ...args],
      {env: {...env}, maxBuffer: 64 * 1024 * 1024},
    )
    const heap = readFileSync(join(folder, 'heap'))
    return {
      kept: readFileSync(join(folder, 'kept')),
      heap,
      isHeapWhole: heap.includes(CANARY),
      printed: `${stdout}\n${stderr}`,
      temporary: readdirSync(join(folder, 'tmp')),
    }
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

/** Which pieces of a key are in the bytes, by number: a failing test must not print them. */
export function piecesOfKey(pem: string, bytes: Buffer): readonly number[] {
  return keyNeedles(pem).flatMap((needle, index) => (bytes.includes(needle) ? [index] : []))
}
