// Reads an agent's SDS socket in a process of its own, keeps all that it got, and then writes down what it keeps and its
// whole heap. Arguments: kubeconfig, canary in base64, folder for what it writes, and pods as
// namespace/name.
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setFlagsFromString, writeHeapSnapshot} from 'node:v8'
import {openSessions} from '../../src/lib/cluster/connect/open-sessions.ts'
import {createAnswerer} from '../../src/lib/cluster/routes/answerer.ts'
import {decode} from '../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../src/lib/decode/x509/certificate-reader.ts'
import type {Answer, AnswerPart} from '../../src/lib/domain/answer.ts'
import type {Question} from '../../src/lib/domain/question.ts'
import {everyPart} from './every-part.ts'
import {runCommand} from './run-command.ts'

const [kubeconfig = '', canary = '', folder = '', ...pods] = process.argv.slice(2)
const tempDir = join(folder, 'tmp')
mkdirSync(tempDir)
/** All that is kept; reachable until the heap has been written. */
const kept: unknown[] = []

/** The answer as the decoder gets it, its bytes kept. */
function keeping(answer: Answer): Answer {
  kept.push(answer)
  return {...answer, parts: parts()}

  async function* parts(): AsyncGenerator<AnswerPart> {
    for await (const part of answer.parts) {
      kept.push(part)
      yield {...part, body: body(part)}
    }
  }

  async function* body(part: AnswerPart): AsyncGenerator<Uint8Array> {
    for await (const chunk of part.body) {
      kept.push(chunk, Buffer.from(chunk).toString('latin1'))
      yield chunk
    }
  }
}

const question: Question = {
  source: 'agent-sds',
  side: 'agent',
  container: 'istio-proxy',
  forms: [
    {
      type: 'sds',
      socketPaths: ['/var/run/secrets/workload-spiffe-uds/socket'],
      resourceNames: ['default', 'ROOTCA'],
    },
  ],
  routes: ['exec'],
  maxBytes: 1024 * 1024,
}

const env = {KUBECONFIG: kubeconfig}
const nowMs = (): number => Date.now()
const [session] = await openSessions(
  {
    contexts: [],
    asGroups: [],
    requestTimeoutMs: 10_000,
    env,
    cwd: folder,
    homeDir: folder,
    platform: 'linux',
    isTerminal: false,
  },
  {notice: (text) => kept.push(text), now: nowMs},
)
if (session === undefined) throw new Error('No session')
const answerer = createAnswerer(session, {via: 'auto', notice: (text) => kept.push(text), nowMs, tempDir})
for (const target of pods) {
  const [namespace = '', name = ''] = target.split('/')
  {
    await using conversation = answerer.open({namespace, name}, [])
    const answer = await conversation.ask(question, new AbortController().signal)
    kept.push(await decode(keeping(answer), {certificates: createCertificateReader({maxEntries: 100})}))
  }
  for (const output of ['json', 'wide', 'yaml']) {
    const argv = ['secrets', 'diff', name, '-n', namespace, '--sds', '-o', output, '-vv', '--settle', '0']
    kept.push(await runCommand(argv, {env, tempDir, cwd: folder}))
  }
}
await session[Symbol.asyncDispose]()

// Built only now, and in the middle of a long text: so it is seen that nothing of a long text is left out.
kept.push(`${'-'.repeat(100_000)}${Buffer.from(canary, 'base64').toString()}${'-'.repeat(100_000)}`)
writeFileSync(join(folder, 'kept'), everyPart(kept))
setFlagsFromString('--heap-snapshot-string-limit=1000000000')
writeHeapSnapshot(join(folder, 'heap'))
