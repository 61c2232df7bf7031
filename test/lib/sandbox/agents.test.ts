import {X509Certificate} from 'node:crypto'
import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {startSandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import type {Sandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import {ask, forward} from './sandbox-client.ts'
import {readClients, readDump, readJson, readZtunnel} from './sandbox-json.ts'
import type {DumpedSecret} from './sandbox-json.ts'

const nowMs = Date.parse('2026-06-01T12:00:00.500Z')
let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox({scenario: 'zoo', nowMs: () => nowMs})
})

afterAll(async () => {
  await sandbox.close()
})

const cart = 'shop/cart-5d8f7c9b6-4kxvq'
const masked = '/config_dump?mask=static_secrets,dynamic_active_secrets,dynamic_warming_secrets'

async function get(pod: string, port: number, path: string) {
  return (await forward(sandbox, pod, [[port, path]])).answer(0)
}

interface Dumped {
  readonly state: string
  readonly version: string | undefined
  readonly pem: string
}

const dumped = (state: string, entries: readonly DumpedSecret[] = []): [string, Dumped][] =>
  entries.map(({name, version_info: version, secret}) => {
    const bytes =
      secret?.tls_certificate?.certificate_chain.inline_bytes ?? secret?.validation_context?.trusted_ca.inline_bytes
    return [name, {state, version, pem: Buffer.from(bytes ?? '', 'base64').toString('utf8')}]
  })

async function secretsOf(pod: string): Promise<Record<string, Dumped>> {
  const section = readDump((await get(pod, 15000, masked)).body).configs[0]
  return Object.fromEntries([
    ...dumped('ACTIVE', section?.dynamic_active_secrets),
    ...dumped('WARMING', section?.dynamic_warming_secrets),
  ])
}

const certificatesIn = (pem: string): X509Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----\n/g) ?? []).map(
    (text) => new X509Certificate(text),
  )

/** End of the agent's certificate by its metric, in ms. */
async function agentEndMs(pod: string): Promise<number | undefined> {
  const text = (await get(pod, 15020, '/stats/prometheus')).body
  const seconds = /^istio_agent_cert_expiry_seconds\{resource_name="default"\} (\S+)$/m.exec(text)?.[1]
  return seconds === undefined ? undefined : Math.round((nowMs + Number(seconds) * 1000) / 1000) * 1000
}

test('a well pod holds a chain that leads to its root, and its agent names the same end', async () => {
  const secrets = await secretsOf(cart)

  const [leaf, root] = certificatesIn(secrets['default']?.pem ?? '')
  const [trusted] = certificatesIn(secrets['ROOTCA']?.pem ?? '')
  expect(leaf?.subjectAltName).toBe('URI:spiffe://cluster.local/ns/shop/sa/cart')
  expect(leaf?.subject).toBeFalsy()
  expect(leaf?.verify(root!.publicKey)).toBe(true)
  expect(root?.fingerprint256).toBe(trusted?.fingerprint256)
  expect(leaf?.validToDate.getTime()).toBe(await agentEndMs(cart))
})

test('each pod of the demo stands as it is meant to', async () => {
  const endOf = async (pod: string): Promise<number | undefined> =>
    certificatesIn((await secretsOf(pod))['default']?.pem ?? '')[0]?.validToDate.getTime()
  const stale = 'shop/cart-5d8f7c9b6-9zt2w'
  const expired = 'bank/ledger-6d5b9c8f7-t4jgr'

  expect((await agentEndMs(stale))! - (await endOf(stale))!).toBe(12 * 3_600_000)
  expect(await endOf(expired)).toBe(await agentEndMs(expired))
  expect(await endOf(expired)).toBeLessThan(nowMs)
  expect((await secretsOf('shop/checkout-6c9f5d7b4-q8wzt'))['default']).toEqual({
    state: 'WARMING',
    version: 'uninitialized',
    pem: '',
  })
  expect(await agentEndMs('shop/checkout-6c9f5d7b4-q8wzt')).toBeGreaterThan(nowMs)
  expect(await agentEndMs('shop/search-84c7d6f59-h5n7c')).toBeUndefined()
})

