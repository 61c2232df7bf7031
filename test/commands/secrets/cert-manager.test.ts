import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals'
import {resourceTypes} from '../../../src/lib/sandbox/api/resource-types.ts'
import type {Manifest} from '../../../src/lib/sandbox/world.ts'
import {documentOf, type OpenSandbox, openSandbox, settled} from '../../support/open-sandbox.ts'
import type {Ran} from '../../support/run-command.ts'

const PORTAL = 'pod/portal-gateway-istio-6d8f9b7c5-h5w8z -n portal'
const ALONE = '--no-source istiod-config-dump'
const STUCK =
  'Certificate portal/stuck: not Ready: Failed: The certificate request has failed to complete and will be retried; the next one is being issued; its renewal was due at 2026-05-17T12:00:00Z, 15d ago'

let zoo: OpenSandbox

beforeAll(async () => {
  zoo = await openSandbox({scenario: 'zoo'})
})

afterAll(async () => await zoo.close())

type User = 'reader' | 'shopkeeper' | 'partial'

const diff = async (line: string, user?: User): Promise<Ran> =>
  await zoo.run(`secrets diff --settle 0 ${line}`, user === undefined ? {} : {user})

interface Row {
  readonly resource_name: string
  readonly result: string
  readonly reason: string
  readonly confirmed: boolean
  readonly not_after: string
  readonly compared_by: string
  readonly agent_source?: string
  readonly notes?: readonly string[]
}

function rowsOf(ran: Ran, name: string): readonly Row[] {
  const rows = (documentOf(ran).items[0]?.secrets ?? []) as readonly Row[]
  return rows.filter(({resource_name}) => resource_name === name)
}

function itemOf(ran: Ran) {
  return documentOf(ran).items[0] as ReturnType<typeof documentOf>['items'][number] & {
    readonly notes?: readonly string[]
    readonly sides: {readonly agent: {readonly state: string; readonly answers: readonly unknown[]}}
  }
}

/** Changes what the API holds of a Certificate of the portal. */
function changeCertificate(name: string, change: (status: Readonly<Record<string, unknown>>) => unknown): void {
  const stored = zoo.sandbox.world.get(resourceTypes.certificates, 'portal', name)!
  const manifest = JSON.parse(stored.json()) as Manifest & {readonly status: Readonly<Record<string, unknown>>}
  zoo.sandbox.world.putManifest(resourceTypes.certificates, {...manifest, status: change(manifest.status)})
}

test('where istiod is not asked, the end that cert-manager tells is compared: one was renewed and not taken up', async () => {
  const ran = await diff(`${PORTAL} ${ALONE} -o json`)

  expect(
    rowsOf(ran, 'kubernetes://renewed-cert').map(({result, reason, compared_by: by, agent_source: source}) => [
      result,
      reason,
      by,
      source,
    ]),
  ).toEqual([
    ['MISMATCH', 'proxy is stale', 'expiry', 'cert-manager'],
    ['MISMATCH', 'proxy is stale', 'expiry', 'cert-manager'],
  ])
  expect(rowsOf(ran, 'kubernetes://stuck-cert')).toMatchObject([
    {result: 'MATCH', compared_by: 'expiry', notes: [STUCK]},
  ])
  expect(itemOf(ran)).toMatchObject({verdict: 'fail', failures: []})
  expect(itemOf(ran).sides.agent).toEqual({
    state: 'read',
    answers: [
      {source: 'agent-metrics', route: 'port-forward'},
      {source: 'published-root', route: 'api'},
      {source: 'cert-manager', route: 'api'},
    ],
  })
  expect(ran.exitCode).toBe(1)
})

test('what istiod serves wins, and that a renewal fails is told beside it, in a table too', async () => {
  const json = await diff(`${PORTAL} -o json`)
  const table = await diff(PORTAL)

  expect(rowsOf(json, 'kubernetes://stuck-cert')).toMatchObject([
    {result: 'MATCH', compared_by: 'fingerprint', agent_source: 'istiod-config-dump', notes: [STUCK]},
  ])
  expect(rowsOf(json, 'kubernetes://renewed-cert').map(({compared_by: by}) => by)).toEqual([
    'fingerprint',
    'fingerprint',
  ])
  expect(itemOf(json).sides.agent.answers).toContainEqual({source: 'cert-manager', route: 'api'})
  expect(table.stderr).toContain(
    `Note: portal/portal-gateway-istio-6d8f9b7c5-h5w8z: kubernetes://stuck-cert: ${STUCK}\n`,
  )
})

