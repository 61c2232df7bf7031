import {open, realpath, rename, rm, stat, type FileHandle} from 'node:fs/promises'
import {dirname, join, basename, resolve} from 'node:path'
import {errorCode} from '../cluster/error-text.ts'
import {RunError} from '../domain/failure.ts'
import type {Io} from './io.ts'
import {type ExtraFormat, type OutputFormat, parseOutputFormat} from '../report/output-format.ts'

/** What `--output-file FORMAT=PATH` asks for. */
export interface OutputFile {
  readonly format: OutputFormat
  readonly path: string
  /** Added to what is there, where others write too. */
  readonly isAdded: boolean
}

/** Reads `--output-file` flags. Throws RunError (usage) for what is none, and for a path that is given twice. */
function readOutputFiles(texts: readonly string[], more: readonly ExtraFormat[], cwd: string): readonly OutputFile[] {
  const files = texts.map((text): OutputFile => {
    // A template may hold the sign as well: the path stands behind the last one.
    const at = text.lastIndexOf('=')
    const path = text.slice(at + 1)
    if (at < 1 || path === '' || path === '-')
      throw new RunError(
        2,
        'bad-flag',
        `Bad value for --output-file: expected FORMAT=PATH, got ${JSON.stringify(text)}`,
      )
    return {format: parseOutputFormat(text.slice(0, at), more), path: resolve(cwd, path), isAdded: false}
  })
  const paths = files.map(({path}) => path)
  const twice = paths.find((path, index) => paths.indexOf(path) !== index)
  if (twice !== undefined) throw new RunError(2, 'bad-flag', `--output-file names ${twice} twice`)
  return files
}

/**
 * What is written beside stdout: what the flags ask for, and where annotations of GitHub Actions go to stdout, the
 * summary of its step.
 */
export function readOutputs(
  flags: {readonly 'output-file'?: readonly string[] | undefined},
  {type}: OutputFormat,
  more: readonly ExtraFormat[],
  {cwd, env}: Pick<Io, 'cwd' | 'env'>,
): readonly OutputFile[] {
  const files = readOutputFiles(flags['output-file'] ?? [], more, cwd)
  const path = env['GITHUB_STEP_SUMMARY']
  if (type !== 'github' || path === undefined || path === '') return files
  return [...files, {format: {type: 'markdown'}, path, isAdded: true}]
}

/** Opens all of them before anything is asked, and leaves none behind that did not become whole. */
export async function withFiles<T>(
  outputs: readonly OutputFile[],
  work: (files: readonly PendingFile[]) => Promise<T>,
): Promise<T> {
  const files: PendingFile[] = []
  try {
    for (const output of outputs) files.push(await openPending(output))
    return await work(files)
  } finally {
    for (const file of files) await file.drop()
  }
}

/** A file that is being written: it takes its name only once it is whole. */
export interface PendingFile {
  readonly file: OutputFile
  write(text: string): Promise<void>
  /** Gives it its name. */
  keep(): Promise<void>
  /** Leaves no trace of it, unless it was kept. */
  drop(): Promise<void>
}

/** Opens a file beside the one that is to be. Throws RunError (usage) where that cannot be written. */
async function openPending(file: OutputFile): Promise<PendingFile> {
  const {isAdded} = file
  const path = isAdded ? file.path : await placeOf(file.path)
  const temporary = isAdded ? path : join(dirname(path), `.${basename(path)}.${process.pid}.part`)
  const handle = await attempt(path, async () => await open(temporary, isAdded ? 'a' : 'w'))
  let isOpen = true
  const close = async (): Promise<void> => {
    if (isOpen) await handle.close()
    isOpen = false
  }
  return {
    file,
    write: async (text) => await attempt(path, async () => await writeWhole(handle, text)),
    async keep() {
      await attempt(path, async () => {
        await close()
        if (!isAdded) await rename(temporary, path)
      })
    },
    async drop() {
      await close()
      // Where it was kept nothing is left under that name.
      if (!isAdded) await rm(temporary, {force: true})
    },
  }
}

/**
 * Where a link leads, so that the link stays. A name that something else than a file has is not taken from it: a
 * device that another file takes the place of is gone for everybody.
 */
async function placeOf(path: string): Promise<string> {
  return await attempt(path, async () => {
    const known = await stat(path).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return
      throw error
    })
    if (known === undefined) return path
    if (known.isFile()) return await realpath(path)
    const reason = known.isDirectory() ? 'it is a folder' : 'it is no file, but a device, a pipe or a socket'
    throw new RunError(2, UNWRITABLE, `Cannot write ${path}: ${reason}`)
  })
}

async function writeWhole(handle: FileHandle, text: string): Promise<void> {
  await handle.appendFile(text)
}

/** Whether a file could not be written, as opposed to what is told in it. */
export function isUnwritable(error: unknown): error is RunError {
  return error instanceof RunError && error.code === UNWRITABLE
}

const UNWRITABLE = 'unwritable'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a folder',
  ENOSPC: 'no space is left',
}

async function attempt<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = errorCode(error)
    if (error instanceof RunError || code === '') throw error
    throw new RunError(2, UNWRITABLE, `Cannot write ${path}: ${REASONS[code] ?? code}`, [], {cause: error})
  }
}
