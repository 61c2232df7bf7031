import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals'
import {istiodPorts} from '../../../src/lib/sandbox/agents/istiod.ts'
import type {Fault} from '../../../src/lib/sandbox/fault.ts'
import {documentOf, type OpenSandbox, openSandbox, settled} from '../../support/open-sandbox.ts'

const GATEWAY = 'shop-gateway-istio-58d4c6b7f-v9c3k'
const ISTIOD = 'istiod-66d8b9c7f-k2v5n'

let zoo: OpenSandbox

beforeAll(async () => {
  zoo = await openSandbox({scenario: 'zoo'})
})

afterAll(async () => await zoo.close())

/** cert-manager would make up for what istiod does not tell. */
const diff = async (line: string, user?: 'execer' | 'shopkeeper') =>
  await zoo.run(
    `secrets diff --settle 0 --deadline 8s --no-source cert-manager ${line}`,
    user === undefined ? {} : {user},
  )

/** Names and results of the one pod's secrets that istiod serves. */
function served(ran: Awaited<ReturnType<typeof diff>>): readonly string[] {
  const [item] = documentOf(ran).items
  return (item?.secrets ?? [])
    .filter(({resource_name: name}) => name.includes('://'))
    .map(({resource_name: name, result, compared_by: by}) => `${name} ${result} ${by}`)
}

test('the certificates of a gateway are compared with what istiod serves it', async () => {
  const ran = await diff(`-n shop pod/${GATEWAY} -o json`)

  expect(served(ran)).toEqual([
    'kubernetes://shop-cert MATCH fingerprint',
    'kubernetes://wildcard-cert MATCH fingerprint',
  ])
  expect(documentOf(ran).items[0]).toMatchObject({verdict: 'pass', failures: []})
  expect(ran.exitCode).toBe(0)
})

test('of two istiods the one that knows the gateway says what is renewed, and what it does not serve', async () => {
  const {stdout, stderr, exitCode} = await diff('-n edge --no-headers')

  expect(settled(stdout)).toBe(`\
edge-gateway-istio-7c9f5d8b6-q4m2d  kubernetes://renewed-cert  Cert Chain  true  PRESENT  -  MISMATCH: proxy is stale  89d  SERIAL  2026-08-29T12:00:00Z  2026-05-31T12:00:00Z
edge-gateway-istio-7c9f5d8b6-q4m2d  kubernetes://renewed-cert  Cert Chain  true  -  ACTIVE  MISMATCH: proxy is stale  10d  SERIAL  2026-06-11T12:00:00Z  2026-03-13T12:00:00Z
edge-gateway-istio-7c9f5d8b6-q4m2d  kubernetes://missing-cert  Unknown  false (EMPTY)  -  WARMING  PROXY_WARMING: istiod does not serve it, see that Secret edge/missing-cert exists and has tls.crt and tls.key, and that the gateway's service account may read it  -  -  -  -
edge-gateway-istio-7c9f5d8b6-q4m2d  default  Cert Chain  true  PRESENT  ACTIVE  MATCH  17h  SERIAL  2026-06-02T05:00:00Z  2026-06-01T04:58:00Z
edge-gateway-istio-7c9f5d8b6-q4m2d  kubernetes-gateway://certificates/api-cert  Cert Chain  true  PRESENT  ACTIVE  MATCH  78d  SERIAL  2026-08-18T12:00:00Z  2026-05-20T12:00:00Z
edge-gateway-istio-7c9f5d8b6-q4m2d  ROOTCA  CA  true  -  ACTIVE  MATCH  9y  SERIAL  2036-04-29T12:00:00Z  2026-05-02T12:00:00Z
`)
  expect(stderr).toBe('1 pod: 0 match, 1 mismatch\n')
  expect(exitCode).toBe(1)
})

test('a user who may only exec reaches istiod by its own command', async () => {
  const ran = await diff(`-n shop pod/${GATEWAY} -o json`, 'execer')

  expect(served(ran)).toEqual([
    'kubernetes://shop-cert MATCH fingerprint',
    'kubernetes://wildcard-cert MATCH fingerprint',
  ])
})

