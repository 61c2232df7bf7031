import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {signalLine} from './exit-code.ts'
import {checkMachine, checkPlatform, UnfitMachine} from './machine/check-machine.ts'
import {runInNamespaces} from './machine/enter.ts'
import {buildParts} from './parts/build-parts.ts'
import {installDebianPackages} from './parts/debian.ts'

/**
 * Builds the real parts where they are missing, and runs a program of this folder on them in namespaces of its own,
 * with the arguments of this process. Its exit code becomes this process's; on a machine where it cannot run, that is
 * said, and the code is 1.
 */
export async function runOnParts(program: string): Promise<void> {
  try {
    checkPlatform()
    await installDebianPackages()
    checkMachine()
  } catch (error) {
    if (!(error instanceof UnfitMachine)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
    return
  }
  const parts = await buildParts(process.env)
  const logs = await mkdtemp(join(tmpdir(), 'agentctl-real-'))
  const inside = [process.execPath, join(import.meta.dirname, program), ...process.argv.slice(2)]
  const env = {...process.env, REAL_PARTS: JSON.stringify(parts), REAL_LOGS: logs}
  const {code, isInterrupted} = await runInNamespaces(inside, env)
  process.exitCode = code
  if (code === 0 || isInterrupted) await rm(logs, {recursive: true})
  else process.stderr.write(`${signalLine(program, code)}Logs of the real parts: ${logs}\n`)
}
