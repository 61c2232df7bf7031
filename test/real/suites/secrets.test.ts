import {describe, expect, test} from '@jest/globals'
import {OUTPUTS} from '../../support/built.ts'
import {agentctl, ask, rowOf} from '../agentctl.ts'
import {publishedRoot, secretPem} from '../cluster-pem.ts'
import {OUTPUT_CERTS} from '../mesh/pods.ts'
import {gatewaySecret, MOUNTED_SECRET, mountedSecret} from '../mesh/secrets.ts'
import {execIn, istioctl, kubectl} from '../site.ts'
import {waitUntil} from '../wait-until.ts'
import {witness} from '../witness.ts'

interface IstioctlSecrets {
  readonly dynamicActiveSecrets: readonly {
    readonly name: string
    readonly secret: {
      readonly tlsCertificate?: {readonly certificateChain: {readonly inlineBytes: string}}
      readonly validationContext?: {readonly trustedCa: {readonly inlineBytes: string}}
    }
  }[]
}

/** What Envoy holds, as istioctl reads it. */
async function held(pod: string, name: string): Promise<string> {
  const answer = JSON.parse(await istioctl(['proxy-config', 'secret', `${pod}.shop`, '-o', 'json'])) as IstioctlSecrets
  const secret = answer.dynamicActiveSecrets.find((active) => active.name === name)?.secret
  const source = secret?.tlsCertificate?.certificateChain ?? secret?.validationContext?.trustedCa
  return Buffer.from(source?.inlineBytes ?? '', 'base64').toString('utf8')
}

/** The second that the agent's own metric names, as a time. */
async function metricExpiry(pod: string): Promise<number> {
  const text = await execIn(pod, ['wget', '-qO-', 'http://localhost:15020/metrics'])
  const seconds = /^istio_agent_cert_expiry_seconds\{[^}]*\} (\S+)/mu.exec(text)?.[1]
  return Date.now() + Number(seconds) * 1000
}

