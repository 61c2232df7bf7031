import {beforeAll, describe, expect, test} from '@jest/globals'
import {OUTPUTS} from '../../support/built.ts'
import {agentctl, ask, rowOf} from '../agentctl.ts'
import {compact} from '../cluster/etcd.ts'
import {kubectl} from '../site.ts'

const PODS = 60
const NAMESPACE = 'many'

beforeAll(async () => {
  await kubectl.apply([{apiVersion: 'v1', kind: 'Namespace', metadata: {name: NAMESPACE}}])
  await kubectl.apply(Array.from({length: PODS}, (_, index) => waitingPod(index)))
})

/** A pod with an agent that no node takes. */
function waitingPod(index: number): object {
  const name = `app-${String(index).padStart(3, '0')}`
  const containers = [
    {name: 'app', image: 'app'},
    {name: 'istio-proxy', image: 'proxyv2', args: ['proxy', 'sidecar']},
  ]
  return {apiVersion: 'v1', kind: 'Pod', metadata: {name, namespace: NAMESPACE}, spec: {containers}}
}

describe.each(OUTPUTS)('%s', (_name, output) => {
  const list = (...flags: readonly string[]): readonly string[] => ['agents', 'list', '-n', NAMESPACE, ...flags]

  test('gives each pod exactly once over pages of a server', async () => {
    const answer = await ask(output, list('--chunk-size', '7'))

    expect(answer.items.map(({pod}) => pod)).toEqual(await podNames())
    expect(answer.page).not.toMatchObject({consistent: false})
    expect(answer.code).toBe(0)
  })

  test('goes on after the server has forgotten the list (410), and says that it is no longer one moment', async () => {
    const first = await ask(output, list('--limit', '20', '--chunk-size', '20'))
    await kubectl.run(['annotate', 'pod', '-n', NAMESPACE, 'app-000', `changed=${String(Date.now())}`, '--overwrite'])
    await compact()
    const gone = await kubectl.try([
      'get',
      '--raw',
      `/api/v1/namespaces/${NAMESPACE}/pods?limit=20&continue=${await staleToken()}`,
    ])

    const rest = await ask(output, list('--chunk-size', '20', '--continue', first.page.continue ?? ''))

    expect(gone.stderr).toMatch(/too old|expired|410/iu)
    expect([...first.items, ...rest.items].map(({pod}) => pod)).toEqual(await podNames())
    expect(rest.page).toMatchObject({consistent: false})
    expect(rest.code).toBe(0)
  })

  test.each([['nobody', 'list on pods in namespace shop', 'kubectl auth can-i list pods -n shop']])(
    'a user %s that may see nothing is told what to ask for: %s',
    async (user, right, command) => {
      const {stdout, stderr, code} = await agentctl(output, ['secrets', 'diff', '-n', 'shop', '--context', user])

      expect(stdout).toBe('')
      expect(stderr).toContain(right)
      expect(stderr).toContain(command)
      expect(code).toBe(4)
      expect((await kubectl.try(['--context', user, ...command.split(' ').slice(1)])).stdout.trim()).toBe('no')
    },
  )

  test.each([
    ['lister', 'envoy-config-dump', 'get and create on pods/portforward'],
    ['getter', 'envoy-config-dump', 'get and create on pods/portforward'],
    ['creator', 'envoy-config-dump', 'get and create on pods/portforward'],
    ['proxier', 'envoy-config-dump', 'get and create on pods/portforward'],
    ['lister', 'published-root', 'get on configmaps'],
    ['forwarder', 'published-root', 'get on configmaps'],
  ])('a user %s is told what %s lacks: %s', async (user, source, right) => {
    const answer = await ask(output, ['secrets', 'diff', 'cart-1', '-n', 'shop', '--context', user, '--deadline', '5s'])

    const failure = answer.items[0]?.failures.find((one) => one.source === source)
    expect(failure).toMatchObject({code: 'forbidden', hint: expect.stringContaining(right)})
    const commands = [...(failure?.hint ?? '').matchAll(/auth can-i (\S+) (\S+) -n (\S+?)(?=[\s.]|$)/gu)]
    const answers = await Promise.all(
      commands.map(async ([, ...words]) =>
        (await kubectl.try(['--context', user, 'auth', 'can-i', words[0]!, words[1]!, '-n', words[2]!])).stdout.trim(),
      ),
    )
    expect(answers).toContain('no')
    expect([3, 4]).toContain(answer.code)
  })

  test.each(['reader', 'execGetter', 'execCreator'])('a user %s may not run commands, and is told so', async (user) => {
    const flags = ['--context', user, '--source', 'agent-files', '--via', 'exec']
    const answer = await ask(output, ['secrets', 'diff', 'cart-1', '-n', 'shop', ...flags])

    const refused = {code: 'forbidden', hint: expect.stringContaining('get and create on pods/exec')}
    expect(answer.items[0]?.failures).toMatchObject([
      {side: 'proxy', ...refused},
      {side: 'agent', source: 'agent-files', ...refused},
    ])
    expect(answer.code).toBe(4)
  })

  test('a user who may only run commands reads both sides by them', async () => {
    const sources = ['--source', 'agent-files,envoy-config-dump']
    const answer = await ask(output, ['secrets', 'diff', 'cart-1', '-n', 'shop', '--context', 'executor', ...sources])

    expect(rowOf(answer, 'default')).toMatchObject({result: 'MATCH', compared_by: 'fingerprint'})
    expect(answer.code).toBe(0)
  })

  test("a user who may not see istiod is told so of a gateway's Secret", async () => {
    const answer = await ask(output, ['secrets', 'diff', 'ingress-1', '-n', 'shop', '--context', 'reader'])

    const hint: unknown = expect.stringContaining('list on pods in namespace istio-system')
    expect(answer.items[0]?.failures).toContainEqual(
      expect.objectContaining({source: 'istiod-config-dump', code: 'forbidden', hint}),
    )
    expect(rowOf(answer, 'kubernetes://shop-cert')).toMatchObject({result: 'NOT_COMPARABLE', proxy: 'ACTIVE'})
  })

  test('the rights that the hints name are enough', async () => {
    const answer = await ask(output, ['secrets', 'diff', 'cart-1', '-n', 'shop', '--context', 'reader'])

    expect(rowOf(answer, 'default').result).toBe('MATCH')
    expect(answer.code).toBe(0)
  })

  describe.each(['admin', 'translated'])('through a server that is %s', (context) => {
    const place = ['-n', 'shop', '--context', context]
    const diff = (pod: string, ...flags: readonly string[]): readonly string[] => [
      'secrets',
      'diff',
      pod,
      ...place,
      ...flags,
    ]

    test('reads by exec what it reads by port-forward', async () => {
      const [forward, exec] = await Promise.all([
        ask(output, diff('cart-1')),
        ask(output, diff('cart-1', '--via', 'exec', '--source', 'envoy-config-dump,agent-metrics')),
      ])

      expect(rowOf(exec, 'default').fingerprint_sha256).toBe(rowOf(forward, 'default').fingerprint_sha256)
      expect(exec).toMatchObject({code: 0, items: [{failures: []}]})
    })

    test.each(['port-forward', 'exec'])(
      'says of a pod in which nothing listens that it refuses, by %s',
      async (route) => {
        const answer = await ask(output, diff('silent-1', '--via', route, '--deadline', '6s'))

        expect(answer.items[0]?.failures).toContainEqual(
          expect.objectContaining({
            source: 'envoy-config-dump',
            code: 'port-closed',
            message: expect.stringMatching(/refused/u),
          }),
        )
        expect(answer.code).toBe(4)
      },
    )

    test.each([
      ['distroless-1', 'command-missing', 'none of cat'],
      ['silent-1', 'file-unreadable', 'no such file'],
    ])('says why no certificate file of %s can be read: %s', async (pod, code, words) => {
      const answer = await ask(output, diff(pod, '--source', 'agent-files'))

      expect(answer.items[0]?.failures).toContainEqual(
        expect.objectContaining({source: 'agent-files', route: 'exec', code, message: expect.stringContaining(words)}),
      )
      expect([3, 4]).toContain(answer.code)
    })
  })
})

async function podNames(): Promise<readonly string[]> {
  return (await kubectl.run(['get', 'pods', '-n', NAMESPACE, '-o', 'name']))
    .trim()
    .split('\n')
    .map((line) => line.replace('pod/', ''))
}

/** The server's token of a list as it was at the first revision: none that is still there. */
async function staleToken(): Promise<string> {
  return Buffer.from(JSON.stringify({v: 'meta.k8s.io/v1', rv: 1, start: 'app-001\u0000'})).toString('base64url')
}
