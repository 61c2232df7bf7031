import {expect, test} from '@jest/globals'
import type {GatheredEvidence} from '../../../src/lib/compare/gather.ts'
import {findFailures, findGaps} from '../../../src/lib/compare/find-gaps.ts'
import {reportSides} from '../../../src/lib/compare/report-sides.ts'
import {
  AGENT,
  agentFilesHold,
  bare,
  bundle,
  chain,
  evidence,
  expiryAt,
  failureOf,
  leaf,
  nodeAgentHolds,
  proxyHolds,
  published,
  root,
} from './builders.ts'

const EXPIRY = expiryAt('2026-06-02T06:02:00Z')
const PROXY = proxyHolds([chain('default', [leaf('a')]), bundle('ROOTCA', [root('1')])])
const CERTS = proxyHolds([chain('', [leaf('a')])], {
  by: {source: 'envoy-certs', route: 'port-forward'},
  complete: false,
})
const NODE_B = {id: 'sidecar~10.0.0.7~other.shop~x', type: 'sidecar', ip: '10.0.0.7', pod: 'other', namespace: 'shop'}

function states(it: GatheredEvidence): string[] {
  const {agent, proxy} = reportSides(it)
  return [agent.state, proxy.state]
}

test('a side says who answered for it', () => {
  expect(reportSides(evidence([EXPIRY, published(root('1')), PROXY]))).toEqual({
    agent: {
      state: 'read',
      answers: [
        {source: 'agent-metrics', route: 'port-forward'},
        {source: 'published-root', route: 'api'},
      ],
    },
    proxy: {state: 'read', answers: [{source: 'envoy-config-dump', route: 'port-forward'}]},
  })
})

test.each<[string, GatheredEvidence, string[]]>([
  [
    'asked and failed',
    evidence([published(root('1'))], {failures: [failureOf('agent-metrics'), failureOf('envoy-config-dump')]}),
    ['failed', 'failed'],
  ],
  [
    'one of its sources failed',
    evidence([EXPIRY, CERTS], {failures: [failureOf('published-root'), failureOf('envoy-config-dump')]}),
    ['partial', 'partial'],
  ],
  [
    'part of an answer is unusable',
    evidence([PROXY, {type: 'unusable', failure: failureOf('envoy-config-dump', {code: 'cut-off'})}]),
    ['none', 'partial'],
  ],
  ['the answer is of another pod', evidence([{...PROXY, node: NODE_B}]), ['none', 'failed']],
  [
    'left out by the user',
    evidence([], {asked: {sources: [], excluded: ['agent-metrics', 'envoy-config-dump']}}),
    ['not-asked', 'not-asked'],
  ],
  ['it has no source', evidence([published(root('1'))]), ['none', 'none']],
  [
    'it was asked and had nothing to say',
    evidence([], {asked: {sources: [{source: 'agent-metrics', side: 'agent'}]}}),
    ['read', 'none'],
  ],
  [
    'certificates were said to be of the proxy',
    evidence([], {asked: {sources: [{source: 'agent-files', side: 'proxy'}]}}),
    ['none', 'read'],
  ],
  [
    'no roots are published',
    evidence([PROXY], {
      asked: {sources: [{source: 'published-root', side: 'agent'}]},
      failures: [failureOf('published-root', {code: 'not-found'})],
    }),
    ['none', 'read'],
  ],
  ['the pod is gone', evidence([], {failures: [failureOf(undefined, {code: 'pod-gone'})]}), ['failed', 'failed']],
])('the state of a side: %s', (_, it, expected) => {
  expect(states(it)).toEqual(expected)
})

test.each<[string, GatheredEvidence, number]>([
  ['the only source of a secret', evidence([PROXY], {failures: [failureOf('agent-metrics')]}), 1],
  [
    'a source beside one that spoke for the same secret',
    evidence([agentFilesHold([chain('default', [leaf('a')])]), PROXY], {failures: [failureOf('agent-metrics')]}),
    0,
  ],
  [
    'a source beside one that spoke of nothing',
    evidence([nodeAgentHolds([bare('default', {})]), PROXY], {failures: [failureOf('agent-metrics')]}),
    1,
  ],
  ['the proxy, of which only facts are left', evidence([CERTS], {failures: [failureOf('envoy-config-dump')]}), 1],
  ['a second source of the proxy', evidence([PROXY], {failures: [failureOf('envoy-certs')]}), 0],
  ['the published roots', evidence([EXPIRY, PROXY], {failures: [failureOf('published-root')]}), 1],
  [
    'published roots that no secret of the proxy is to be held against',
    evidence([EXPIRY, proxyHolds([chain('default', [leaf('a')])])], {failures: [failureOf('published-root')]}),
    0,
  ],
  [
    'published roots that are not where this pod trusts',
    evidence([EXPIRY, PROXY], {failures: [failureOf('published-root')], agent: {...AGENT, trustSource: 'SPIRE'}}),
    0,
  ],
  [
    'a part of a list that is whole otherwise',
    evidence([PROXY, {type: 'unusable', failure: failureOf('envoy-config-dump')}]),
    1,
  ],
  ['an answer of another pod', evidence([{...PROXY, node: NODE_B}]), 1],
  [
    'a ConfigMap that is not there',
    evidence([EXPIRY, PROXY], {failures: [failureOf('published-root', {code: 'not-found'})]}),
    0,
  ],
  ['a proxy without secrets and nothing of its agent', evidence([proxyHolds([])]), 1],
  ['a proxy without secrets whose agent holds one', evidence([EXPIRY, proxyHolds([])]), 0],
])('whether a part is missing: %s', (_, it, gaps) => {
  expect(findGaps(it)).toHaveLength(gaps)
})

test('a failure that another source makes up for is still told', () => {
  const it = evidence([agentFilesHold([chain('default', [leaf('a')])]), PROXY], {
    failures: [failureOf('agent-metrics')],
  })

  expect(findFailures(it)).toEqual([failureOf('agent-metrics')])
})

test('an answer of another pod and a proxy without secrets are told as failures', () => {
  expect(findFailures(evidence([{...PROXY, node: NODE_B}]))).toMatchObject([
    {
      side: 'proxy',
      code: 'wrong-pod',
      message: `Cannot use the answer of envoy-config-dump for shop/cart-1: it is of ${NODE_B.id}`,
    },
  ])
  expect(findFailures(evidence([proxyHolds([])]))).toMatchObject([
    {side: 'proxy', code: 'empty-answer', message: 'The proxy of shop/cart-1 answers and holds no secrets'},
  ])
})
