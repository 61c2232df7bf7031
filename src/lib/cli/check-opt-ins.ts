import {RunError} from '../domain/failure.ts'

/** The flags that bring private keys on a wire, and what they may not stand with. */
interface OptInFlags {
  readonly sds?: boolean
  readonly 'kubernetes-secrets'?: boolean
  readonly file?: readonly string[] | undefined
}

/**
 * Refuses the flags that bring private keys on a wire where they cannot ask, and `--sds` where it would ask more than
 * was named. Throws RunError (usage).
 */
export function checkOptIns(flags: OptInFlags, targets: readonly string[], platform: NodeJS.Platform): void {
  for (const flag of ['sds', 'kubernetes-secrets'] as const) {
    if (flags[flag] !== true || flags.file === undefined) continue
    const message = `--file and --${flag} cannot be used together: files are not asked in a cluster`
    throw new RunError(2, 'bad-flag', message)
  }
  if (flags.sds !== true) return
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