test('a gateway holds what istiod serves it, without a version', async () => {
  const secrets = await secretsOf('shop/shop-gateway-istio-58d4c6b7f-v9c3k')

  expect(Object.keys(secrets)).toEqual(['kubernetes://shop-cert', 'kubernetes://wildcard-cert', 'default', 'ROOTCA'])
  expect(secrets['kubernetes://shop-cert']?.version).toBeUndefined()
  expect(certificatesIn(secrets['kubernetes://shop-cert']?.pem ?? '')[0]?.subjectAltName).toBe('DNS:shop.example.com')
})

test('the published roots are two, and one proxy still has one', async () => {
  const map = (await ask(sandbox, '/api/v1/namespaces/bank/configmaps/istio-ca-root-cert')).object()

  const published = certificatesIn(map.data['root-cert.pem'] ?? '')
  const [old, ...others] = certificatesIn((await secretsOf('bank/payments-79c8b5d64-2xkvm'))['ROOTCA']?.pem ?? '')
  expect(published).toHaveLength(2)
  expect(old?.fingerprint256).toBe(published[0]?.fingerprint256)
  expect(others).toEqual([])
})

test('no dump holds a key but the redacted one', async () => {
  for (const path of ['/config_dump', masked, '/config_dump?resource=dynamic_active_secrets']) {
    const {body} = await get('shop/shop-gateway-istio-58d4c6b7f-v9c3k', 15000, path)

    const keys = body.match(/"private_key": \{\s*"inline_bytes": "[^"]*"/g) ?? []
    expect(keys).toHaveLength(3)
    for (const key of keys) expect(key).toContain('W3JlZGFjdGVkXQ==')
    expect(body).not.toContain(Buffer.from('PRIVATE KEY').toString('base64').slice(0, 12))
  }
})

test('a whole dump has its sections in order', async () => {
  const dump = readDump((await get(cart, 15000, '/config_dump')).body)

  expect(dump.configs.map((config) => config['@type'].split('.').at(-1))).toEqual([
    'BootstrapConfigDump',
    'ClustersConfigDump',
    'ListenersConfigDump',
    'ScopedRoutesConfigDump',
    'RoutesConfigDump',
    'SecretsConfigDump',
  ])
  expect(dump.configs[0]?.bootstrap?.node.id).toBe(
    'sidecar~10.244.1.11~cart-5d8f7c9b6-4kxvq.shop~shop.svc.cluster.local',
  )
  expect(dump.configs[1]?.dynamic_active_clusters).toHaveLength(8)
})

test('one field of secrets comes as a list of its own', async () => {
  const active = await get(cart, 15000, '/config_dump?resource=dynamic_active_secrets&mask=name')
  const warming = await get(cart, 15000, '/config_dump?resource=dynamic_warming_secrets')

  const type = 'type.googleapis.com/envoy.admin.v3.SecretsConfigDump.DynamicSecret'
  expect(readJson(active.body)).toEqual({
    configs: [
      {'@type': type, name: 'default'},
      {'@type': type, name: 'ROOTCA'},
    ],
  })
  expect(warming.body).toBe('{}\n')
})

test('a pattern keeps whole names only', async () => {
  const kept = readDump((await get(cart, 15000, `${masked}&name_regex=ROOT.*`)).body)
  const bad = await get(cart, 15000, `${masked}&name_regex=(`)

  expect(kept.configs[0]?.dynamic_active_secrets.map(({name}) => name)).toEqual(['ROOTCA'])
  expect(bad).toMatchObject({status: 400, body: expect.stringContaining('INVALID_ARGUMENT')})
})

test.each([
  ['/config_dump?mask=secrets', 400, 'FieldMask paths: "secrets"\n could not be successfully applied to any configs.'],
  [
    '/config_dump?mask=bootstrap,dynamic_active_secrets',
    400,
    'FieldMask paths: "bootstrap"\npaths: "dynamic_active_secrets"\n could not be successfully applied to any configs.',
  ],
  ['/config_dump?resource=dynamic_active_secret', 404, 'dynamic_active_secret not found in config dump'],
  [
    '/config_dump?resource=bootstrap',
    400,
    'bootstrap is not a repeated field. Use ?mask=bootstrap to get only this field',
  ],
  ['/quitquitquit', 405, 'Method GET not allowed, POST required.'],
])('Envoy refuses %s in its own words', async (path, status, text) => {
  const answer = await get(cart, 15000, path)

  expect(answer).toMatchObject({status, body: text})
  expect(answer.head).toContain('content-type: text/plain')
})

test('an attempt to change something is remembered', async () => {
  sandbox.counters.mutations.length = 0

  await get(cart, 15000, '/quitquitquit')
  await get(cart, 15020, '/drain')
  await get('istio-system/ztunnel-7hk4d', 15000, '/logging')

  expect(sandbox.counters.mutations).toEqual(['/quitquitquit', '/drain', '/logging'])
})

test('/certs repeats each context and counts days as text', async () => {
  const answer = await get(cart, 15000, '/certs')

  const entry = {
    ca_cert: [expect.objectContaining({subject_alt_names: []})],
    cert_chain: [
      expect.objectContaining({
        path: '<inline>',
        subject_alt_names: [{uri: 'spiffe://cluster.local/ns/shop/sa/cart'}],
        days_until_expiration: '0',
        expiration_time: '2026-06-02T09:00:00Z',
      }),
    ],
  }
  expect(readJson(answer.body)).toEqual({certificates: [entry, entry, entry]})
})

test('readiness follows the secrets', async () => {
  expect(await get(cart, 15021, '/healthz/ready')).toMatchObject({status: 200, body: ''})
  expect(await get('shop/checkout-6c9f5d7b4-q8wzt', 15020, '/healthz/ready')).toMatchObject({status: 503, body: ''})
})

test('a ztunnel holds what its pods need, and one identity that none does', async () => {
  const dump = readZtunnel((await get('istio-system/ztunnel-7hk4d', 15000, '/config_dump')).body)

  const needed = Object.values(dump.workloadState).map(({info}) => info.serviceAccount)
  const [rates, legacy] = dump.certificates
  expect(needed).toEqual(['rates'])
  expect(rates).toMatchObject({identity: 'spiffe://cluster.local/ns/bank/sa/rates', state: 'Available'})
  expect(legacy?.identity).toBe('spiffe://cluster.local/ns/bank/sa/rates-legacy')
  const leaf = new X509Certificate(Buffer.from(rates?.certChain[0]?.pem ?? '', 'base64'))
  expect(BigInt(`0x${leaf.serialNumber}`).toString()).toBe(rates?.certChain[0]?.serialNumber)
  expect(await get('istio-system/ztunnel-7hk4d', 15000, '/certs')).toMatchObject({status: 404, body: ''})
  expect(await get('istio-system/ztunnel-7hk4d', 15021, '/healthz/ready')).toMatchObject({status: 200, body: 'ready\n'})
})

test('a legacy node agent and its proxy share one certificate, and each has one alone', async () => {
  const clients = readClients((await get('istio-system/istio-nodeagent-x8k2m', 8080, '/debug/sds/workload')).body)
  const secrets = await secretsOf('legacy/billing-74d9c5f6b-rm8xk')

  expect(clients.map((client) => client.resource_name)).toEqual(['default', 'ROOTCA', 'not-taken-up'])
  expect(Object.keys(secrets)).toEqual(['left-behind', 'default', 'ROOTCA'])
  expect(clients[0]?.certificate_chain).toBe(secrets['default']?.pem)
  expect(clients[1]).toMatchObject({certificate_chain: '', expire_time: '0001-01-01T00:00:00Z'})
})

test('a gRPC agent has no Envoy', async () => {
  const {channels, answer} = await forward(sandbox, 'bank/quotes-6b9d7c5f8-j2wnd', [
    [15000, '/config_dump'],
    [15020, '/healthz/ready'],
  ])

  expect(channels.get(1)?.toString('utf8')).toContain('connection refused')
  expect(answer(1).status).toBe(200)
})
