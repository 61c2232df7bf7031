import {spawn} from 'node:child_process'
import {join} from 'node:path'
import {exitCodeOf, signalLine} from './exit-code.ts'

/**
 * Runs a program that writes to where this one does, from the project's folder, and gives its exit code; where a signal
 * has ended it, that is said, and the code is 128 and the signal's number.
 */
export async function spawnInherited(
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const child = spawn(program, args, {cwd: join(import.meta.dirname, '..', '..'), env, stdio: 'inherit'})
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (ownCode, signal) => resolve(exitCodeOf(ownCode, signal)))
  })
  process.stderr.write(signalLine([program, ...args].join(' ').slice(0, 200), code))
  return code
}
