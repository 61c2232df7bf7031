import {spawnSync} from 'node:child_process'
import {join} from 'node:path'
import process from 'node:process'

const RUN = join(import.meta.dirname, '..', 'bin', 'run.js')

/** What the diff ends with in the demo: it shows differences, on purpose. */
const EXPECTED = 1

const {status, error} = spawnSync(
  process.execPath,
  [
    RUN,
    'sandbox',
    'run',
    '--',
    'agentctl',
    'secrets',
    'diff',
    '-A',
    '--show',
    'all',
    '--deadline',
    '3s',
    '--settle',
    '500ms',
  ],
  {stdio: 'inherit'},
)
if (error !== undefined) throw error
if (status === EXPECTED) {
  process.stdout.write(
    [
      '',
      `That was an embedded cluster; the diff ended with ${status}, as it does for every difference it has confirmed.`,
      'Try next:  npm run --silent agentctl -- sandbox run -- agentctl secrets diff -A -o jsonpath={.summary}',
      'On a mesh: npm run --silent agentctl -- secrets diff -A',
      '',
    ].join('\n'),
  )
} else {
  process.stderr.write(`The diff ended with ${status}, expected ${EXPECTED}\n`)
  process.exitCode = 1
}
