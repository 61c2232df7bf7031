import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {resourceTypes} from '../../../src/lib/sandbox/api/resource-types.ts'
import {documentOf, type OpenSandbox, openSandbox} from '../../support/open-sandbox.ts'
import type {Ran} from '../../support/run-command.ts'

const PORTAL = 'pod/portal-gateway-istio-6d8f9b7c5-h5w8z -n portal'
const OPEN = '--kubernetes-secrets --no-source istiod-config-dump'
const READING = 'get secrets'

let zoo: OpenSandbox

beforeAll(async () => {
  zoo = await openSandbox({scenario: 'zoo'})
})

afterAll(async () => await zoo.close())

interface Row {
  readonly resource_name: string
  readonly result: string
  readonly compared_by: string
  readonly agent_source?: string
}

function factsOf(ran: Ran): readonly string[] {
  const rows = (documentOf(ran).items[0]?.secrets ?? []) as readonly Row[]
  return rows
    .filter(({resource_name: name}) => name.includes('://'))
    .map(({resource_name: name, result, compared_by: by, agent_source: source}) => `${name} ${result} ${by} ${source}`)
}

const reads = (): number => zoo.sandbox.counters.requests.get(READING) ?? 0

test('the Secrets of a gateway are compared by fingerprint, also under Istio’s names and with their CA', async () => {
  const ran = await zoo.run(`secrets diff --settle 0 ${PORTAL} ${OPEN} -o json`)

  expect(factsOf(ran).toSorted()).toEqual([
    'kubernetes-gateway://certificates/mutual-cert MATCH fingerprint kubernetes-secret',
    'kubernetes-gateway://certificates/mutual-cert-cacert MATCH fingerprint kubernetes-secret',
    'kubernetes://portal/spoiled-cert MATCH fingerprint kubernetes-secret',
    'kubernetes://renewed-cert MISMATCH fingerprint kubernetes-secret',
    'kubernetes://renewed-cert MISMATCH fingerprint kubernetes-secret',
    'kubernetes://stuck-cert MATCH fingerprint kubernetes-secret',
  ])
  expect(documentOf(ran).items[0]?.findings?.map(({rule}) => rule)).toContain('key-in-certificate')
  expect(ran.exitCode).toBe(1)
})

test.each(['list', 'show'])('secrets %s shows what the Secrets hold', async (command) => {
  const ran = await zoo.run(`secrets ${command} ${PORTAL} ${OPEN} -o json`)

  const rows = (documentOf(ran).items[0]?.secrets ?? []) as unknown as readonly {side: string; agent_source?: string}[]
  expect(
    rows.filter(({side, agent_source: source}) => side === 'agent' && source === 'kubernetes-secret'),
  ).toHaveLength(5)
})

test('without the flag no Secret is read, whatever a variable says', async () => {
  const before = reads()

  await zoo.run(`secrets diff --settle 0 ${PORTAL}`, {env: {AGENTCTL_KUBERNETES_SECRETS: 'true'}})

  expect(reads()).toBe(before)
})

test('only the Secret of the one that is asked for is read', async () => {
  const before = reads()

  await zoo.run(`secrets show ${PORTAL.replace(' -n', ' kubernetes://stuck-cert -n')} ${OPEN}`)

  expect(reads() - before).toBe(1)
})

test('it needs no TARGET', async () => {
  const {exitCode} = await zoo.run(`secrets diff --settle 0 -n shop,portal ${OPEN} --match gateway -q`)

  expect(exitCode).toBe(1)
})

test('who may not read Secrets learns verb and resource, and the rest is compared', async () => {
  const ran = await zoo.run(`secrets diff --settle 0 ${PORTAL} --kubernetes-secrets -o json`, {user: 'reader'})

  const [item] = documentOf(ran).items
  expect(item?.failures).toContainEqual(
    expect.objectContaining({
      source: 'kubernetes-secret',
      code: 'forbidden',
      message: 'Cannot get secrets/renewed-cert in portal: forbidden for user reader',
      hint: expect.stringContaining('kubectl auth can-i get secrets -n portal'),
    }),
  )
  expect(factsOf(ran)).toContain('kubernetes://stuck-cert MATCH fingerprint istiod-config-dump')
  expect(item?.verdict).toBe('fail')
})

test.each([
  ['an error', {status: 500}, 'api-unavailable'],
  ['no answer in time', {delayMs: 2500}, 'timeout'],
] as const)(
  '%s for Secrets is a gap where nobody else spoke, and a note where istiod did',
  async (_what, fault, code) => {
    zoo.sandbox.switches.resourceFaults = new Map([['secrets', fault]])
    try {
      const line = `secrets diff --settle 0 --deadline 1s ${PORTAL} --secret kubernetes://stuck-cert -o json`

      const alone = await zoo.run(`${line} --kubernetes-secrets --source kubernetes-secret`)
      const beside = await zoo.run(`${line} --kubernetes-secrets`)

      expect(documentOf(alone).items[0]?.failures).toMatchObject([{source: 'kubernetes-secret', code}])
      expect(alone.exitCode).toBe(3)
      expect(documentOf(beside).items[0]?.failures).toMatchObject([{source: 'kubernetes-secret', code}])
      expect(factsOf(beside)).toEqual(['kubernetes://stuck-cert MATCH fingerprint istiod-config-dump'])
      expect(beside.exitCode).toBe(0)
    } finally {
      zoo.sandbox.switches.resourceFaults = new Map()
    }
  },
)

test('a Secret that was deleted: the proxy holds what nobody has', async () => {
  const {secrets} = resourceTypes
  const stored = zoo.sandbox.world.get(secrets, 'certificates', 'mutual-cert')!
  zoo.sandbox.world.remove(secrets, 'certificates', 'mutual-cert')
  try {
    const ran = await zoo.run(`secrets diff --settle 0 ${PORTAL} ${OPEN} -o json`)

    expect(factsOf(ran)).toContain(
      'kubernetes-gateway://certificates/mutual-cert ONLY_PROXY presence kubernetes-secret',
    )
    expect(factsOf(ran)).toContain(
      'kubernetes-gateway://certificates/mutual-cert-cacert ONLY_PROXY presence kubernetes-secret',
    )
  } finally {
    zoo.sandbox.world.put(secrets, stored)
  }
})

test.each([
  ['a file', 'cart -f cart.config_dump.json --kubernetes-secrets', /--file and --kubernetes-secrets/],
  [
    'its own source left out',
    'cart --no-source kubernetes-secret --kubernetes-secrets',
    /--kubernetes-secrets and --no-source/,
  ],
  ['its source named without it', 'cart --source kubernetes-secret', /kubernetes-secret needs --kubernetes-secrets/],
])('%s is a usage error', async (_what, line, message) => {
  for (const command of ['diff', 'list', 'show']) {
    const {stdout, stderr, exitCode} = await zoo.run(`secrets ${command} ${line}`)

    expect(stdout).toBe('')
    expect(stderr).toMatch(message)
    expect(exitCode).toBe(2)
  }
})

test('the help says where the keys go', async () => {
  for (const command of ['diff', 'list', 'show']) {
    const {stdout} = await zoo.run(`secrets ${command} --help`)

    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /--kubernetes-secrets .*private keys along, over the wire and through this process/,
    )
  }
})