test('the demo has one, too: in step, and without a successor to come', async () => {
  const {stdout, stderr, exitCode} = await diff('deploy/shop-gateway-istio -n shop --no-headers')

  expect(settled(stdout)).toMatch(/kubernetes:\/\/wildcard-cert +Cert Chain +true +PRESENT +ACTIVE +MATCH/)
  expect(stderr).toContain('Certificate shop/wildcard: not Ready: IncorrectIssuer: ')
  expect(exitCode).toBe(0)
})

test('what cert-manager tells a moment too late is no difference, and what stands at the second reading is', async () => {
  // The clock goes: a second reading is of a later moment than the first.
  const ticking = await openSandbox({scenario: 'zoo', nowMs: Date.now})
  try {
    const {world} = ticking.sandbox
    const stored = world.get(resourceTypes.certificates, 'portal', 'renewed')!
    const manifest = JSON.parse(stored.json()) as Manifest & {readonly status: object}
    const run = async (): Promise<Ran> => await ticking.run(`secrets diff --settle 5ms ${PORTAL} ${ALONE} -o json`)

    const stays = await run()
    const {not_after: ofProxy} = rowsOf(stays, 'kubernetes://renewed-cert')[1]!
    let readings = 0
    world.put(resourceTypes.certificates, {
      ...stored,
      json: () => {
        readings += 1
        return readings === 1
          ? stored.json()
          : JSON.stringify({...manifest, status: {...manifest.status, notAfter: ofProxy}})
      },
    })
    const passes = await run()

    expect(rowsOf(stays, 'kubernetes://renewed-cert').map(({result, confirmed}) => [result, confirmed])).toEqual([
      ['MISMATCH', true],
      ['MISMATCH', true],
    ])
    expect(readings).toBe(2)
    expect(rowsOf(passes, 'kubernetes://renewed-cert')).toMatchObject([{result: 'MATCH', compared_by: 'expiry'}])
    expect([stays.exitCode, passes.exitCode]).toEqual([1, 0])
  } finally {
    await ticking.close()
  }
})

test('pods of one run ask for a list once', async () => {
  const count = (): number => zoo.sandbox.counters.requests.get('list certificates') ?? 0
  const before = count()

  await zoo.run('secrets list -n portal,edge,shop')

  // Of portal, of the two namespaces that edge's gateway refers to, and of shop; portal's refers to one of them, too.
  expect(count() - before).toBe(4)
})

test.each(['--no-source cert-manager', '--source agent-metrics', '--secret default'])(
  'with %s it is not asked',
  async (flags) => {
    const before = zoo.sandbox.counters.requests.get('list certificates')

    await diff(`${PORTAL} ${ALONE} ${flags}`)

    expect(zoo.sandbox.counters.requests.get('list certificates')).toBe(before)
  },
)

test('--source cert-manager asks nothing else of the agent’s side', async () => {
  const ran = await diff(`${PORTAL} --source cert-manager -o json`)

  expect(itemOf(ran).sides.agent.answers).toEqual([{source: 'cert-manager', route: 'api'}])
  expect(ran.exitCode).toBe(1)
})

test('a reader may ask it; who may not learns verb and resource, and istiod makes up for it', async () => {
  const forbidden = {
    source: 'cert-manager',
    code: 'forbidden',
    message: 'Cannot list certificates in shop: forbidden for user partial',
    hint: expect.stringContaining('kubectl auth can-i list certificates.cert-manager.io -n shop'),
  }

  expect(itemOf(await diff(`${PORTAL} -o json`, 'reader')).failures).toEqual([])
  const alone = await diff(`deploy/shop-gateway-istio -n shop ${ALONE},published-root -o json`, 'partial')
  expect(itemOf(alone).failures).toMatchObject([forbidden])
  expect(rowsOf(alone, 'kubernetes://shop-cert')[0]?.reason).toBe(forbidden.message)
  expect(alone.exitCode).toBe(3)
})

