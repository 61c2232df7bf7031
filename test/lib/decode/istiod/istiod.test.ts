import {expect, test} from '@jest/globals'
import {decode} from '../../../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import {recordsField} from '../../../../src/lib/decode/json/narrow.ts'
import type {Answer, AnswerPart} from '../../../../src/lib/domain/answer.ts'
import type {Observation} from '../../../../src/lib/domain/observation.ts'
import {answerOf, fixturePart, partOf, readFixture, readFixtureRecord} from '../answers.ts'
import {factsOf} from '../facts.ts'

const certificates = createCertificateReader({maxEntries: 100})
const FOLDER = 'real-istiod-gateway'
const AT = {namespace: 'istio-system', name: 'istiod-1'}

/** The two answers of an istiod that is asked for `proxy`. */
function istiodAnswer(parts: readonly AnswerPart[], proxy = 'gw-1.gw'): Answer {
  const answer = answerOf('istiod-config-dump', parts, {side: 'agent', route: 'port-forward'})
  const paths = [`/debug/config_dump?proxyID=${proxy}&types=sds`, '/debug/connections']
  const form = {type: 'http', port: 15_014, paths, bindsToPod: false, refusals: []} as const
  return {...answer, question: {...answer.question, at: AT, isOwn: true, container: 'discovery', forms: [form]}}
}

function connections(...ids: readonly string[]): AnswerPart {
  const clients = ids.map((connectionId) => ({
    connectionId,
    connectedAt: '2026-11-30T18:35:35Z',
    address: '10.0.0.1:1',
  }))
  return partOf(JSON.stringify({totalClients: ids.length, clients}), {path: '/debug/connections'})
}

async function decoded(parts: readonly AnswerPart[], proxy?: string): Promise<readonly Observation[]> {
  return await decode(istiodAnswer(parts, proxy), {certificates})
}

const SHOP_CERT =
  '  leaf | 349311badc8ef3a66fd2de06f97bd8723be630ea | 2026-11-30T18:43:27Z | 2026-12-30T18:43:27Z | RSA 2048 | ' +
  'b425209d792715ba | CN=shop.example.com | by CN=shop.example.com | CA | self-signed | DNS:shop.example.com'

test.each(['config_dump_types_sds.json', 'config_dump.json'])(
  'what istiod would send a gateway, as it really answered: %s',
  async (file) => {
    const observations = await decoded([fixturePart(`${FOLDER}/${file}`), connections('app-1.demo-1', 'gw-1.gw-2')])

    expect(factsOf(observations).map(withoutVersion)).toEqual([
      'secrets | agent | istiod-config-dump | complete',
      '"kubernetes://shop-cert" | Cert Chain',
      SHOP_CERT,
    ])
    expect(observations[0]).toMatchObject({items: [{agentPod: 'istiod-1'}]})
  },
)

/** An untyped dump gives the moment of the push, too. */
function withoutVersion(line: string): string {
  return line.replace(/ \| version .*/, '')
}

test('a sidecar, to which its agent serves everything, has nothing from istiod: an empty list that is complete', async () => {
  const observations = await decoded([partOf('{}'), fixturePart(`${FOLDER}/connections-of-app.json`)], 'app-1.demo')

  expect(factsOf(observations)).toEqual(['secrets | agent | istiod-config-dump | complete'])
})

test.each([404, 200])('an istiod that does not know the proxy says so, with status %i as with exec', async (status) => {
  const text = 'Proxy not connected to this Pilot instance. It may be connected to another instance.'

  const observations = await decoded([partOf(text, {status}), partOf('never asked for')])

  expect(factsOf(observations)).toEqual(['proxy unknown | istio-system/istiod-1'])
})

test('a connection whose name merely holds that of the proxy is another proxy’s', async () => {
  const dump = fixturePart(`${FOLDER}/config_dump_types_sds.json`)

  const observations = await decoded([dump, connections('my-gw-1.gw-7')])

  expect(factsOf(observations)).toEqual(['proxy unknown | istio-system/istiod-1 | my-gw-1.gw'])
})

