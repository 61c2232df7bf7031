import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {documentOf, type OpenSandbox, openSandbox} from '../../support/open-sandbox.ts'

let demo: OpenSandbox

beforeAll(async () => {
  demo = await openSandbox()
})

afterAll(async () => await demo.close())

test('the pods that carry an agent are listed, those that are not ready first', async () => {
  const ran = await demo.run('agents list -A')

  expect(ran.stdout).toBe(`\
NAMESPACE     POD                                 AGENT          READY  VERSION  REVISION  NODE    AGE
shop          reports-0                           istio-sidecar  0/2    1.31.0   default   -       1h
bank          fraud-5c6d8f4b9-wn6sd               istio-sidecar  2/2    1.31.0   default   node-c  3h
bank          ledger-6d5b9c8f7-t4jgr              istio-sidecar  2/2    1.31.0   default   node-a  26h
bank          payments-79c8b5d64-2xkvm            istio-sidecar  2/2    1.31.0   default   node-b  6h
bank          rates-6c7d9f5b8-p4qlz               istio-ambient  1/1    -        -         node-b  30h
istio-system  istiod-66d8b9c7f-k2v5n              istiod         1/1    1.31.0   default   node-b  2d
istio-system  ztunnel-7hk4d                       istio-ztunnel  1/1    1.31.0   -         node-b  2d
shop          cart-5d8f7c9b6-4kxvq                istio-sidecar  2/2    1.31.0   default   node-a  3h
shop          cart-5d8f7c9b6-9zt2w                istio-sidecar  2/2    1.31.0   default   node-b  1h
shop          catalog-7b6d4f8c5-lm2xp             istio-sidecar  2/2    1.31.0   default   node-a  5h
shop          checkout-6c9f5d7b4-q8wzt            istio-sidecar  2/2    1.31.0   default   node-b  2h
shop          search-84c7d6f59-h5n7c              istio-sidecar  2/2    1.31.0   default   node-a  4h
shop          shop-gateway-istio-58d4c6b7f-v9c3k  istio-gateway  1/1    1.31.0   default   node-b  7h
shop          migrate-29431-x7f2p                 istio-sidecar  0/2    1.31.0   default   node-a  20h
`)
  expect(ran.stderr).toBe(`\
Note: shop/reports-0 is not running: Pending (Unschedulable)
Hint: kubectl -n shop describe pod reports-0
14 pods: 12 ready, 1 not ready, 1 skipped
`)
  expect(ran.exitCode).toBe(0)
})

test('names are what TARGET reads, in list order', async () => {
  const {stdout} = await demo.run('agents list -n shop -o name --quiet')

  expect(stdout.split('\n')).toEqual([
    'pod/cart-5d8f7c9b6-4kxvq.shop',
    'pod/cart-5d8f7c9b6-9zt2w.shop',
    'pod/catalog-7b6d4f8c5-lm2xp.shop',
    'pod/checkout-6c9f5d7b4-q8wzt.shop',
    'pod/migrate-29431-x7f2p.shop',
    'pod/reports-0.shop',
    'pod/search-84c7d6f59-h5n7c.shop',
    'pod/shop-gateway-istio-58d4c6b7f-v9c3k.shop',
    '',
  ])
})

test.each([
  ['agents -A', 14],
  ['pods -A', 14],
  ['agents list -n bank', 4],
  ['agents list -n bank,istio-system', 6],
  ['agents list -n bank -n istio-system', 6],
  ['agents list -A --kind istio-gateway', 1],
  ['agents list -A --kind istio-gateway --kind istio-ztunnel', 2],
  ['agents list -A --node node-a', 5],
  ['agents list -A --node node-a --node node-c', 6],
  ['agents list -A -l app=cart', 2],
  ['agents list -A --field-selector status.phase=Pending', 1],
  ['agents list -A --match ^ca', 3],
  ['agents list -A -r default', 14],
  ['agents list -A -r canary', 0],
  ['agents list -A -c istio-proxy --match ztunnel', 1],
  ['agents list -n shop deploy/cart', 2],
  ['agents list -n shop deployments/cart pod/cart-5d8f7c9b6-4kxvq', 2],
  ['agents list -n shop sts/reports job/migrate-29431', 2],
  ['agents list cart-5d8f7c9b6-4kxvq.shop deploy/ledger.bank', 2],
  ['agents list', 0],
])('%s chooses %d pods', async (line, pods) => {
  const ran = await demo.run(`${line} -o json`)

  const {items, fleet} = documentOf(ran)
  expect(items).toHaveLength(pods)
  expect(new Set(items.map(({namespace, pod}) => `${namespace}/${pod}`)).size).toBe(pods)
  expect(fleet.complete).toBe(true)
  expect(ran.exitCode).toBe(0)
})

test("the context's own namespace is taken where none is given", async () => {
  const ran = await demo.run('agents list -o json', {namespace: 'bank'})

  expect(documentOf(ran).items.map(({namespace}) => namespace)).toEqual(['bank', 'bank', 'bank', 'bank'])
})

test('an empty selection is no failure: an empty document, and a sentence on stderr', async () => {
  const table = await demo.run('agents list -n nowhere')
  const json = await demo.run('agents list -n nowhere -o json')

  expect(table).toEqual({stdout: '', stderr: 'No agents found\n', exitCode: 0})
  expect(documentOf(json)).toMatchObject({kind: 'AgentList', items: [], summary: {pods: 0}})
})

test('an unknown kind is told, with those that there are', async () => {
  const {stdout, stderr, exitCode} = await demo.run('agents list -A --kind istio-sidecat')

  expect(stdout).toBe('')
  expect(stderr).toMatch(/^Error: Unknown kind of agent: istio-sidecat\nHint: There are .*istio-gateway.*istio-sidecar/)
  expect(exitCode).toBe(2)
})

test.each([
  ['agents list -n shop nothing', 'Cannot find pod nothing in shop'],
  ['agents list -n shop deploy/nothing', 'Cannot find deploy/nothing in shop'],
])('%s: nothing is there of that name, and the run ends with 4', async (line, message) => {
  const {stdout, stderr, exitCode} = await demo.run(line)

  expect(stdout).toBe('')
  expect(stderr).toContain(`Error: ${message}`)
  expect(stderr).toContain('\nHint: ')
  expect(exitCode).toBe(4)
})

test('a target that is not there hides no other', async () => {
  const ran = await demo.run('agents list -n shop nothing deploy/cart -o json')

  expect(documentOf(ran).items).toHaveLength(2)
  expect(documentOf(ran).stopped).toMatchObject({code: 'not-found'})
  expect(ran.exitCode).toBe(3)
})

test('no agent is asked', async () => {
  const before = demo.sandbox.counters.streams

  await demo.run('agents list -A -o json')

  expect(demo.sandbox.counters.streams).toBe(before)
})
