import {expect, test} from '@jest/globals'
import {listSecrets} from '../../../src/lib/compare/list-secrets.ts'
import {
  agentFilesHold,
  bare,
  bundle,
  chain,
  evidence,
  EXPIRED,
  expiryAt,
  leaf,
  NODE_ID,
  nodeAgentHolds,
  proxyHolds,
  published,
  root,
} from './builders.ts'

test('each side is listed by itself, and published roots are no side', () => {
  const rows = listSecrets(
    evidence([
      proxyHolds([chain('default', [leaf('b')]), bundle('ROOTCA', [root('1', EXPIRED), root('2')])]),
      published(root('3')),
      expiryAt('2026-06-02T06:02:00Z'),
    ]),
  )

  expect(rows.map(({side, name, source, status, besideValid}) => [side, name, source, status, besideValid])).toEqual([
    ['agent', 'default', 'agent-metrics', 'VALID', undefined],
    ['proxy', 'default', 'envoy-config-dump', 'VALID', undefined],
    ['proxy', 'ROOTCA', 'envoy-config-dump', 'EXPIRED', true],
    ['proxy', 'ROOTCA', 'envoy-config-dump', 'VALID', undefined],
  ])
})

test('an expiry adds nothing to a certificate that is known', () => {
  const rows = listSecrets(
    evidence([agentFilesHold([chain('default', [leaf('a')])]), expiryAt('2026-06-02T06:02:00Z')]),
  )

  expect(rows.map(({source}) => source)).toEqual(['agent-files'])
})

test('secrets of one name are all listed, in their order and whatever their names hold', () => {
  const names = ['default', 'kubernetes://shop/edge-tls', '', '-o=json', 'снабжение/магазин', 'default']
  const rows = listSecrets(evidence([proxyHolds(names.map((name) => chain(name, [leaf('x')])))]))

  expect(rows.map(({name}) => name)).toEqual(names)
})

test('a node agent lists this pod and no neighbour', () => {
  const rows = listSecrets(
    evidence([
      nodeAgentHolds([
        chain('default', [leaf('a')]),
        chain('default', [leaf('b')], {destination: NODE_ID.replace('cart-1', 'cart-10')}),
      ]),
    ]),
  )

  expect(rows.map(({certificate}) => certificate)).toEqual([leaf('a')])
})

test('an unavailable secret tells its reason whole, a waiting one that it is empty', () => {
  const rows = listSecrets(
    evidence([
      proxyHolds([
        bare('spiffe://a/b', {state: 'UNAVAILABLE', stateReason: 'a:\n\tb'}),
        {name: 'w', type: 'Unknown', state: 'WARMING', certificates: [], keyFound: false, notes: []},
      ]),
    ]),
  )

  expect(rows.map(({status, statusReason}) => [status, statusReason])).toEqual([
    ['EMPTY', 'a:\n\tb'],
    ['EMPTY', undefined],
  ])
})
