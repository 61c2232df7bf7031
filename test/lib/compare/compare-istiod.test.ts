import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from '@jest/globals'
import {compareSecrets} from '../../../src/lib/compare/compare-secrets.ts'
import {findFailures, findGaps} from '../../../src/lib/compare/find-gaps.ts'
import {reportSides} from '../../../src/lib/compare/report-sides.ts'
import type {Observation, SecretsSeen} from '../../../src/lib/domain/observation.ts'
import type {ProxyUnknown} from '../../../src/lib/domain/mesh-seen.ts'
import type {SecretItem} from '../../../src/lib/domain/secret.ts'
import {AGENT, bare, bundle, chain, evidence, expiryAt, leaf, proxyHolds, published, root, told} from './builders.ts'

const BY = {source: 'istiod-config-dump', route: 'port-forward'} as const
const GATEWAY = {agent: {...AGENT, kind: 'istio-gateway'}} as const

function istiodSends(...items: readonly SecretItem[]): SecretsSeen {
  const ofIstiod = items.map((item) => ({...item, agentPod: 'istiod-1'}))
  return {type: 'secrets', by: BY, side: 'agent', items: ofIstiod, complete: true, notes: []}
}

function unknownAt(name: string, instead?: string): ProxyUnknown {
  const at = {namespace: 'istio-system', name}
  return {type: 'proxy-unknown', by: BY, at, ...(instead !== undefined && {instead})}
}

function compared(...observations: readonly Observation[]): string[] {
  return told(compareSecrets(evidence(observations, GATEWAY)))
}

const DOWN = {...BY, side: 'agent', stage: 'dial', code: 'port-closed', message: 'Cannot reach istiod-2'} as const

test('secrets of istiod are compared by fingerprint, those of the agent as ever', () => {
  const rows = compared(
    proxyHolds([
      chain('kubernetes://same', [leaf('a')]),
      chain('kubernetes://renewed', [leaf('old', {notBeforeMs: 0})]),
      chain('kubernetes://deleted', [leaf('d')]),
      bundle('kubernetes://same-cacert', [root('r')]),
      chain('default', [leaf('w')]),
      bundle('ROOTCA', [root('m')]),
      chain('sds://vendor', [leaf('v')]),
    ]),
    istiodSends(
      chain('kubernetes://same', [leaf('a')]),
      chain('kubernetes://renewed', [leaf('new')]),
      bundle('kubernetes://same-cacert', [root('r')]),
      chain('kubernetes-gateway://certs/sent', [leaf('s')]),
    ),
    expiryAt('2026-06-02T06:02:00Z'),
    published(root('m')),
  )

  expect(rows).toEqual([
    'kubernetes://same | PRESENT | ACTIVE | MATCH | fingerprint | a',
    'kubernetes://renewed | PRESENT | - | MISMATCH: proxy is stale | fingerprint | new',
    'kubernetes://renewed | - | ACTIVE | MISMATCH: proxy is stale | fingerprint | old',
    'kubernetes://deleted | - | ACTIVE | ONLY_PROXY | presence | d',
    'kubernetes://same-cacert | PRESENT | ACTIVE | MATCH | fingerprint | r',
    'default | PRESENT | ACTIVE | MATCH | expiry | w',
    'ROOTCA | - | ACTIVE | MATCH | published | m',
    'sds://vendor | - | ACTIVE | NOT_COMPARABLE: no source | none | v',
    'kubernetes-gateway://certs/sent | PRESENT | - | ONLY_AGENT | presence | s',
  ])
})

