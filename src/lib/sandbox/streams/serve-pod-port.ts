import {setTimeout as sleep} from 'node:timers/promises'
import {splitPath} from '../agents/pod-port.ts'
import type {PodAnswer, PodRequest} from '../agents/pod-port.ts'
import {count} from '../counters.ts'
import type {Counters} from '../counters.ts'
import {faultAt} from '../fault.ts'
import type {Fault} from '../fault.ts'
import type {SimulatedPod} from '../simulated-pod.ts'

/** A request before it has reached the pod. */
export type PodQuestion = Omit<PodRequest, 'clockMs'>

/** The answer ends before its end, as the fault wants it: the connection alone, or the whole stream. */
export class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer'
  readonly scope: 'connection' | 'stream'

  constructor(scope: 'connection' | 'stream') {
    super('the answer breaks off')
    this.scope = scope
  }
}

/**
 * Asks a port of a pod, with its fault applied. `undefined` where nothing listens there for this caller; never
 * settles before `signal` aborts where the port hangs.
 */
export async function servePodPort(
  pod: SimulatedPod,
  port: number,
  request: PodQuestion,
  nowMs: () => number,
  counters: Counters,
  signal: AbortSignal,
): Promise<PodAnswer | undefined> {
  const target = pod.ports().get(port)
  const fault = faultAt(pod.fault, port)
  if (target === undefined || fault?.type === 'refuse') return undefined
  if (!request.fromLoopback && !target.bindsToPod) return undefined
  count(counters.podRequests, `${String(port)} ${splitPath(request.path).pathname}`)
  if (fault?.type === 'hang') await waitForEnd(signal)
  if (fault?.type === 'slow') {
    // Who gave up waiting leaves a timer behind, which must not keep the process.
    await Promise.race([sleep(fault.delayMs, undefined, {ref: false}), waitForEnd(signal)])
  }
  const replaced = fault === undefined ? undefined : replace(fault)
  const clockMs = nowMs() + (fault?.type === 'clock-skew' ? fault.skewMs : 0)
  const answer = replaced ?? (await target.answer({...request, clockMs}))
  const headers = {date: new Date(clockMs).toUTCString(), ...answer.headers}
  return {status: answer.status, headers, body: counted(spoil(answer.body, fault), counters)}
}

async function waitForEnd(signal: AbortSignal): Promise<never> {
  return await new Promise<never>((_, reject) => {
    const end = (): void => reject(new BrokenAnswer('connection'))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, {once: true})
  })
}

/** What stands in place of the answer. */
function replace(fault: Fault): PodAnswer | undefined {
  if (fault.type === 'garbage') {
    return {status: 200, headers: {'content-type': 'application/json'}, body: Buffer.from('\u0000\u0001{{%%¬')}
  }
  if (fault.type === 'empty') {
    return {status: 200, headers: {'content-type': 'application/json', 'content-length': '0'}, body: new Uint8Array()}
  }
  if (fault.type === 'html') {
    const page = '<html><head><title>502 Bad Gateway</title></head><body>proxy.corp.example</body></html>'
    return {status: 502, headers: {'content-type': 'text/html'}, body: Buffer.from(page)}
  }
  if (fault.type === 'status') {
    const headers = {'content-type': 'text/plain', ...(fault.status === 429 ? {'retry-after': '1'} : {})}
    return {status: fault.status, headers, body: Buffer.from(`refused with ${String(fault.status)}\n`)}
  }
  return undefined
}

async function* spoil(
  body: Uint8Array | AsyncIterable<Uint8Array>,
  fault: Fault | undefined,
): AsyncGenerator<Uint8Array> {
  const whole = body instanceof Uint8Array ? [body] : body
  if (fault?.type === 'cut-off' || fault?.type === 'crash') {
    yield* head(whole, fault.afterBytes)
    throw new BrokenAnswer(fault.type === 'crash' ? 'stream' : 'connection')
  }
  if (fault?.type === 'noise') {
    yield Buffer.from('gc 1 @0.031s 2%: 0.02+1.3+0.05 ms clock, 0.04+0.2/1.1/0.3+0.10 ms cpu\n')
  }
  yield* fault?.type === 'big-dump' ? padded(whole, fault.bytes) : whole
}

/** Pads after the first byte, which opens the document. */
async function* padded(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  let isOpened = false
  for await (const chunk of chunks) {
    if (!isOpened && chunk.length > 0) {
      isOpened = true
      yield chunk.subarray(0, 1)
      yield* padding(bytes)
      yield chunk.subarray(1)
    } else yield chunk
  }
}

async function* head(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  let left = bytes
  for await (const chunk of chunks) {
    if (chunk.length >= left) {
      yield chunk.subarray(0, left)
      return
    }
    left -= chunk.length
    yield chunk
  }
}

/** Lines of blanks, as a pretty-printed dump has them: no line of a dump is megabytes long. */
const paddingChunk = Buffer.alloc(64 * 1024, `${' '.repeat(127)}\n`)

function* padding(bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= paddingChunk.length) yield paddingChunk.subarray(0, left)
}

async function* counted(chunks: AsyncIterable<Uint8Array>, counters: Counters): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    counters.podBytes += chunk.length
    yield chunk
  }
}
