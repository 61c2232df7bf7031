// jq, as its own sources compiled to WebAssembly: for tests on machines that may have none. Takes flags, one filter and
// at most one file, and like jq several documents in that.
import {readFileSync} from 'node:fs'
import {raw} from 'jq-wasm'

const words = process.argv.slice(2)
const [filter = '.', file] = words.filter((word) => !word.startsWith('-'))
const {stdout, stderr, exitCode} = await raw(
  readFileSync(file ?? 0, 'utf8'),
  filter,
  words.filter((word) => word.startsWith('-')),
)
if (stdout !== '') process.stdout.write(`${stdout}\n`)
process.stderr.write(stderr)
process.exitCode = exitCode
