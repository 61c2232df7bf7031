import {spawn} from 'node:child_process'
import {exitCodeOf} from '../exit-code.ts'
import {openCgroups} from './cgroups.ts'

/**
 * The namespaces that everything runs in: its own network, mounts, processes and cgroups, which the kernel takes down
 * with their first process, however that ends.
 */
export const NAMESPACES: readonly string[] = [
  '--mount',
  '--net',
  '--pid',
  '--ipc',
  '--uts',
  '--cgroup',
  '--propagation',
  'private',
  '--fork',
  '--kill-child',
  '--mount-proc',
]

/** Enters the cgroups, whose files come first up to `--`, and then is the command. */
const ENTER = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; exec "$@"'

/** The first process of the namespace: it collects the orphans that end, and goes with the command. */
const FIRST = '"$@" & wait $!'

/** How a run in namespaces ended. */
export interface Ended {
  /** The command's exit code; where a signal ended it, 128 and the signal's number. */
  readonly code: number
  /** Whether it was ended because this process was asked to end. */
  readonly isInterrupted: boolean
}

/**
 * Runs a command as the only thing in namespaces of its own. Whatever it has started is gone afterwards: also when it is
 * interrupted, and when this process is killed.
 */
export async function runInNamespaces(command: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const cgroups = await openCgroups()
  try {
    const first = ['unshare', ...NAMESPACES, 'sh', '-c', FIRST, 'sh', ...command]
    const args = ['--pdeathsig', 'KILL', 'sh', '-c', ENTER, 'sh', ...cgroups.entrances, '--', ...first]
    const child = spawn('setpriv', args, {env, stdio: ['ignore', 'inherit', 'inherit']})
    let asked: NodeJS.Signals | undefined
    const end = (signal: NodeJS.Signals): void => {
      asked = signal
      child.kill('SIGKILL')
    }
    for (const signal of SIGNALS) process.once(signal, end)
    try {
      const code = await new Promise<number>((resolve, reject) => {
        child.once('error', reject)
        child.once('exit', (ownCode, signal) => resolve(exitCodeOf(ownCode, signal)))
      })
      return asked === undefined ? {code, isInterrupted: false} : {code: exitCodeOf(null, asked), isInterrupted: true}
    } finally {
      for (const signal of SIGNALS) process.off(signal, end)
    }
  } finally {
    await cgroups.close()
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
