import {afterAll, afterEach, beforeAll, expect, test} from '@jest/globals'
import type {Fault} from '../../../src/lib/sandbox/fault.ts'
import {documentOf, type OpenSandbox, openSandbox, settled} from '../../support/open-sandbox.ts'

const RATES = 'pod/rates-6c7d9f5b8-p4qlz'
const ZTUNNEL = 'istio-system/ztunnel-7hk4d'

let demo: OpenSandbox

beforeAll(async () => {
  demo = await openSandbox()
})

afterEach(() => {
  demo.sandbox.fault(ZTUNNEL, undefined)
})

afterAll(async () => await demo.close())

test('a captured pod is compared by its identity at the ztunnel of its node', async () => {
  const {stdout, stderr, exitCode} = await demo.run(`secrets diff -n bank ${RATES} --no-headers`)

  expect(settled(stdout)).toBe(
    'rates-6c7d9f5b8-p4qlz  spiffe://cluster.local/ns/bank/sa/rates  Cert Chain  true  PRESENT  ACTIVE  MATCH  20h  SERIAL  2026-06-02T08:00:00Z  2026-06-01T07:58:00Z\n',
  )
  expect(stderr).toBe('1 pod: 1 match (1 by presence)\n')
  expect(exitCode).toBe(0)
})

test.each<[string, Fault, string]>([
  ['has its port closed', {type: 'refuse'}, 'port-closed'],
  ['has gone since it was listed', {type: 'pod-gone'}, 'pod-not-running'],
  ['answers with nothing', {type: 'empty'}, 'empty-answer'],
])('a ztunnel that %s leaves its pods unknown', async (_name, fault, code) => {
  demo.sandbox.fault(ZTUNNEL, fault)

  const ran = await demo.run(`secrets diff -n bank ${RATES} -o json --deadline 2s`)

  expect(documentOf(ran).items).toMatchObject([
    {verdict: 'unknown', agentKind: 'istio-ambient', failures: [{source: 'ztunnel-config-dump', code}], secrets: []},
  ])
  expect(ran.exitCode).toBe(4)
})

test('a node without a ztunnel is said, with what to look at', async () => {
  const ran = await demo.run(`secrets diff -n bank ${RATES} -o json -i shop`)

  expect(documentOf(ran).items[0]?.failures).toMatchObject([
    {
      message: 'No ztunnel runs on the node of this pod',
      hint: expect.stringContaining('kubectl get ds -A -l app=ztunnel'),
    },
  ])
})

test('captured pods and the control plane are agents that are listed', async () => {
  const {stdout} = await demo.run('agents list -A --no-headers')

  expect(settled(stdout)).toContain('\nbank  rates-6c7d9f5b8-p4qlz  istio-ambient  1/1  -  -  node-b  30h\n')
  expect(settled(stdout)).toContain(
    '\nistio-system  istiod-66d8b9c7f-k2v5n  istiod  1/1  1.31.0  default  node-b  2d\n',
  )
})

test('istiod has no secrets to compare: it is skipped, and where nothing else is selected nothing was seen', async () => {
  const alone = await demo.run('secrets diff -n istio-system --kind istiod -o json')
  const beside = await demo.run('secrets diff -n istio-system --secret spiffe://cluster.local/ns/bank/sa/rates -o json')

  expect(documentOf(alone).items).toMatchObject([{verdict: 'skipped', skipped: {code: 'no-secrets'}, secrets: []}])
  expect(alone.exitCode).toBe(4)
  expect(documentOf(beside).summary).toMatchObject({pods: 2, pass: 1, skipped: 1})
  expect(beside.exitCode).toBe(0)
})

test('the debug endpoints of istiod are read, but for what changes something', async () => {
  const istiod = 'debug get istiod-66d8b9c7f-k2v5n -n istio-system'

  const version = await demo.run(`${istiod} 15014/version`)
  const push = await demo.run(`${istiod} 15014/debug/adsz?push=true`)
  const disconnect = await demo.run(`${istiod} 15014/debug/force_disconnect?proxyID=cart-1.shop`)

  expect(version).toMatchObject({stdout: '1.31.0-eed52ebb66ad-Clean', exitCode: 0})
  for (const refused of [push, disconnect]) expect(refused).toMatchObject({stdout: '', exitCode: 2})
})
