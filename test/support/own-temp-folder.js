import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'

/**
 * Gives a run of the tests a temporary folder of its own, which goes with it: a test that is interrupted, or that runs
 * out of time, clears nothing away itself.
 */
export default function ownTempFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'agentctl-tests-'))
  process.env['TMPDIR'] = folder
  const clear = () => rmSync(folder, {recursive: true, force: true, maxRetries: 3})
  process.once('exit', clear)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      clear()
      // Without this handler it ends as if there had been none.
      process.kill(process.pid, signal)
    })
  }
}
