import {expect, test} from '@jest/globals'
import type {PodLister} from '../../../src/lib/domain/access.ts'
import {ProbeError, RunError} from '../../../src/lib/domain/failure.ts'
import type {PodItem, ReportEvent} from '../../../src/lib/domain/report.ts'
import {decodeCursor} from '../../../src/lib/flow/cursor.ts'
import {inspect, type Inspection} from '../../../src/lib/flow/inspect.ts'
import {RunInterrupted} from '../../../src/lib/flow/run-end.ts'
import type {Selected} from '../../../src/lib/flow/select-pods.ts'
import {ALL, pagesOf, pod} from '../../support/pods.ts'

const AGENT = {
  kind: 'istio-sidecar',
  because: 'test',
  container: 'istio-proxy',
  dialect: 'envoy',
  admin: {type: 'port', port: 15_000},
  graceRatio: 0.5,
  trustSource: 'istiod',
  warnings: [],
} as const

function item({pod: selected}: Selected): PodItem {
  const side = {state: 'read', answers: []} as const
  return {
    pod: selected,
    verdict: 'pass',
    sides: {agent: side, proxy: side},
    failures: [],
    incomplete: false,
    findings: [],
  }
}

function run(over: Partial<Inspection<PodItem>> = {}): Inspection<PodItem> {
  return {
    lister: pagesOf([pod('a'), pod('b')], [], [pod('c'), pod('d')]),
    selection: ALL,
    recognise: () => ({agent: AGENT, leaving: false}),
    from: undefined,
    limit: undefined,
    look: (selected) => Promise.resolve(item(selected)),
    concurrency: 2,
    waiting: 4,
    query: 'q',
    signal: new AbortController().signal,
    ...over,
  }
}

async function collect(events: AsyncIterable<ReportEvent>): Promise<ReportEvent[]> {
  return await Array.fromAsync(events)
}

function names(events: readonly ReportEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'item' ? [event.item.pod.name] : []))
}

test('items come in list order however late each answers, and a page event follows each page', async () => {
  const gate = Promise.withResolvers<void>()
  const look = async (selected: Selected): Promise<PodItem> => {
    if (selected.pod.name === 'a') await gate.promise
    if (selected.pod.name === 'b') gate.resolve()
    return item(selected)
  }

  const events = await collect(inspect(run({look})))

  expect(events.map((event) => (event.type === 'item' ? event.item.pod.name : event.type))).toEqual([
    'a',
    'b',
    'page',
    'page',
    'c',
    'd',
    'page',
    'fleet',
  ])
})

test('never more pods are asked at once than the bound', async () => {
  let now = 0
  let most = 0
  const look = async (selected: Selected): Promise<PodItem> => {
    now += 1
    most = Math.max(most, now)
    await new Promise((resolve) => setImmediate(resolve))
    now -= 1
    return item(selected)
  }
  const many = Array.from({length: 50}, (_unused, index) => pod(`p${String(index).padStart(2, '0')}`))

  await collect(inspect(run({look, lister: pagesOf(many), concurrency: 3})))

  expect(most).toBe(3)
})

test.each([1, 2, 3, 4])(
  'a limit of %i gives a cursor that resumes after the last item, each pod once',
  async (limit) => {
    const seen: string[] = []
    let from: Inspection<PodItem>['from']
    for (let turn = 0; turn < 10; turn += 1) {
      const events = await collect(inspect(run({limit, from})))
      seen.push(...names(events))
      const last = events.findLast((event) => event.type === 'page')
      const cursor = last?.type === 'page' ? last.cursor : undefined
      if (cursor === undefined) break
      from = decodeCursor(cursor, 'q')
    }

    expect(seen).toEqual(['a', 'b', 'c', 'd'])
  },
)

test('a run that did not see the whole fleet says so', async () => {
  const whole = await collect(inspect(run()))
  const part = await collect(inspect(run({limit: 2})))

  expect(whole.at(-1)).toEqual({type: 'fleet', complete: true, findings: []})
  expect(part.at(-1)).toEqual({type: 'fleet', complete: false, findings: []})
})

test('a listing that breaks later stops the report and keeps what came before, with a cursor after it', async () => {
  const lister: PodLister = {
    async *pages() {
      yield {
        pods: [pod('a'), pod('b')],
        place: {context: 0, query: 0},
        next: {context: 0, query: 0, token: 't'},
        consistent: true,
      }
      throw new ProbeError({stage: 'select', code: 'api-unavailable', message: 'Cannot list pods in shop: 503'})
    },
  }

  const events = await collect(inspect(run({lister})))

  expect(names(events)).toEqual(['a', 'b'])
  const stopped = events.find((event) => event.type === 'stopped')
  expect(stopped).toMatchObject({code: 'api-unavailable', message: 'Cannot list pods in shop: 503'})
  expect(decodeCursor(stopped?.cursor ?? '', 'q')).toEqual({context: 0, query: 0, token: 't'})
})

test('no access at all is thrown, and nothing is reported', async () => {
  const lister: PodLister = {
    // oxlint-disable-next-line require-yield -- a listing that fails at once
    async *pages() {
      throw new RunError(4, 'forbidden', 'Cannot list pods')
    },
  }

  await expect(collect(inspect(run({lister})))).rejects.toThrow('Cannot list pods')
})

test('an interrupted pod is not reported, and the cursor brings it back', async () => {
  const controller = new AbortController()
  const look = async (selected: Selected, signal: AbortSignal): Promise<PodItem> => {
    if (selected.pod.name === 'c') {
      controller.abort(new RunInterrupted('Interrupted'))
      signal.throwIfAborted()
    }
    return await Promise.resolve(item(selected))
  }

  const events = await collect(inspect(run({look, signal: controller.signal, concurrency: 1, waiting: 0})))

  const stopped = events.find((event) => event.type === 'stopped')
  expect(stopped?.code).toBe('interrupted')
  const resumed = await collect(inspect(run({from: decodeCursor(stopped?.cursor ?? '', 'q')})))
  expect([...names(events), ...names(resumed)]).toEqual(['a', 'b', 'c', 'd'])
})

test('a bug in a look ends the run as a bug', async () => {
  const look = (): Promise<PodItem> => Promise.reject(new TypeError('undefined is not a function'))

  await expect(collect(inspect(run({look})))).rejects.toThrow(TypeError)
})

test('a pod without an agent is selected only where it was named', async () => {
  const recognise = (): ReturnType<Inspection<PodItem>['recognise']> => ({
    skip: {code: 'no-agent', message: 'no agent'},
    leaving: false,
  })
  const named = {...ALL, targets: [{text: 'pod/a', resource: 'pods', name: 'a'}]}

  const unnamed = await collect(inspect(run({recognise})))
  const byName = await collect(inspect(run({recognise, selection: named, lister: pagesOf([pod('a')])})))

  expect(names(unnamed)).toEqual([])
  expect(names(byName)).toEqual(['a'])
})
