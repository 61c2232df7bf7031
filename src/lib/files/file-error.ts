import {type FailureCode, ProbeError} from '../domain/failure.ts'

/** Something about a file: `Cannot read cart-1.json: there is no such file`. */
export function fileError(name: string, code: FailureCode, reason: string, hint?: string, cause?: unknown): ProbeError {
  return new ProbeError(
    {route: 'file', stage: 'fetch', code, message: `Cannot read ${name}: ${reason}`, ...(hint !== undefined && {hint})},
    {cause},
  )
}

const REASONS: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  ENOENT: [
    'there is no such file',
    'Check the path of --file; a name with = in it is taken as it is, but for agent= and proxy=',
  ],
  ENOTDIR: ['there is no such file', 'Check the path of --file'],
  EACCES: ['permission denied', 'Run as a user who may read it, or copy it'],
  EPERM: ['permission denied', 'Run as a user who may read it, or copy it'],
  ELOOP: ['its symbolic links lead in a circle', 'Give the path of the file itself'],
  EISDIR: ['it is a directory', 'Give each file in it with a --file of its own'],
}

/** What the operating system says of a file, in words. Anything that is no error of its comes back as it is. */
function readError(name: string, error: unknown): unknown {
  if (typeof error !== 'object' || error === null || !('code' in error) || !('syscall' in error)) return error
  if (typeof error.code !== 'string') return error
  const [reason, hint] = REASONS[error.code] ?? [
    `the system says ${error.code}`,
    'Check that the file can be read as a whole',
  ]
  return fileError(name, 'file-unreadable', reason, hint, error)
}

/** What the scrubber does not take in is far larger, or deeper, than the secrets of a proxy are. */
const SMALLER =
  'Save the secrets alone: /config_dump?mask=static_secrets,dynamic_active_secrets,dynamic_warming_secrets'

/** A failure of the scrubber, told of the file that it met. */
export function ofFile(name: string, error: unknown): unknown {
  if (!(error instanceof ProbeError)) return readError(name, error)
  const {code, message, hint, route} = error.failure
  if (route === 'file') return error
  const reason = message.replace(/^Cannot (?:read|take in) the answer: /, '')
  return fileError(name, code, reason, hint ?? SMALLER, error)
}