describe('with the API out of order for Certificates', () => {
  afterEach(() => {
    zoo.sandbox.switches.resourceFaults = new Map()
  })

  test.each([
    ['an error', {status: 500}, 'api-unavailable'],
    ['no answer in time', {delayMs: 2500}, 'timeout'],
  ] as const)('%s is a gap where nobody else spoke, and a note where istiod did', async (_what, fault, code) => {
    zoo.sandbox.switches.resourceFaults = new Map([['certificates', fault]])

    const alone = await diff(`${PORTAL} ${ALONE} --deadline 1s -o json`)
    const beside = await diff(`deploy/shop-gateway-istio -n shop --deadline 1s -o json`)

    expect(itemOf(alone).failures?.map((one) => [one.source, one.code])).toEqual([
      ['cert-manager', code],
      ['cert-manager', code],
    ])
    expect(alone.exitCode).toBe(3)
    expect(itemOf(beside).failures).toMatchObject([{source: 'cert-manager', code}])
    expect(rowsOf(beside, 'kubernetes://shop-cert')).toMatchObject([{result: 'MATCH', compared_by: 'fingerprint'}])
    expect(beside.exitCode).toBe(0)
  })

  test('an odd Certificate costs itself alone', async () => {
    const stored = zoo.sandbox.world.get(resourceTypes.certificates, 'portal', 'spoiled')!
    changeCertificate('spoiled', (status) => ({...status, notAfter: 'tomorrow', conditions: 'none'}))
    try {
      const ran = await diff(`${PORTAL} ${ALONE} -o json`)

      expect(rowsOf(ran, 'kubernetes://portal/spoiled-cert')).toMatchObject([
        {result: 'NOT_COMPARABLE', reason: 'Certificate portal/spoiled: status.notAfter is no time: "tomorrow"'},
      ])
      expect(rowsOf(ran, 'kubernetes://stuck-cert')[0]?.result).toBe('MATCH')
    } finally {
      zoo.sandbox.world.put(resourceTypes.certificates, stored)
    }
  })
})

test.each(['admin', 'partial'] as const)('in a cluster without cert-manager %s hears nothing of it', async (user) => {
  const without = await openSandbox()
  try {
    const {world} = without.sandbox
    for (const {namespace, name} of world.list(resourceTypes.certificates))
      world.remove(resourceTypes.certificates, namespace, name)

    const published = user === 'partial' ? '--no-source published-root' : ''
    const line = `secrets diff --settle 0 pod/shop-gateway-istio-58d4c6b7f-v9c3k -n shop ${ALONE} ${published} -o json`
    const ran = await without.run(line, {user})

    expect(without.sandbox.counters.requests.get('list certificates')).toBe(1)
    expect(itemOf(ran)).toMatchObject({failures: [], verdict: 'pass'})
    expect(itemOf(ran).notes ?? []).toEqual([])
    expect(rowsOf(ran, 'kubernetes://shop-cert')).toMatchObject([{result: 'NOT_COMPARABLE', reason: 'not asked'}])
    expect(ran.exitCode).toBe(0)
  } finally {
    await without.close()
  }
})

test('a namespace of more than one page is read to its end', async () => {
  const {certificates} = resourceTypes
  try {
    for (let index = 0; index < 1100; index += 1) {
      zoo.sandbox.world.putManifest(certificates, {
        metadata: {name: `a-${index}`, namespace: 'portal'},
        spec: {secretName: `other-${index}`},
        status: {},
      })
    }

    const ran = await diff(`${PORTAL} ${ALONE} -o json`)

    expect(rowsOf(ran, 'kubernetes://stuck-cert')).toMatchObject([{result: 'MATCH', agent_source: 'cert-manager'}])
    expect(itemOf(ran).failures).toEqual([])
  } finally {
    for (let index = 0; index < 1100; index += 1) zoo.sandbox.world.remove(certificates, 'portal', `a-${index}`)
  }
})