test.each([['my-gw-1.gw-7'], ['gw-1.gw-east-7']])(
  'where %s is connected beside it, nobody can tell whose secrets these are',
  async (other) => {
    const dump = fixturePart(`${FOLDER}/config_dump_types_sds.json`)

    const observations = await decoded([dump, connections('gw-1.gw-2', other)])

    expect(observations).toMatchObject([{type: 'unusable', failure: {side: 'agent', code: 'wrong-pod'}}])
    expect(factsOf(observations)[0]).toContain(`it may have taken ${other.replace(/-7$/, '')} for it`)
  },
)

test('a proxy that is connected twice, as while it reconnects, is still one', async () => {
  const dump = fixturePart(`${FOLDER}/config_dump_types_sds.json`)

  const observations = await decoded([dump, connections('gw-1.gw-2', 'gw-1.gw-19')])

  expect(observations).toMatchObject([{type: 'secrets', complete: true}])
})

test.each<[string, number, string, string]>([
  ['You must provide a proxyID in the query string', 400, 'bad-request', '1.16'],
  ['Unauthorized', 401, 'unauthorized', 'ENABLE_DEBUG_ENDPOINT_AUTH'],
  ['Forbidden', 403, 'forbidden', 'ENABLE_DEBUG_ENDPOINT_AUTH'],
  ['404 page not found', 404, 'path-unknown', 'ENABLE_DEBUG_ON_HTTP'],
  ['<html><title>Blocked</title></html>', 502, 'proxy-in-between', 'HTTPS_PROXY'],
  ['{"configs":[{"name":"kubernetes://a"', 200, 'cut-off', 'again'],
  ['{"clients":[]}', 200, 'bad-payload', 'another'],
  ['', 200, 'empty-answer', 'again'],
])('%s (%i) is explained, and nobody is asked whose it is', async (text, status, code, hint) => {
  const observations = await decoded([partOf(text, {status}), partOf('never asked for')])

  expect(observations).toMatchObject([{type: 'unusable', failure: {code, source: 'istiod-config-dump', side: 'agent'}}])
  expect(factsOf(observations)[0]).toContain('config dump of istio-system/istiod-1')
  expect(factsOf(observations)[0]).toMatch(new RegExp(`hint: .*${hint}`))
})

test.each<[string, string, number]>([
  ['the list of connections is refused', 'no', 403],
  ['the list of connections is something else', '{"items":[]}', 200],
  ['the list of connections is cut off', '{"totalClients":1,"clients":[{"connectionId":"gw-1.gw-2"', 200],
])('where %s, the secrets are not taken for this proxy’s', async (_name, text, status) => {
  const dump = fixturePart(`${FOLDER}/config_dump_types_sds.json`)

  const observations = await decoded([dump, partOf(text, {status, path: '/debug/connections'})])

  expect(observations.map(({type}) => type)).toEqual(['unusable'])
  expect(factsOf(observations)[0]).toContain('connections of istio-system/istiod-1')
})

test('roots from a ConfigMap are a bundle, and entries that are no secrets are passed over', async () => {
  const text = readFixture(`${FOLDER}/config_dump_types_sds.json`).toString()
  const ca = JSON.stringify({
    '@type': 'type.googleapis.com/a.tls.v3.Secret',
    name: 'configmap://gw/ca',
    validationContext: {},
  })
  const more = text.replace('"configs":[', `"configs":[${ca},7,null,{"@type":"x"},`)

  const observations = await decoded([partOf(more), connections('gw-1.gw-2')])

  expect(factsOf(observations)).toEqual([
    'secrets | agent | istiod-config-dump | complete',
    '"configmap://gw/ca" | CA | EMPTY: no certificate',
    '"kubernetes://shop-cert" | Cert Chain',
    SHOP_CERT,
  ])
})

test('what has a type that is no text is no secret, and those beside it are read', async () => {
  const dump = readFixtureRecord(`${FOLDER}/config_dump_types_sds.json`)
  const odd = {'@type': {name: 'x'}, name: 'kubernetes://odd'}
  const configs = [odd, ...recordsField(dump, 'configs')]

  const observations = await decoded([partOf(JSON.stringify({configs})), connections('gw-1.gw-2')])

  expect(observations).toMatchObject([{type: 'secrets', items: [{name: 'kubernetes://shop-cert'}]}])
})
