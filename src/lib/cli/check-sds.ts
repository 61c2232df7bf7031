import {RunError} from '../domain/failure.ts'

/**
 * Refuses `--sds` where it would ask more than was named, or cannot ask: an agent puts its private key on the wire for
 * it. Throws RunError (usage).
 */
export function checkSds(
  flags: {readonly sds?: boolean; readonly file?: readonly string[] | undefined},
  targets: readonly string[],
  platform: NodeJS.Platform,
): void {
  if (flags.sds !== true) return
  if (flags.file !== undefined) {
    throw new RunError(2, 'bad-flag', '--file and --sds cannot be used together: files are not asked in a cluster')
  }
  if (targets.length !== 1) {
    const given = targets.length === 0 ? 'none is given' : `${targets.length} are given`
    throw new RunError(
      2,
      'bad-flag',
      `--sds needs exactly one TARGET, and ${given}: the agent puts its private key on the wire`,
      ['Name the one pod that is to be asked: secrets diff POD -n NAMESPACE --sds'],
    )
  }
  if (platform === 'win32') {
    // Its named pipes can be opened by others, and nothing else keeps other users out.
    throw new RunError(
      2,
      'bad-flag',
      '--sds does not work on Windows: it needs a Unix socket that only this user can enter',
      ['Run it on Linux or macOS, or in WSL'],
    )
  }
}
