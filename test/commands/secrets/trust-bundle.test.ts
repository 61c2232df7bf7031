import {afterEach, beforeEach, expect, test} from '@jest/globals'
import {resourceTypes} from '../../../src/lib/sandbox/api/resource-types.ts'
import {documentOf, type OpenSandbox, openSandbox} from '../../support/open-sandbox.ts'
import type {Ran} from '../../support/run-command.ts'

const NAME = 'istio.io:istiod-ca:root-cert'
const {configmaps, clustertrustbundles} = resourceTypes

let demo: OpenSandbox
let roots: string

beforeEach(async () => {
  demo = await openSandbox()
  const {world} = demo.sandbox
  for (const {namespace, name, json} of world.list(configmaps)) {
    const {data} = JSON.parse(json()) as {readonly data: Readonly<Record<string, string>>}
    roots = data['root-cert.pem'] ?? ''
    world.remove(configmaps, namespace, name)
  }
})

afterEach(async () => await demo.close())

function putBundle(): void {
  demo.sandbox.world.putManifest(clustertrustbundles, {
    metadata: {name: NAME},
    spec: {signerName: 'istio.io/istiod-ca', trustBundle: roots},
  })
}

const diff = async (line: string, user: 'admin' | 'reader' = 'admin'): Promise<Ran> =>
  await demo.run(`secrets diff --settle 0 ${line}`, {user})

function rootsOf(ran: Ran): readonly (readonly [string, string])[] {
  return documentOf(ran).items.flatMap(({secrets = []}) =>
    secrets
      .filter(({resource_name: name}) => name === 'ROOTCA')
      .map(({result, compared_by: by}) => [result, by] as const),
  )
}

test('without the ConfigMap the cluster’s bundle is the reference, asked once, and it is said so', async () => {
  putBundle()

  const ran = await diff('-n shop,bank -o json --match cart|payments|ledger')
  const table = await diff('deploy/cart -n shop')

  expect(rootsOf(ran)).toContainEqual(['MATCH', 'published'])
  expect(rootsOf(ran)).toContainEqual(['PENDING', 'published'])
  // Of v1, which this cluster does not have, and of v1beta1.
  expect(demo.sandbox.counters.requests.get('get clustertrustbundles')).toBe(2)
  expect(table.stderr).toContain(`the published roots are those of ClusterTrustBundle ${NAME}`)
})

test('the roots of a fleet are held against the bundle, too', async () => {
  putBundle()

  const {stdout} = await demo.run('secrets roots -n shop -o json')

  expect(stdout).toContain('"published_in": 1')
})

test.each([
  ['an error', {status: 500}, 'api-unavailable'],
  ['no answer in time', {delayMs: 1500}, 'timeout'],
] as const)('%s leaves open whether there are published roots', async (_what, fault, code) => {
  putBundle()
  demo.sandbox.switches.resourceFaults = new Map([['clustertrustbundles', fault]])

  const ran = await diff('deploy/catalog -n shop -o json --deadline 700ms')

  expect(documentOf(ran).items[0]?.failures).toMatchObject([{source: 'published-root', code}])
  expect(ran.exitCode).toBe(3)
})

test('without both, nothing is said', async () => {
  const ran = await diff('deploy/cart -n shop -o json')

  expect(rootsOf(ran)).toContainEqual(['NOT_COMPARABLE', 'none'])
  expect(documentOf(ran).items.flatMap(({failures = []}) => failures)).toEqual([])
})

test('who may not read the bundle gets a note with the way to the right, and no incomplete answer', async () => {
  putBundle()

  const ran = await diff('deploy/catalog -n shop -o json', 'reader')
  const table = await diff('deploy/catalog -n shop', 'reader')

  expect(documentOf(ran).items[0]?.failures).toMatchObject([
    {
      source: 'published-root',
      code: 'forbidden',
      message: `Cannot get clustertrustbundles/${NAME} in the whole cluster: forbidden for user reader`,
      hint: expect.stringContaining('kubectl auth can-i get clustertrustbundles -A'),
    },
  ])
  expect(table.stderr).toMatch(/^Note: Cannot get clustertrustbundles/m)
  expect(ran.exitCode).toBe(0)
})
