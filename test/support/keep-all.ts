import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setFlagsFromString, writeHeapSnapshot} from 'node:v8'
import {openSessions} from '../../src/lib/cluster/connect/open-sessions.ts'
import {createAnswerer} from '../../src/lib/cluster/routes/answerer.ts'
import {decode} from '../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../src/lib/decode/x509/certificate-reader.ts'
import type {Answer, AnswerPart} from '../../src/lib/domain/answer.ts'
import type {PodRef} from '../../src/lib/domain/pod.ts'
import type {Question} from '../../src/lib/domain/question.ts'
import {everyPart} from './every-part.ts'
import {runCommand} from './run-command.ts'

/** Keeps all that this process reads of a cluster, for who looks whether a key is in it. */
export interface Keeper {
  /** Asks, decodes, and keeps the answer, its bytes and what they say. */
  ask(pod: PodRef, question: Question): Promise<void>
  /** Runs a command line, and keeps what it prints. */
  run(argv: readonly string[]): Promise<void>
}

/**
 * For a process of its own, whose arguments are a kubeconfig, a canary in base64, a folder for what it writes, and the
 * rest: does `work` with the rest, then writes down all that it keeps (`kept`) and its whole heap (`heap`).
 */
export async function keepAll(work: (keeper: Keeper, rest: readonly string[]) => Promise<void>): Promise<void> {
  const [kubeconfig = '', canary = '', folder = '', ...rest] = process.argv.slice(2)
  const tempDir = join(folder, 'tmp')
  mkdirSync(tempDir)
  /** Reachable until the heap has been written. */
  const kept: unknown[] = []
  const env = {KUBECONFIG: kubeconfig}
  const nowMs = (): number => Date.now()
  const login = {contexts: [], asGroups: [], env, cwd: folder, homeDir: folder} as const
  const [session] = await openSessions(
    {...login, requestTimeoutMs: 10_000, platform: 'linux', isTerminal: false},
    {notice: (text) => kept.push(text), now: nowMs},
  )
  if (session === undefined) throw new Error('No session')
  const answerer = createAnswerer(session, {via: 'auto', notice: (text) => kept.push(text), nowMs, tempDir})
  await work(
    {
      ask: async (pod, question) => {
        await using conversation = answerer.open(pod, [])
        const answer = await conversation.ask(question, new AbortController().signal)
        kept.push(await decode(keeping(answer, kept), {certificates: createCertificateReader({maxEntries: 100})}))
      },
      run: async (argv) => void kept.push(await runCommand(argv, {env, tempDir, cwd: folder})),
    },
    rest,
  )
  await session[Symbol.asyncDispose]()
  // Built only now, and in the middle of a long text: so it is seen that nothing of a long text is left out.
  kept.push(`${'-'.repeat(100_000)}${Buffer.from(canary, 'base64').toString()}${'-'.repeat(100_000)}`)
  writeFileSync(join(folder, 'kept'), everyPart(kept))
  setFlagsFromString('--heap-snapshot-string-limit=1000000000')
  writeHeapSnapshot(join(folder, 'heap'))
}

/** The answer as the decoder gets it, its bytes kept. */
function keeping(answer: Answer, kept: unknown[]): Answer {
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