describe.each(OUTPUTS)('%s', (_name, output) => {
  test.each(['cart-1', 'native-1', 'distroless-1', 'ingress-1'])(
    'lists what the proxy of %s holds with the values that openssl reads',
    async (pod) => {
      const answer = await ask(output, ['secrets', 'list', pod, '-n', 'shop'])

      const {serial, fingerprint, notBefore, notAfter} = await witness(await held(pod, 'default'))
      expect(rowOf(answer, 'default', 'proxy')).toMatchObject({
        serial_number: serial,
        fingerprint_sha256: fingerprint,
        not_before: notBefore,
        not_after: notAfter,
        cert_status: 'VALID',
        spiffe_id: `spiffe://cluster.local/ns/shop/sa/${pod === 'ingress-1' ? 'ingress' : 'cart'}`,
      })
      expect(rowOf(answer, 'ROOTCA', 'proxy').fingerprint_sha256).toBe(
        (await witness(await held(pod, 'ROOTCA'))).fingerprint,
      )
      expect(answer.code).toBe(0)
    },
  )

  test("prints a proxy's certificates as PEM that openssl reads back", async () => {
    const {stdout, code} = await agentctl(output, ['secrets', 'show', 'cart-1', 'default', '-n', 'shop', '-o', 'pem'])

    expect(await witness(stdout)).toEqual(await witness(await held('cart-1', 'default')))
    expect(stdout).not.toContain('PRIVATE KEY')
    expect(code).toBe(0)
  })

  test.each(['cart-1', 'native-1'])('finds %s in step by the second that its agent names', async (pod) => {
    const answer = await ask(output, ['secrets', 'diff', pod, '-n', 'shop'])

    const row = rowOf(answer, 'default')
    expect(row).toMatchObject({result: 'MATCH', compared_by: 'expiry', agent_source: 'agent-metrics'})
    expect(Math.abs(Date.parse(row.not_after) - (await metricExpiry(pod)))).toBeLessThan(3000)
    expect(answer).toMatchObject({code: 0, items: [{verdict: 'pass', failures: []}]})
  })

  test("compares by the files of an agent's OUTPUT_CERTS", async () => {
    const answer = await ask(output, [
      'secrets',
      'diff',
      'cart-1',
      '-n',
      'shop',
      '--source',
      'agent-files,envoy-config-dump',
    ])

    const {fingerprint} = await witness(await execIn('cart-1', ['cat', `${OUTPUT_CERTS}/cert-chain.pem`]))
    expect(rowOf(answer, 'default')).toMatchObject({
      result: 'MATCH',
      compared_by: 'fingerprint',
      agent_source: 'agent-files',
      fingerprint_sha256: fingerprint,
    })
    expect(rowOf(answer, 'ROOTCA')).toMatchObject({result: 'MATCH', compared_by: 'fingerprint'})
    expect(answer.code).toBe(0)
  })

  test.each([
    ['cart-1', 'nc', 'admin'],
    ['cart-1', 'nc', 'translated'],
    ['native-1', 'socat', 'admin'],
    ['native-1', 'socat', 'translated'],
  ])('compares %s by its SDS socket with %s (%s), and leaves nothing running', async (pod, program, context) => {
    const answer = await ask(output, ['secrets', 'diff', pod, '-n', 'shop', '--sds', '--context', context])

    const {fingerprint} = await witness(await held(pod, 'default'))
    expect(rowOf(answer, 'default')).toMatchObject({
      result: 'MATCH',
      compared_by: 'fingerprint',
      agent_source: 'agent-sds',
      fingerprint_sha256: fingerprint,
    })
    expect(rowOf(answer, 'ROOTCA')).toMatchObject({result: 'MATCH', agent_source: 'agent-sds'})
    expect(answer).toMatchObject({code: 0, items: [{failures: []}]})
    expect(answer.stdout + answer.stderr).not.toContain('PRIVATE KEY')
    const programs = (await execIn(pod, ['ps', '-o', 'args'])).split('\n').map((line) => line.split(' ')[0])
    expect(programs).not.toContain(program)
  })

  test('says of a distroless image that nothing in it reaches the socket, and compares by expiry', async () => {
    const answer = await ask(output, ['secrets', 'diff', 'distroless-1', '-n', 'shop', '--sds'])

    expect(rowOf(answer, 'default')).toMatchObject({result: 'MATCH', compared_by: 'expiry'})
    expect(answer.items[0]?.failures).toMatchObject([{source: 'agent-sds', code: 'command-missing'}])
    expect(answer.code).toBe(0)
  })

  test('compares a gateway with what istiod serves it, to the certificate in the Secret', async () => {
    const answer = await ask(output, ['secrets', 'diff', 'ingress-1', '-n', 'shop'])

    const {fingerprint, serial} = await witness(await secretPem('shop-cert', 'tls.crt'))
    expect(rowOf(answer, 'kubernetes://shop-cert')).toMatchObject({
      result: 'MATCH',
      compared_by: 'fingerprint',
      agent_source: 'istiod-config-dump',
      fingerprint_sha256: fingerprint,
      serial_number: serial,
    })
    expect(rowOf(answer, 'kubernetes://not-there')).toMatchObject({result: 'PROXY_WARMING', proxy: 'WARMING'})
    expect(answer.code).toBe(1)
  })

  test('compares a gateway with the Secret itself, and shows nothing of its key', async () => {
    const flags = ['--kubernetes-secrets', '--no-source', 'istiod-config-dump']
    const answer = await ask(output, ['secrets', 'diff', 'ingress-1', '-n', 'shop', ...flags])

    const {fingerprint} = await witness(await secretPem('shop-cert', 'tls.crt'))
    expect(rowOf(answer, 'kubernetes://shop-cert')).toMatchObject({
      result: 'MATCH',
      compared_by: 'fingerprint',
      agent_source: 'kubernetes-secret',
      fingerprint_sha256: fingerprint,
    })
    const key = (await secretPem('shop-cert', 'tls.key')).split('\n').slice(1, 4)
    expect(key.filter((line) => line.length < 64 || (answer.stdout + answer.stderr).includes(line))).toEqual([])
  })

  test('reads what TLS contexts have loaded, and finds it among the secrets', async () => {
    const flags = ['--source', 'envoy-certs,envoy-config-dump']
    const answer = await ask(output, ['secrets', 'list', 'cart-1', '-n', 'shop', ...flags])

    const {serial} = await witness(await held('cart-1', 'default'))
    expect(answer.items[0]?.secrets.map((row) => row.serial_number)).toContain(serial)
    expect(answer).toMatchObject({code: 0, items: [{failures: []}]})
  })

  test('holds the roots against those that the control plane publishes', async () => {
    const answer = await ask(output, ['secrets', 'diff', 'cart-1', '-n', 'shop'])

    expect(rowOf(answer, 'ROOTCA')).toMatchObject({
      result: 'MATCH',
      compared_by: 'published',
      fingerprint_sha256: (await witness(await publishedRoot())).fingerprint,
    })
  })

  test('reads a proxyless agent by its files, and has nothing to compare', async () => {
    const answer = await ask(output, ['secrets', 'diff', 'grpc-1', '-n', 'shop'])

    const file = '/var/lib/istio/data/cert-chain.pem'
    expect(rowOf(answer, 'default')).toMatchObject({
      result: 'NOT_COMPARABLE',
      reason: 'no source',
      fingerprint_sha256: (await witness(await execIn('grpc-1', ['cat', file]))).fingerprint,
    })
  })

  test('takes the files of an agent that has them mounted, without being told', async () => {
    const answer = await ask(output, ['secrets', 'diff', 'mounted-1', '-n', 'shop'])

    const {fingerprint} = await witness(await secretPem(MOUNTED_SECRET, 'cert-chain.pem'))
    const wanted = {
      result: 'MATCH',
      compared_by: 'fingerprint',
      agent_source: 'agent-files',
      fingerprint_sha256: fingerprint,
    }
    expect(rowOf(answer, 'default')).toMatchObject(wanted)
    expect(rowOf(answer, 'ROOTCA')).toMatchObject(wanted)
    expect(answer).toMatchObject({code: 0, items: [{failures: []}]})
  })

  test('skips a named pod that has no agent', async () => {
    const answer = await ask(output, ['secrets', 'diff', 'plain-1', '-n', 'shop'])

    expect(answer.items[0]).toMatchObject({verdict: 'skipped'})
    expect(answer.code).toBe(4)
  })

  test('sees every pod with an agent that istioctl sees connected', async () => {
    const answer = await ask(output, ['agents', 'list', '-n', 'shop'])

    const listed = answer.items.map(({pod}) => pod)
    const status = await istioctl(['proxy-status'])
    const connected = [...status.matchAll(/^(\S+)\.shop\s/gmu)].map(([, pod]) => pod)
    expect(connected.length).toBeGreaterThan(6)
    expect(listed).toEqual(expect.arrayContaining(connected))
    expect(listed).toContain('grpc-1')
    expect(listed).not.toContain('plain-1')
  })
})

describe.each([
  ['a gateway', 'ingress-1', 'kubernetes://shop-cert', gatewaySecret, 'shop-cert', 'tls.crt'],
  ['an agent with mounted files', 'mounted-1', 'default', mountedSecret, MOUNTED_SECRET, 'cert-chain.pem'],
] as const)('the Secret of %s is renewed', (_what, pod, name, renew, secret, key) => {
  test.each(OUTPUTS)('and %s sees the new certificate on both sides', async (_name, output) => {
    const before = await witness(await secretPem(secret, key))
    await kubectl.apply([await renew()])
    const {fingerprint} = await witness(await secretPem(secret, key))
    await waitUntil('the proxy to take it up', 120_000, async () => {
      return (await witness(await held(pod, name))).fingerprint === fingerprint ? true : undefined
    })

    const answer = await ask(output, ['secrets', 'diff', pod, '-n', 'shop', '--secret', name])

    expect(fingerprint).not.toBe(before.fingerprint)
    expect(rowOf(answer, name)).toMatchObject({
      result: 'MATCH',
      compared_by: 'fingerprint',
      fingerprint_sha256: fingerprint,
    })
    expect(answer.code).toBe(0)
  })
})
