import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {OUTPUTS} from '../../support/built.ts'
import {agentctl, ask, rowOf} from '../agentctl.ts'
import {apiServerCommand} from '../cluster/api-server.ts'
import {type SimulatedFleet, startSimulatedFleet} from '../fleet/simulated-fleet.ts'
import {podProcess} from '../mesh/pod-process.ts'
import {sidecarPod} from '../mesh/pods.ts'
import {kubectl, site} from '../site.ts'
import {sleep, waitUntil} from '../wait-until.ts'

/** Pods whose Envoy is stopped: what is asked of them is under way for as long as a test needs. */
const HANGING = ['leaving-1', 'leaving-2', 'hanging-1']

beforeAll(async () => {
  await kubectl.apply(HANGING.map((name) => sidecarPod({name})))
  await kubectl.run([
    'wait',
    '-n',
    'shop',
    '--for=condition=Ready',
    ...HANGING.map((name) => `pod/${name}`),
    '--timeout=90s',
  ])
  for (const name of HANGING) process.kill(await podProcess(name, 'envoy'), 'SIGSTOP')
}, 120_000)

afterAll(async () => {
  await kubectl.run(['delete', 'pod', '-n', 'shop', '--ignore-not-found', '--force', '--grace-period=0', ...HANGING])
}, 60_000)

const diff = (pod: string): readonly string[] => [
  'secrets',
  'diff',
  pod,
  '-n',
  'shop',
  '--deadline',
  '12s',
  '--settle',
  '0',
]

test.each(OUTPUTS.map(([name, output], index) => [name, output, HANGING[index]!] as const))(
  '%s takes a pod that is deleted while it is asked for gone, and for no finding',
  async (_name, output, pod) => {
    const asked = ask(output, diff(pod))
    await sleep(2000)
    await kubectl.run(['delete', 'pod', '-n', 'shop', pod, '--force', '--grace-period=0'])

    const answer = await asked

    expect(answer.items[0]).toMatchObject({verdict: 'skipped', skipped: {code: 'gone'}})
    expect(answer.items[0]?.secrets).toEqual([])
    expect(answer.code).toBe(4)
  },
)

describe('an API server that is restarted', () => {
  let server: ChildProcess
  const context = ['--context', 'restarting']

  async function startServer(): Promise<void> {
    const [program, ...args] = apiServerCommand(site.apiServer, site.pki, 'restarting')
    server = spawn(program, args, {stdio: 'ignore'})
    await waitUntil('the API server', 60_000, async () => await kubectl.run(['get', '--raw', '/readyz', ...context]))
  }

  /** Waits until so many port-forwards are under way at the server, by its own count. */
  async function awaitForwards(count: number): Promise<void> {
    await waitUntil(`${String(count)} forwards`, 60_000, async () => {
      const metrics = await kubectl.run(['get', '--raw', '/metrics', ...context])
      const running = metrics.matchAll(
        /^apiserver_longrunning_requests\{[^}]*subresource="portforward"[^}]*\} (\d+)/gmu,
      )
      return [...running].reduce((sum, [, value]) => sum + Number(value), 0) >= count ? true : undefined
    })
  }

  beforeAll(startServer, 90_000)

  afterAll(async () => {
    server.kill('SIGKILL')
    await once(server, 'exit')
  })

  test.each(OUTPUTS)(
    'while %s asks a pod is told as a lost connection, and the next run is whole',
    async (_name, output) => {
      const asked = ask(output, [...diff('hanging-1'), ...context])
      await awaitForwards(1)
      server.kill('SIGKILL')

      const answer = await asked
      await startServer()
      const next = await ask(output, [...diff('cart-1'), ...context])

      expect(answer.items[0]).toMatchObject({verdict: 'unknown'})
      const codes = answer.items[0]?.failures.map(({source, code}) => [source, code])
      expect(codes).toContainEqual([
        'envoy-config-dump',
        expect.stringMatching(/^(?:connection-lost|api-unavailable)$/u),
      ])
      expect([3, 4]).toContain(answer.code)
      expect(rowOf(next, 'default').result).toBe('MATCH')
      expect(next.code).toBe(0)
    },
  )

  describe('while 200 pods are asked at once', () => {
    const PODS = 200
    const DEADLINE_MS = 60_000
    const namespace = 'restarted'
    const all = ['secrets', 'diff', '-n', namespace, '--settle', '0', ...context]
    let fleet: SimulatedFleet

    beforeAll(async () => {
      fleet = await startSimulatedFleet({name: namespace, port: 10_352, pods: PODS})
    }, 120_000)

    afterAll(async () => await fleet.close(), 60_000)

    test.each(OUTPUTS)(
      'is told by %s for each of them as a lost connection, within its deadline; the next run is whole',
      async (_name, output) => {
        // No stream gets through to a kubelet that stands still: all are under way when the server goes.
        fleet.kubelet.kill('SIGSTOP')
        const flags = ['--concurrency', String(PODS), '--deadline', `${String(DEADLINE_MS)}ms`]
        const startedMs = performance.now()
        const asked = ask(output, [...all, ...flags])
        await awaitForwards(PODS)
        server.kill('SIGKILL')

        const answer = await asked
        const tookMs = performance.now() - startedMs
        fleet.kubelet.kill('SIGCONT')
        await startServer()
        const next = await ask(output, [...all, '--deadline', '60s'])

        expect(answer.items.map(({pod}) => pod)).toEqual(fleet.names)
        expect(new Set(answer.items.map(({verdict}) => verdict))).toEqual(new Set(['unknown']))
        const codes = answer.items.map(
          ({failures}) => failures.find(({source}) => source === 'envoy-config-dump')?.code,
        )
        expect(codes.filter((code) => code !== 'connection-lost' && code !== 'api-unavailable')).toEqual([])
        expect(tookMs).toBeLessThan(DEADLINE_MS)
        expect(answer.code).toBe(4)
        expect(next.items.filter(({verdict}) => verdict !== 'pass')).toEqual([])
        expect(next.items).toHaveLength(PODS)
        expect(next.code).toBe(0)
      },
    )
  })
})

describe('a resource that the server says is going away', () => {
  const warning = 'certificates.cert-manager.io/v1 is going away, says its owner'

  beforeAll(async () => {
    await kubectl.apply([
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: {name: 'certificates.cert-manager.io'},
        spec: {
          group: 'cert-manager.io',
          names: {kind: 'Certificate', plural: 'certificates'},
          scope: 'Namespaced',
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              deprecated: true,
              deprecationWarning: warning,
              schema: {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}},
            },
          ],
        },
      },
    ])
    const crd = 'crd/certificates.cert-manager.io'
    await kubectl.run(['wait', '--for=condition=Established', crd, '--timeout=30s'])
  })

  afterAll(async () => void (await kubectl.run(['delete', 'crd', 'certificates.cert-manager.io'])))

  test.each(OUTPUTS)('has that shown once by %s, as kubectl shows it', async (_name, output) => {
    const {stderr} = await agentctl(output, ['secrets', 'diff', 'ingress-1', '-n', 'shop'])

    expect((await kubectl.try(['get', 'certificates.cert-manager.io', '-n', 'shop'])).stderr).toContain(
      `Warning: ${warning}`,
    )
    expect(stderr.split(warning)).toHaveLength(2)
  })
})