test('a user without rights where the control plane is learns which are missing', async () => {
  const ran = await diff(`-n shop pod/${GATEWAY} -o json`, 'shopkeeper')

  expect(documentOf(ran).items[0]?.failures).toMatchObject([
    {
      source: 'istiod-config-dump',
      code: 'forbidden',
      hint: expect.stringContaining('list on pods in namespace istio-system'),
    },
  ])
  expect(ran.exitCode).toBe(3)
})

test('who leaves istiod out has no source, and no failure', async () => {
  const ran = await diff(`-n shop pod/${GATEWAY} -o json --no-source istiod-config-dump`)

  expect(served(ran)).toEqual([
    'kubernetes://shop-cert NOT_COMPARABLE none',
    'kubernetes://wildcard-cert NOT_COMPARABLE none',
  ])
  expect(ran.exitCode).toBe(0)
})

test('a control plane that is looked for in the wrong namespace is not found', async () => {
  const ran = await diff(`-n shop pod/${GATEWAY} -o json -i bank`)

  expect(documentOf(ran).items[0]?.failures).toMatchObject([
    {
      code: 'no-source',
      message: 'No istiod runs in the namespace of the control plane',
      hint: expect.stringContaining('-i'),
    },
  ])
  expect(ran.exitCode).toBe(3)
})

describe('with the istiod of the gateway out of order', () => {
  afterEach(() => {
    zoo.sandbox.fault(`istio-system/${ISTIOD}`, undefined)
  })

  test.each<[string, Fault, string]>([
    ['nothing listens', {type: 'refuse'}, 'port-closed'],
    ['it has gone since it was listed', {type: 'pod-gone'}, 'pod-not-running'],
    ['it never answers', {type: 'hang'}, 'timeout'],
    ['it answers 403', {type: 'status', status: 403}, 'forbidden'],
    ['it has no debug endpoints', {type: 'status', status: 404}, 'path-unknown'],
    ['its answer is cut off', {type: 'cut-off', afterBytes: 300}, 'cut-off'],
    ['its answer is no JSON', {type: 'garbage'}, 'bad-payload'],
  ])('%s: what it serves is unknown, and the rest is compared', async (_name, fault, code) => {
    zoo.sandbox.fault(`istio-system/${ISTIOD}`, fault)

    const ran = await diff(`-n shop pod/${GATEWAY} -o json`)

    const [item] = documentOf(ran).items
    expect(item?.failures).toMatchObject([{side: 'agent', source: 'istiod-config-dump', code}])
    expect(item?.failures?.[0]?.hint).toMatch(/\S/)
    expect(item?.verdict).toBe('unknown')
    expect(item?.secrets?.filter(({result}) => result === 'MATCH').map(({resource_name: name}) => name)).toContain(
      'default',
    )
    expect(ran.exitCode).toBe(3)
  })
})

describe('with other proxies at the istiods', () => {
  const connect = (name: string, ids: readonly string[]): void => {
    const pod = zoo.sandbox.world.pod('istio-system', name)
    zoo.sandbox.world.putPod({...pod, ports: () => istiodPorts(() => ids.map((id) => ({id, secrets: () => []})))})
  }
  const failure = async () => documentOf(await diff(`-n shop pod/${GATEWAY} -o json`)).items[0]?.failures

  test('nobody knows the gateway: the two that were asked are named', async () => {
    connect(ISTIOD, ['cart-1.shop'])

    expect(await failure()).toMatchObject([
      {
        code: 'no-source',
        message: expect.stringMatching(/is not connected to istio-system\/istiod-\S+, istio-system\/istiod-/),
      },
    ])
  })

  test('one answers for another proxy whose name holds the gateway’s', async () => {
    connect(ISTIOD, [`my-${GATEWAY}.shop`])

    expect(await failure()).toMatchObject([
      {code: 'wrong-pod', message: expect.stringContaining(`it is of my-${GATEWAY}.shop`)},
    ])
  })

  test('both are connected to one, which cannot tell them apart', async () => {
    connect(ISTIOD, [`my-${GATEWAY}.shop`, `${GATEWAY}.shop`])

    expect(await failure()).toMatchObject([
      {code: 'wrong-pod', message: expect.stringContaining('Cannot tell whose secrets')},
    ])
  })
})