test.each([
  ['kubernetes://web', 'Secret shop/web exists and has tls.crt and tls.key, and that the gateway'],
  ['kubernetes://other/web', 'Secret other/web exists'],
  ['kubernetes://web-cacert', 'Secret shop/web-cacert exists and has ca.crt'],
  [
    'kubernetes-gateway://certs/web',
    'Secret certs/web exists and has tls.crt and tls.key, and that a ReferenceGrant in certs',
  ],
  ['configmap://certs/roots', 'ConfigMap certs/roots exists and has ca.crt'],
])('%s, which the proxy waits for and istiod does not serve, says what to look at', (name, where) => {
  const rows = compareSecrets(evidence([proxyHolds([bare(name, {state: 'WARMING'})]), istiodSends()], GATEWAY))

  expect(told(rows)).toEqual([`${name} | - | WARMING | PROXY_WARMING: istiod does not serve it | none | none`])
  expect(rows[0]?.notes[0]).toContain(`see that ${where}`)
})

test('what the proxy waits for and istiod does serve is on its way', () => {
  const rows = compared(
    proxyHolds([bare('kubernetes://a', {state: 'WARMING'})]),
    istiodSends(chain('kubernetes://a', [leaf('a')])),
  )

  expect(rows).toEqual(['kubernetes://a | PRESENT | WARMING | PROXY_WARMING | presence | a'])
})

test('what only warms by design has nothing to do with istiod', () => {
  const rows = compared(proxyHolds([bare('invalid://x', {state: 'WARMING'})]), istiodSends())

  expect(rows).toEqual(['invalid://x | - | WARMING | NOT_COMPARABLE: warms by design | none | none'])
})

const HELD = proxyHolds([chain('kubernetes://a', [leaf('a')])])

test('of several istiods the one that knows the proxy speaks, whatever the others say or fail', () => {
  const seen = [HELD, unknownAt('istiod-1', 'my-cart-1.shop'), istiodSends(chain('kubernetes://a', [leaf('a')]))]

  const all = evidence(seen, {...GATEWAY, failures: [DOWN]})

  expect(told(compareSecrets(all))).toEqual(['kubernetes://a | PRESENT | ACTIVE | MATCH | fingerprint | a'])
  expect(findGaps(all)).toEqual([])
})

test('where none knows the proxy, that is a part of the answer that is missing', () => {
  const all = evidence([HELD, unknownAt('istiod-1'), unknownAt('istiod-2')], GATEWAY)

  expect(findGaps(all)).toMatchObject([
    {
      side: 'agent',
      code: 'no-source',
      message:
        'Cannot tell what istiod serves shop/cart-1: its proxy is not connected to istio-system/istiod-1, istio-system/istiod-2',
      hint: expect.stringContaining('--istio-namespace'),
    },
  ])
  expect(told(compareSecrets(all))[0]).toContain('NOT_COMPARABLE: Cannot tell what istiod serves shop/cart-1')
  expect(reportSides(all).agent).toEqual({state: 'failed', answers: []})
})

test('an answer for another proxy, and none for this one, is of the wrong pod', () => {
  const all = evidence([HELD, unknownAt('istiod-1', 'my-cart-1.shop'), unknownAt('istiod-2')], GATEWAY)

  expect(findFailures(all)).toMatchObject([
    {
      code: 'wrong-pod',
      message: 'Cannot use the answer of istio-system/istiod-1 for shop/cart-1: it is of my-cart-1.shop',
    },
  ])
})

test('where one does not know the proxy and another cannot be asked, it is that failure that counts', () => {
  const all = evidence([HELD, unknownAt('istiod-1')], {...GATEWAY, failures: [DOWN]})

  expect(findGaps(all)).toEqual([DOWN])
  expect(told(compareSecrets(all))).toEqual([
    'kubernetes://a | - | ACTIVE | NOT_COMPARABLE: Cannot reach istiod-2 | none | a',
  ])
})

test('the fixtures of a real gateway and a real istiod are of one cluster', () => {
  const names = ['real-istiod-gateway/config_dump_types_sds.json', 'real-istio-gateway-active/istioctl_pc_secret.json']
  const [sent, held] = names.map((name) =>
    readFileSync(join(import.meta.dirname, '../../fixtures/decode', name), 'utf8'),
  )

  const certificate = /"inlineBytes":"([^"]+)"/.exec(sent ?? '')?.[1] ?? 'none'
  expect(held).toContain(certificate)
})
