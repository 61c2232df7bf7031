import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {AnswerPart} from '../../../src/lib/domain/answer.ts'
import {ProbeError} from '../../../src/lib/domain/failure.ts'
import {podKey} from '../../../src/lib/domain/pod.ts'
import type {Selection} from '../../../src/lib/domain/selection.ts'
import {parseFileArgument} from '../../../src/lib/files/file-argument.ts'
import {type FileSet, openFiles} from '../../../src/lib/files/open-files.ts'

export const NOW = Date.parse('2026-06-01T12:00:00Z')

const ALL: Selection = {targets: [], namespaces: [], nodes: [], kinds: []}

/** Path of a fixture. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/files/${name}`, import.meta.url))
}

/** A directory that is gone with the test. */
export class Scratch implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'files-'))

  write(name: string, content: string | Buffer): string {
    const path = join(this.path, name)
    writeFileSync(path, content)
    return path
  }

  [Symbol.dispose](): void {
    rmSync(this.path, {recursive: true})
  }
}

export interface Opening {
  readonly selection?: Partial<Selection>
  readonly stdin?: AsyncIterable<Uint8Array>
  readonly notices?: string[]
  readonly signal?: AbortSignal
}

/** Opens files as `--file` names them. */
export async function open(files: readonly string[], opening: Opening = {}): Promise<FileSet> {
  return await openFiles(files.map(parseFileArgument), {
    selection: {...ALL, ...opening.selection},
    stdin: opening.stdin ?? pieces([]),
    nowMs: NOW,
    notice: (text, about) => opening.notices?.push(about === undefined ? text : `${podKey(about)}: ${text}`),
    signal: opening.signal ?? new AbortController().signal,
  })
}

export async function* pieces(chunks: readonly (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.concat([Buffer.from(chunk)])
}

/** Names of all pods, in list order. */
export async function pods(set: FileSet): Promise<string[]> {
  const names: string[] = []
  for await (const page of set.pages(undefined, new AbortController().signal)) names.push(...page.pods.map(podKey))
  return names
}

/** A part of an answer, read to its end. */
export interface ReadPart extends Omit<AnswerPart, 'body'> {
  readonly text: string
}

export async function readPart({body, ...part}: AnswerPart): Promise<ReadPart> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return {...part, text: Buffer.concat(chunks).toString('latin1')}
}

/** All that is said of a pod: `source side: base names`, or the code of the failure. */
export async function said(set: FileSet, key: string): Promise<string[]> {
  const [namespace = '', name = ''] = key.split('/')
  const lines: string[] = []
  for (const answer of set.answersFor({namespace, name})) {
    try {
      const {question, parts} = await answer()
      const names: string[] = []
      for await (const part of parts) names.push(part.path.split('/').at(-1) ?? '')
      lines.push(`${question.source} ${question.side}: ${names.join(', ')}`)
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error
      const {code, side, message} = error.failure
      lines.push(`${code} ${side ?? 'either'}: ${message.replace(/\/\S*\//, '')}`)
    }
  }
  return lines
}

/** All pods with what is said of each. */
export async function everything(set: FileSet): Promise<Record<string, string[]>> {
  const entries: [string, string[]][] = []
  for (const key of await pods(set)) entries.push([key, await said(set, key)])
  return Object.fromEntries(entries)
}
