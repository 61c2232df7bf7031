import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {endOf, OUTPUTS, start} from '../../support/built.ts'
import {peakOf} from '../../support/peak-of.ts'
import {type Answer, answerOf, ask, type Output} from '../agentctl.ts'
import {compact} from '../cluster/etcd.ts'
import {copyPods, removeCopies} from '../fleet/copy-pods.ts'
import {type SimulatedFleet, startSimulatedFleet} from '../fleet/simulated-fleet.ts'
import type {PodObject} from '../kubelet/pod-object.ts'
import {agentctlEnv, kubectl} from '../site.ts'

const PODS = 1000
const LISTED = 10_000

/**
 * What a process that lists 10,000 pods may take at most, in MB. It reads 200 MB of manifests; who kept them would need
 * twice as much.
 */
const PEAK_MB: Readonly<Record<string, number>> = {'the Node package': 420, 'the executable': 200}

const NAMESPACE = 'scale'
const LISTS = 'scale-lists'

let fleet: SimulatedFleet

beforeAll(async () => {
  fleet = await startSimulatedFleet({name: NAMESPACE, port: 10_351, pods: PODS})
}, 120_000)

afterAll(async () => await fleet.close(), 60_000)

describe('a list of 10,000 pods', () => {
  beforeAll(async () => {
    const first = (await kubectl.get('pod', '-n', NAMESPACE, 'copy-00000')) as PodObject
    await copyPods(first, PODS, LISTED, () => ({namespace: LISTS, nodeName: LISTS}))
  }, 120_000)

  afterAll(async () => await removeCopies(LISTS))

  test.each(OUTPUTS.flatMap(([name, output]) => ['json', 'table'].map((format) => [name, format, output] as const)))(
    'is given whole by %s as %s, in bounded memory',
    async (name, format, output) => {
      const {text, peakMb, code} = await listWithPeak(output, [
        'agents',
        'list',
        '-n',
        LISTS,
        '-o',
        format,
        '--show',
        'all',
      ])

      const names = text.match(/\bcopy-\d{5}\b/gu) ?? []
      expect(new Set(names).size).toBe(LISTED)
      expect(names).toHaveLength(LISTED)
      expect(peakMb).toBeLessThan(PEAK_MB[name] ?? 0)
      expect(code).toBe(0)
    },
  )
})

// A busy machine is no reason to give up on a pod.
const DIFF = ['secrets', 'diff', '-n', NAMESPACE, '--no-cert', '--deadline', '60s']

describe.each(OUTPUTS)('%s', (_name, output) => {
  test('diffs each of 1,000 pods once where the server forgets the list (410) in the middle', async () => {
    const token = await tokenOfList()

    const answer = await diffAndForget(output, ['--chunk-size', '40'], 100)

    expect(await refusalOf(token)).toMatch(/too old|expired|410/iu)
    expect(answer.items.map(({pod}) => pod)).toEqual(fleet.names)
    expect(answer.items.filter(({verdict}) => verdict !== 'pass')).toEqual([])
    expect(answer.page).toEqual({consistent: false})
    expect(answer.code).toBe(0)
  })

  test('diffs each of 1,000 pods once over runs that end at a limit, with the list forgotten between them', async () => {
    const answers: Answer[] = []
    let cursor: string | undefined

    do {
      const from = cursor === undefined ? [] : ['--continue', cursor]
      answers.push(await ask(output, [...DIFF, '--limit', '270', '--chunk-size', '100', ...from]))
      cursor = answers.at(-1)?.page.continue
      await forget()
    } while (cursor !== undefined)

    expect(answers.map(({items}) => items.length)).toEqual([270, 270, 270, 190])
    expect(answers.flatMap(({items}) => items.map(({pod}) => pod))).toEqual(fleet.names)
    expect(answers.map(({page}) => page.consistent)).toEqual([true, false, false, false])
    expect(answers.flatMap(({items}) => items).filter(({verdict}) => verdict !== 'pass')).toEqual([])
    expect(answers.map(({code}) => code)).toEqual([0, 0, 0, 0])
  })
})

/** Runs a diff, and has the server forget all lists once `items` have been written. */
async function diffAndForget(output: Output, flags: readonly string[], items: number): Promise<Answer> {
  const child = start(output, [...DIFF, ...flags, '-o', 'json'], agentctlEnv)
  child.stderr?.resume()
  let text = ''
  let forgotten: Promise<void> | undefined
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    if (forgotten === undefined && text.split('"verdict":').length > items) forgotten = forget()
  })
  const end = await endOf(child)
  if (forgotten === undefined) throw new Error(`There were never ${String(items)} items: ${text.slice(0, 500)}`)
  await forgotten
  return answerOf({...end, stdout: text, stderr: ''})
}

interface Listed {
  readonly text: string
  /** Most memory that the process had at once. */
  readonly peakMb: number
  readonly code: number | null
}

/** Runs a command and watches its memory: the kernel keeps the peak for as long as the process lives. */
async function listWithPeak(output: Output, args: readonly string[]): Promise<Listed> {
  const child = start(output, args, agentctlEnv)
  child.stderr?.resume()
  let text = ''
  let peakMb = 0
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    peakMb = peakOf(child) ?? peakMb
  })
  const {code} = await endOf(child)
  return {text, peakMb, code}
}

/** Takes every list so far out of the server: a change makes a new revision, and older ones go. */
async function forget(): Promise<void> {
  const change = `changed=${String(Date.now())}`
  await kubectl.run(['annotate', 'pod', '-n', NAMESPACE, 'copy-00000', change, '--overwrite'])
  await compact()
}

/** The server's token for what follows the first pods. */
async function tokenOfList(): Promise<string> {
  const list = await kubectl.run(['get', '--raw', `/api/v1/namespaces/${NAMESPACE}/pods?limit=40`])
  return (JSON.parse(list) as {readonly metadata: {readonly continue: string}}).metadata.continue
}

/** What the server says to a token that it has forgotten. */
async function refusalOf(token: string): Promise<string> {
  const path = `/api/v1/namespaces/${NAMESPACE}/pods?limit=40&continue=${encodeURIComponent(token)}`
  return (await kubectl.try(['get', '--raw', path])).stderr
}
