import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {OUTPUTS} from '../../support/built.ts'
import {agentctl, type Answer, ask, rowOf} from '../agentctl.ts'
import {secretPem} from '../cluster-pem.ts'
import {NODE_IP} from '../cluster/pki.ts'
import {gateway, server} from '../mesh/gateway.ts'
import {podProcess} from '../mesh/pod-process.ts'
import {gatewayPod, sidecarPod} from '../mesh/pods.ts'
import {shopCertificate, tlsSecret} from '../mesh/secrets.ts'
import {tryCommand} from '../run-command.ts'
import {istioctl, kubectl} from '../site.ts'
import {waitUntil} from '../wait-until.ts'
import {witness} from '../witness.ts'

const READY = ['killed-1', 'killed-2', 'frozen-1', 'refusing-1']
const SECRET = 'refused-cert'
const diff = (pod: string, ...flags: readonly string[]): readonly string[] => [
  'secrets',
  'diff',
  pod,
  '-n',
  'shop',
  ...flags,
]

beforeAll(async () => {
  await kubectl.apply([
    tlsSecret(SECRET, await shopCertificate()),
    gateway('refusing', 'refusing', [server('https', 8443, SECRET, '*')]),
    gatewayPod('refusing-1', 'refusing'),
    sidecarPod({name: 'killed-1'}),
    sidecarPod({name: 'killed-2'}),
    sidecarPod({name: 'frozen-1'}),
    // Nothing listens there.
    sidecarPod({name: 'no-ca-1', caAddress: `${NODE_IP}:1`}),
  ])
  await ready(READY)
}, 120_000)

afterAll(async () => {
  await kubectl.run(['delete', 'pod', '-n', 'shop', ...READY, 'no-ca-1'])
  await kubectl.run(['delete', 'gateways.networking.istio.io', '-n', 'shop', 'refusing'])
}, 60_000)

async function ready(pods: readonly string[]): Promise<void> {
  await kubectl.run([
    'wait',
    '-n',
    'shop',
    '--for=condition=Ready',
    ...pods.map((pod) => `pod/${pod}`),
    '--timeout=90s',
  ])
}

/** How istioctl shows a secret: its state, and whether it has a certificate. */
async function shown(pod: string, name: string): Promise<readonly string[]> {
  const lines = (await istioctl(['proxy-config', 'secret', `${pod}.shop`])).split('\n')
  return lines.find((line) => line.startsWith(name))?.split(/\s{2,}|\t/u) ?? []
}

/** What may be told of a pod whose container ends and is started again. */
const WHILE_IT_RESTARTS = [
  'port-closed',
  'connection-lost',
  'cut-off',
  'http-status',
  'timeout',
  'container-not-running',
  'container-not-found',
  'no-source',
]

test.each([
  ['killed-1', 'envoy'],
  ['killed-2', 'pilot-agent'],
] as const)('%s, whose %s is killed, is never told to differ, and is in step again', async (pod, program) => {
  const before = rowOf(await ask(OUTPUTS[0]![1], diff(pod)), 'default').serial_number
  process.kill(await podProcess(pod, program), 'SIGKILL')

  const answers: Answer[] = []
  const after = await waitUntil('the pod to be in step again', 90_000, async () => {
    const [, output] = OUTPUTS[answers.length % OUTPUTS.length]!
    const answer = await ask(output, diff(pod, '--settle', '0', '--deadline', '4s'))
    answers.push(answer)
    const serial = answer.items[0]?.secrets.find((row) => row.resource_name === 'default')?.serial_number
    return answer.code === 0 && serial !== undefined && serial !== before ? answer : undefined
  })

  expect(rowOf(after, 'default')).toMatchObject({result: 'MATCH', compared_by: 'expiry'})
  const items = answers.flatMap((answer) => answer.items)
  expect(items.flatMap(({secrets}) => secrets).map(({result}) => result)).not.toContain('MISMATCH')
  const codes = new Set(items.flatMap(({failures}) => failures.map(({code}) => code)))
  expect(WHILE_IT_RESTARTS).toEqual(expect.arrayContaining([...codes]))
})

