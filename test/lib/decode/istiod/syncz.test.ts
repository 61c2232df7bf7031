import {expect, test} from '@jest/globals'
import {decode} from '../../../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import type {Observation} from '../../../../src/lib/domain/observation.ts'
import {answerOf, partOf, type PartOptions, RECEIVED_MS} from '../answers.ts'
import {factsOf} from '../facts.ts'

const SYNCZ = '[{"proxy":"cart-1.shop","cluster_sent":"a","cluster_acked":"a"}]'

async function decoded(parts: readonly [string, PartOptions?][]): Promise<readonly Observation[]> {
  const answer = answerOf(
    'istiod-syncz',
    parts.map(([text, options]) => partOf(text, {path: '/debug/syncz', ...options})),
    {side: 'agent', route: 'port-forward'},
  )
  const at = {namespace: 'istio-system', name: 'istiod-1'}
  return await decode(
    {...answer, question: {...answer.question, at}},
    {certificates: createCertificateReader({maxEntries: 1})},
  )
}

test.each([
  ['1.30.1-0123abcdef-Clean', '1.30.1'],
  ['1.31-alpha.eed52ebb66ad-eed52ebb66ad-Modified\n', '1.31-alpha.eed52ebb66ad'],
  ['{"clientVersion":{"version":"1.26.2","revision":"x"}}', '1.26.2'],
  ['404 page not found', undefined],
  ['<html>1.2</html>', undefined],
])('behind the proxies stands the version of the istiod: %s', async (text, version) => {
  const observations = await decoded([[SYNCZ], [text, {path: '/version'}]])

  expect(factsOf(observations)[0]).toBe(['sync states', 'istio-system/istiod-1', version].filter(Boolean).join(' | '))
})

test('an istiod whose version is refused tells of its proxies all the same', async () => {
  const observations = await decoded([[SYNCZ], ['forbidden', {path: '/version', status: 403}]])

  expect(factsOf(observations)).toHaveLength(2)
})

test.each([
  ['You are not allowed to access the endpoint', 403, 'forbidden'],
  ['Unauthorized', 401, 'unauthorized'],
  ['404 page not found', 404, 'path-unknown'],
  ['{}', 200, 'bad-payload'],
  ['', 200, 'empty-answer'],
  ['[{"proxy":"cart-1.shop"', 200, 'cut-off'],
])('%s with status %i is no list of proxies', async (text, status, code) => {
  const observations = await decoded([[text, {status}], ['1.30.1-a-Clean']])

  expect(observations).toMatchObject([{type: 'unusable', failure: {code, source: 'istiod-syncz'}}])
})

test('ages are counted by the clock of the istiod, and by ours where it sends none', async () => {
  const [own] = await decoded([[SYNCZ, {dateMs: RECEIVED_MS - 60_000}]])
  const [ours] = await decoded([[SYNCZ]])

  expect([own, ours]).toMatchObject([{atMs: RECEIVED_MS - 60_000}, {atMs: RECEIVED_MS}])
})

test('names of types that are also words of the language are names', async () => {
  const resources = {'type.googleapis.com/constructor': {sent: 'a'}, 'type.googleapis.com/__proto__': {sent: 'b'}}

  const facts = factsOf(await decoded([[JSON.stringify([{proxy: 'z.shop', proxy_type: 'ztunnel', resources}])]]))

  expect(facts[1]).toContain('constructor STALE (never)')
})

test('a long refusal is cut, and stays on its line', async () => {
  const lastError = 'a\nb\t'.repeat(10_000)
  const resources = {'type.googleapis.com/envoy.config.cluster.v3.Cluster': {sent: 'a', lastError}}

  const [seen] = await decoded([[JSON.stringify([{proxy: 'cart-1.shop', resources}])]])

  const error = seen?.type === 'sync-states' ? seen.proxies.get('cart-1.shop')?.[0]?.types[0]?.error : undefined
  expect(error).toMatch(/^a b a b .*…$/)
  expect(error?.length).toBeLessThan(1100)
})
