import {spawn} from 'node:child_process'
import {join} from 'node:path'

/** Runs a program that writes to where this one does, from the project's folder, and gives its exit code. */
export async function spawnInherited(
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const child = spawn(program, args, {cwd: join(import.meta.dirname, '..', '..'), env, stdio: 'inherit'})
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