describe.each(OUTPUTS)('%s', (_name, output) => {
  test('a proxy whose agent never reached its CA waits for its certificate', async () => {
    await waitUntil('its proxy to ask', 60_000, async () =>
      (await shown('no-ca-1', 'default')).length > 0 ? true : undefined,
    )

    const answer = await ask(output, diff('no-ca-1', '--settle', '0'))

    expect(await shown('no-ca-1', 'default')).toContain('WARMING')
    expect(rowOf(answer, 'default')).toMatchObject({agent: '', proxy: 'WARMING', result: 'PROXY_WARMING'})
    expect(rowOf(answer, 'ROOTCA')).toMatchObject({proxy: 'WARMING', result: 'PROXY_WARMING'})
    expect(answer.items[0]).toMatchObject({verdict: 'fail'})
    expect(answer.code).toBe(1)
  })

  describe('an agent that hangs', () => {
    let agent: number

    beforeAll(async () => {
      agent = await podProcess('frozen-1', 'pilot-agent')
      process.kill(agent, 'SIGSTOP')
    })

    afterAll(async () => {
      process.kill(agent, 'SIGCONT')
      await ready(['frozen-1'])
    })

    test('is told as one that did not answer in time, beside what its proxy holds', async () => {
      const answer = await ask(output, diff('frozen-1', '--deadline', '4s'))

      expect(answer.items[0]).toMatchObject({verdict: 'unknown'})
      expect(answer.items[0]?.failures).toContainEqual(
        expect.objectContaining({source: 'agent-metrics', code: 'timeout'}),
      )
      expect(rowOf(answer, 'default')).toMatchObject({agent: '', proxy: 'ACTIVE', result: 'NOT_COMPARABLE'})
      expect(rowOf(answer, 'ROOTCA')).toMatchObject({result: 'MATCH', compared_by: 'published'})
      expect(answer.code).toBe(3)
    })
  })
})

describe('a proxy that refuses the certificate of a renewed Secret', () => {
  let served: string

  beforeAll(async () => {
    served = (await witness(await handshake())).serial
    const [{certificate}, {key}] = [await shopCertificate(), await shopCertificate()]
    await kubectl.apply([tlsSecret(SECRET, {certificate, key})])
    await waitUntil('the proxy to refuse it', 60_000, async () => {
      return (await kubectl.run(['logs', '-n', 'shop', 'refusing-1'])).includes('KEY_VALUES_MISMATCH')
        ? true
        : undefined
    })
  })

  test.each(OUTPUTS)('goes on with the old one, which %s tells though the dump does not', async (_name, output) => {
    const answer = await ask(output, diff('refusing-1', '--secret', `kubernetes://${SECRET}`))

    const pushed = await witness(await secretPem(SECRET, 'tls.crt'))
    expect((await witness(await handshake())).serial).toBe(served)
    const reason = `update refused: what begins at ${pushed.notBefore} is shown as active, and no TLS context has loaded it`
    const differing = {result: 'MISMATCH', confirmed: true, reason}
    expect(answer.items[0]).toMatchObject({
      verdict: 'fail',
      secrets: [
        {...differing, agent: 'PRESENT', proxy: '', serial_number: pushed.serial},
        {...differing, agent: '', proxy: 'ACTIVE', serial_number: served, loaded: true},
      ],
    })
    expect(answer.code).toBe(1)
    // Envoy shows what it has refused as active, and says nothing of it.
    expect(await shown('refusing-1', `kubernetes://${SECRET}`)).toContain('ACTIVE')
  })

  test.each(OUTPUTS)('is not seen by %s where what is loaded may not be asked', async (_name, output) => {
    const answer = await ask(
      output,
      diff('refusing-1', '--secret', `kubernetes://${SECRET}`, '--no-source', 'envoy-certs'),
    )

    expect(rowOf(answer, `kubernetes://${SECRET}`)).toMatchObject({result: 'MATCH'})
  })

  test.each(OUTPUTS)('is all that %s asks it for what is loaded', async (_name, output) => {
    const healthy = await agentctl(output, [...diff('ingress-1'), '-vv'])
    const refusing = await agentctl(output, [...diff('refusing-1'), '-vv'])

    expect(healthy.stderr).not.toContain('envoy-certs')
    expect(refusing.stderr).toContain('envoy-certs')
  })
})

/** The certificate that the gateway shows to a client. */
async function handshake(): Promise<string> {
  const address = await kubectl.run(['get', 'pod', '-n', 'shop', 'refusing-1', '-o', 'jsonpath={.status.podIP}'])
  const {stdout} = await tryCommand([
    'openssl',
    's_client',
    '-connect',
    `${address}:8443`,
    '-servername',
    'shop.example',
  ])
  return stdout
}
