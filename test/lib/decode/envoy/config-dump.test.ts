import {expect, test} from '@jest/globals'
import {decode} from '../../../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import {REMOVED_KEY} from '../../../../src/lib/domain/answer.ts'
import type {AnswerPart} from '../../../../src/lib/domain/answer.ts'
import {ProbeError} from '../../../../src/lib/domain/failure.ts'
import type {Observation, SecretsSeen} from '../../../../src/lib/domain/observation.ts'
import type {Route} from '../../../../src/lib/domain/question.ts'
import {recordsField} from '../../../../src/lib/decode/json/narrow.ts'
import {answerOf, fixturePart, partOf, readFixture, readFixtureRecord} from '../answers.ts'
import {factsOf} from '../facts.ts'

const MASK = '/config_dump?mask=static_secrets,dynamic_active_secrets,dynamic_warming_secrets'
const ACTIVE = '/config_dump?resource=dynamic_active_secrets'
const WARMING = '/config_dump?resource=dynamic_warming_secrets'
const LEAF = readFixture('decimal-vs-hex-serial/leaf.pem').toString()
const ROOT = readFixture('real-istio-active/root-cert.pem').toString()

async function read(parts: readonly AnswerPart[], route: Route = 'port-forward'): Promise<readonly Observation[]> {
  const certificates = createCertificateReader({maxEntries: 100})
  return decode(answerOf('envoy-config-dump', parts, {route}), {certificates})
}

async function readSecrets(parts: readonly AnswerPart[], route?: Route): Promise<SecretsSeen> {
  const [first] = await read(parts, route)
  if (first?.type !== 'secrets') throw new Error(`no secrets: ${JSON.stringify(first)}`)
  return first
}

function dump(sections: readonly unknown[]): string {
  return JSON.stringify({configs: sections})
}

function activeSecrets(...entries: readonly unknown[]): string {
  return dump([{'@type': 'type.googleapis.com/envoy.admin.v3.SecretsConfigDump', dynamic_active_secrets: entries}])
}

function chain(name: string, text: string): object {
  return {name, secret: {name, tls_certificate: {certificate_chain: {inline_string: text}}}}
}

function context(name: string, validation: unknown): unknown {
  return {name, secret: {name, validation_context: validation}}
}

function tls(text: string): unknown {
  return {
    transport_socket: {
      typed_config: {common_tls_context: {tls_certificates: [{certificate_chain: {inline_string: text}}]}},
    },
  }
}

async function* breaking(cause: Error): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from('{"configs":['))
  throw cause
}

test.each([
  ['/config_dump', true],
  [MASK, true],
  ['/config_dump?mask=dynamic_active_secrets,dynamic_warming_secrets', false],
  [`${MASK}&name_regex=default`, false],
  ['/config_dump?name_regex=default', false],
  ['/config_dump?mask=bootstrap', false],
  ['/config_dump?mask=', true],
  [ACTIVE, false],
])('%s lists every secret: %s', async (path, complete) => {
  const seen = await readSecrets([partOf('{}', {path})])

  expect(seen.complete).toBe(complete)
})

test('active and warming secrets that were asked one by one make one complete answer', async () => {
  const folder = 'real-istio-gateway-active'
  const masked = await readSecrets([
    fixturePart(`${folder}/config_dump_mask_dynamic_active_secrets_dynamic_warming_secrets`),
  ])
  const dumped = readFixtureRecord(`${folder}/config_dump_mask_dynamic_active_secrets_dynamic_warming_secrets`)
  const bare = recordsField(recordsField(dumped, 'configs')[0] ?? {}, 'dynamic_active_secrets').map((entry) => ({
    '@type': 'type.googleapis.com/envoy.admin.v3.SecretsConfigDump.DynamicSecret',
    ...entry,
  }))

  const seen = await readSecrets([
    partOf(dump(bare), {path: ACTIVE}),
    fixturePart(`${folder}/config_dump_resource_dynamic_warming_secrets`, {path: WARMING}),
    partOf('{}', {path: '/config_dump?resource=static_secrets'}),
  ])

  expect(seen.complete).toBe(true)
  expect(seen.items).toEqual(masked.items)
})

test('a list that was refused leaves the others, and the answer incomplete', async () => {
  const observations = await read([
    partOf('{}', {path: WARMING}),
    partOf('dynamic_active_secrets not found in config dump', {path: ACTIVE, status: 404}),
  ])

  expect(factsOf(observations)).toEqual([
    'secrets | proxy | envoy-config-dump | not complete',
    '  note: no secrets',
    expect.stringMatching(/^unusable \| decode \| path-unknown \| proxy envoy-config-dump \| .*HTTP 404/),
  ])
})

test('a secret that arrived between the two requests is not warming any more', async () => {
  const warming = dump([
    {
      '@type': 'x.SecretsConfigDump.DynamicSecret',
      name: 'default',
      version_info: 'uninitialized',
      secret: {name: 'default'},
    },
  ])

  const seen = await readSecrets([
    partOf(warming, {path: WARMING}),
    partOf(dump([chain('default', LEAF)]), {path: ACTIVE}),
  ])

  expect(seen.items.map(({name, state}) => [name, state])).toEqual([['default', 'ACTIVE']])
})

test('bare entries of a file whose request is not known are warming where they hold no data, static by their type', async () => {
  const saved = dump([
    {'@type': 'x.SecretsConfigDump.DynamicSecret', name: 'waits', secret: {name: 'waits'}},
    {'@type': 'x.SecretsConfigDump.StaticSecret', ...chain('fixed', LEAF)},
    chain('held', LEAF),
  ])

  const seen = await readSecrets([partOf(saved, {path: 'saved.json'})], 'file')

  expect(seen.items.map(({name, state}) => [name, state])).toEqual([
    ['waits', 'WARMING'],
    ['fixed', 'STATIC'],
    ['held', 'ACTIVE'],
  ])
})

test('what istioctl prints holds the same secrets as the dump it was made from', async () => {
  const folder = 'real-istio-gateway-active'
  const dumped = await readSecrets([
    fixturePart(`${folder}/config_dump_mask_dynamic_active_secrets_dynamic_warming_secrets`),
  ])

  const printed = await readSecrets([fixturePart(`${folder}/istioctl_pc_secret.json`)])

  expect(printed.items).toEqual(dumped.items)
  expect(printed.items).toHaveLength(4)
})

test('the dump of an old Envoy, whose secrets have no type, is read alike', async () => {
  const old = dump([
    {
      '@type': 'type.googleapis.com/envoy.admin.v2alpha.SecretsConfigDump',
      dynamic_active_secrets: [chain('default', LEAF)],
      static_secrets: [{secret: {name: 'fixed', validation_context: {trusted_ca: {inline_string: ROOT}}}}],
    },
  ])

  const seen = await readSecrets([partOf(old)])

  expect(seen.items.map(({name, state, type}) => [name, state, type])).toEqual([
    ['default', 'ACTIVE', 'Cert Chain'],
    ['fixed', 'STATIC', 'CA'],
  ])
})

test.each([
  [{filename: '/etc/edge/tls.crt'}, 'UNKNOWN', 'file /etc/edge/tls.crt'],
  [{environment_variable: 'EDGE_CERT'}, 'UNKNOWN', 'environment variable EDGE_CERT'],
  [{inline_string: '[redacted]'}, 'UNKNOWN', 'taken out'],
  [{inline_bytes: 'W3JlZGFjdGVkXQ=='}, 'UNKNOWN', 'taken out'],
  [{inline_string: ' \n'}, 'EMPTY', 'no certificate'],
  [{}, 'EMPTY', 'no certificate'],
])('a certificate given as %j is %s', async (source, status, message) => {
  const entry = {name: 'edge', secret: {tls_certificate: {certificate_chain: source}}}

  const seen = await readSecrets([partOf(activeSecrets(entry))])

  expect(seen.items[0]).toMatchObject({certificates: [], absent: {status, message: expect.stringContaining(message)}})
})

test('roots of the system and a PKCS #12 file are said to be out of sight', async () => {
  const seen = await readSecrets([
    partOf(
      activeSecrets(context('system', {system_root_certs: {}}), {
        name: 'p12',
        secret: {tls_certificate: {pkcs12: {inline_bytes: 'W3JlZGFjdGVkXQ=='}}},
      }),
    ),
  ])

  expect(seen.items.map(({absent}) => absent?.status)).toEqual(['UNKNOWN', 'UNKNOWN'])
})

test('revocation lists are named and are no certificates', async () => {
  const crl = `${ROOT.replaceAll('CERTIFICATE', 'X509 CRL')}\n`
  const seen = await readSecrets([
    partOf(
      activeSecrets(
        context('beside', {trusted_ca: {inline_string: `${crl}${ROOT}`}}),
        context('several', {trustedCa: {inlineString: `${ROOT}\n${crl}${crl}`}}),
        context('in a file', {
          trusted_ca: {inline_string: ROOT},
          crl: {filename: '/var/run/secrets/istio/crl/ca-crl.pem'},
        }),
        context('inline', {trusted_ca: {inline_string: ROOT}, crl: {inline_string: crl}}),
        context('empty', {trusted_ca: {inline_string: ROOT}, crl: {inline_bytes: ''}}),
        context('alone', {trusted_ca: {inline_string: crl}}),
        chain('chain', `${LEAF}\n${crl}`),
      ),
    ),
  ])

  expect(
    seen.items.map(({name, certificates, notes}) => [name, certificates.map((one) => one.readable), ...notes]),
  ).toEqual([
    ['beside', [true], 'a revocation list (CRL) stands beside it'],
    ['several', [true], '2 revocation lists (CRL) stand beside it'],
    ['in a file', [true], 'used with the revocation list (CRL) in /var/run/secrets/istio/crl/ca-crl.pem'],
    ['inline', [true], 'used with a revocation list (CRL)'],
    ['empty', [true]],
    ['alone', [false]],
    ['chain', [true], 'a revocation list (CRL) stands beside it'],
  ])
})

test('an entry of one list that waits and has no secret at all is warming', async () => {
  const type = 'type.googleapis.com/envoy.admin.v3.SecretsConfigDump.DynamicSecret'
  const waiting = {'@type': type, name: 'kubernetes://edge', version_info: 'uninitialized'}

  const seen = await readSecrets([partOf(dump([waiting]), {path: WARMING})])

  expect(seen.items).toMatchObject([{name: 'kubernetes://edge', state: 'WARMING', type: 'Unknown'}])
})

test('bytes that are no base64 cost their own secret alone', async () => {
  const bad = {name: 'bad', secret: {tls_certificate: {certificate_chain: {inline_bytes: '*not base64*'}}}}

  const seen = await readSecrets([partOf(activeSecrets(bad, chain('good', LEAF)))])

  expect(seen.items[0]?.certificates).toEqual([{readable: false, problem: 'not base64', position: 'leaf'}])
  expect(seen.items[1]?.certificates[0]?.readable).toBe(true)
})

const VALIDATOR = 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.SPIFFECertValidatorConfig'

test('a SPIFFE validator gives one bundle for each trust domain', async () => {
  const entry = context('ROOTCA', {
    trusted_ca: {inline_bytes: ''},
    custom_validator_config: {
      name: 'envoy.tls.cert_validator.spiffe',
      typed_config: {
        '@type': VALIDATOR,
        trust_domains: [
          {name: 'mesh.example', trust_bundle: {inline_string: ROOT}},
          {name: 'other.example', trust_bundle: {filename: '/run/other.pem'}},
        ],
      },
    },
  })

  const seen = await readSecrets([partOf(activeSecrets(entry))])

  expect(
    seen.items.map(({name, type, trustDomain, certificates, absent}) => [
      name,
      type,
      trustDomain,
      certificates.length,
      absent?.status,
    ]),
  ).toEqual([
    ['ROOTCA', 'SPIFFE Bundle', 'mesh.example', 1, undefined],
    ['ROOTCA', 'SPIFFE Bundle', 'other.example', 0, 'UNKNOWN'],
  ])
})

test('the newer SPIFFE bundle map is read from its JWK sets', async () => {
  const der = ROOT.replaceAll(/-----[^-]+-----|\s/g, '')
  const map = {
    trust_domains: {
      'mesh.example': {
        sequence_number: 1,
        keys: [
          {kty: 'RSA', use: 'x509-svid', x5c: [der]},
          {kty: 'EC', use: 'jwt-svid'},
        ],
      },
      'bad.example': {keys: [{kty: 'RSA', use: 'x509-svid', x5c: ['AAAA']}]},
    },
  }
  const entry = context('ROOTCA', {
    custom_validator_config: {typed_config: {'@type': VALIDATOR, trust_bundles: {inline_string: JSON.stringify(map)}}},
  })

  const seen = await readSecrets([partOf(activeSecrets(entry))])

  expect(
    seen.items.map(({trustDomain, certificates}) => [trustDomain, certificates.map((one) => one.readable)]),
  ).toEqual([
    ['mesh.example', [true]],
    ['bad.example', [false]],
  ])
})

test('a private key in a SPIFFE bundle map is a key where certificates belong', async () => {
  const der = ROOT.replaceAll(/-----[^-]+-----|\s/g, '')
  const keysOf = (more: object) => ({keys: [{use: 'x509-svid', kty: 'EC', x5c: [der], ...more}]})
  const map = {trust_domains: {'mesh.example': keysOf({d: 'removed'}), 'other.example': keysOf({})}}
  const entry = context('ROOTCA', {
    custom_validator_config: {typed_config: {'@type': VALIDATOR, trust_bundles: {inline_string: JSON.stringify(map)}}},
  })

  const seen = await readSecrets([partOf(activeSecrets(entry))])

  expect(seen.items.map(({keyFound}) => keyFound)).toEqual([true, false])
})

test('a key of a SPIFFE bundle map without a certificate is named, and the other trust domains are read', async () => {
  const der = ROOT.replaceAll(/-----[^-]+-----|\s/g, '')
  const trust_domains = {
    'mesh.example': {
      keys: [
        {use: 'x509-svid', x5c: [der]},
        {use: 'jwt-svid', kid: '1'},
      ],
    },
    'bare.example': {keys: [{use: 'x509-svid', kty: 'EC', crv: 'P-256', x: 'a', y: 'b'}]},
    'none.example': {keys: []},
  }
  const entry = context('ROOTCA', {
    customValidatorConfig: {
      typedConfig: {'@type': VALIDATOR, trustBundles: {inlineString: JSON.stringify({trust_domains})}},
    },
  })

  const seen = await readSecrets([partOf(activeSecrets(entry))])

  expect(
    seen.items.map(({trustDomain, certificates: [first], absent}) => [
      trustDomain,
      first?.readable === false ? first.problem : first?.readable,
      absent?.status,
    ]),
  ).toEqual([
    ['mesh.example', true, undefined],
    ['bare.example', 'key without a certificate', undefined],
    ['none.example', undefined, 'EMPTY'],
  ])
})

test('a private key beside a certificate is reported and not kept', async () => {
  const key = '-----BEGIN PRIVATE KEY-----\nc2VjcmV0IGtleSBieXRlcw==\n-----END PRIVATE KEY-----\n'
  const entries = [
    chain('unscrubbed', LEAF + key),
    chain('scrubbed', `${LEAF}${REMOVED_KEY}\n`),
    {
      name: 'bytes',
      secret: {tls_certificate: {certificate_chain: {inline_bytes: Buffer.from(REMOVED_KEY).toString('base64')}}},
    },
    chain(
      'block',
      `-----BEGIN CERTIFICATE-----\n${Buffer.from(REMOVED_KEY).toString('base64')}\n-----END CERTIFICATE-----\n`,
    ),
    {
      name: 'own',
      secret: {tls_certificate: {certificate_chain: {inline_string: LEAF}, private_key: {inline_string: key}}},
    },
  ]

  const observations = await read([partOf(activeSecrets(...entries))])

  const [seen] = observations
  expect(
    seen?.type === 'secrets' &&
      seen.items.map(({name, keyFound, certificates}) => [name, keyFound, certificates.length]),
  ).toEqual([
    ['unscrubbed', true, 1],
    ['scrubbed', true, 1],
    ['bytes', true, 0],
    ['block', true, 0],
    ['own', false, 1],
  ])
  expect(JSON.stringify(observations)).not.toMatch(/c2VjcmV0|PRIVATE KEY/)
})

test('ticket keys and generic secrets are counted, and none of their bytes come through', async () => {
  const observations = await read([fixturePart('generic-and-ticket-keys/config_dump.json')])

  expect(JSON.stringify(observations)).not.toMatch(/QzA2IG5v|C06 not|redacted/)
})

test('a nameless cluster inside a listener is a part of it', async () => {
  const nested = {
    '@type': 'x',
    dynamic_listeners: [{active_state: {listener: {filters: [{cluster: tls(LEAF)}], name: 'outer'}}}],
  }

  const seen = await readSecrets([partOf(dump([nested]))])

  expect(seen.items.map(({origin}) => origin)).toEqual(['listener outer'])
})

test('a listener that names itself after its certificates, and what it was refused, are told apart', async () => {
  const listeners = {
    '@type': 'type.googleapis.com/envoy.admin.v3.ListenersConfigDump',
    dynamic_listeners: [
      {
        active_state: {listener: {filter_chains: [tls(LEAF), tls(LEAF)], name: 'late'}},
        error_state: {failed_configuration: {listener: {name: 'refused', filter_chains: [tls(ROOT)]}}},
      },
    ],
  }

  const seen = await readSecrets([partOf(dump([listeners]))])

  expect(seen.items.map(({origin, certificates, notes}) => [origin, certificates.length, notes])).toEqual([
    ['listener late', 1, []],
  ])
})

test.each([
  ['a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
  ['UTF-16, little end first', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['UTF-16, big end first', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ['UTF-16 without a mark', (text: string) => Buffer.from(text, 'utf16le')],
])('a dump in %s is read', async (_, encode) => {
  const bytes = encode(activeSecrets(chain('größe', LEAF)))

  const seen = await readSecrets([partOf(bytes, {chunkBytes: 1})])

  expect(seen.items.map(({name, certificates}) => [name, certificates.length])).toEqual([['größe', 1]])
})

test('bytes that are no UTF-8 are replaced, which is said', async () => {
  const text = activeSecrets(chain('caf?', LEAF))
  const bytes = Buffer.from(text)
  bytes[text.indexOf('caf?') + 3] = 0xe9

  const seen = await readSecrets([partOf(bytes)])

  expect(seen.items[0]?.name).toBe('caf\uFFFD')
  expect(seen.notes).toEqual(['bytes that are no UTF-8 were replaced'])
})

test('a dump reads the same in pieces of any size', async () => {
  const whole = await read([fixturePart('inline-listener-certs/config_dump.json', {chunkBytes: 1_000_000})])

  for (const chunkBytes of [1, 2, 3, 64]) {
    expect(await read([fixturePart('inline-listener-certs/config_dump.json', {chunkBytes})])).toEqual(whole)
  }
})

test('a dump that is cut off anywhere gives no half rows', async () => {
  const bytes = readFixture('inline-listener-certs/config_dump.json')
  const end = bytes.toString().trimEnd().length

  for (let length = 1; length < end; length += 61) {
    const facts = factsOf(await read([partOf(bytes.subarray(0, length))]))

    expect(facts).toEqual([expect.stringContaining(`| cut-off | proxy envoy-config-dump | `)])
    expect(facts[0]).toContain(`cut off after ${length} bytes`)
  }
})

test.each([
  ['{"configs":[}', 'bad-payload'],
  ['{"configs":[,]}', 'bad-payload'],
  ['{"configs" [] }', 'bad-payload'],
  ['{"configs":[]]', 'bad-payload'],
  ["{'configs':[]}", 'bad-payload'],
  ['{"configs":[01]}', 'bad-payload'],
  [`{"configs":${'['.repeat(100_000)}`, 'bad-payload'],
  ['{"error":"boom"}', 'bad-payload'],
  ['[{"name":"default"}]', 'bad-payload'],
  ['"text"', 'bad-payload'],
  ['<!DOCTYPE html><title>Sign in</title><script>\n{"configs":[]}\n</script>', 'proxy-in-between'],
  ['invalid path. admin commands are:\n  /: help', 'path-unknown'],
  ['', 'empty-answer'],
  [' \n', 'empty-answer'],
])('text %# with status 200 is no dump', async (body, code) => {
  const observations = await read([partOf(body)])

  expect(observations).toMatchObject([{type: 'unusable', failure: {code, side: 'proxy', source: 'envoy-config-dump'}}])
})

test('messages of refusals hold one line, without tags', async () => {
  for (const file of ['404_path', '400_mask', '502_html', '503_plain']) {
    const [observation] = await read([fixturePart(`refusal-texts/${file}.txt`)])

    expect(observation?.type === 'unusable' && observation.failure.message).toMatch(/HTTP [45]\d\d, [^\n<>]+[^.\n]$/)
  }
})

test('log lines in JSON before the dump are other documents', async () => {
  const noise = 'Defaulted container "istio-proxy"\n{"level":"info","msg":"request"}\n'

  const seen = await readSecrets([partOf(noise + activeSecrets(chain('default', LEAF)))])

  expect(seen.items).toHaveLength(1)
})

test.each(['"NaN"', '"-Infinity"', '123456789012345678901234567890', '1e400', '-0', '"\\ud800"'])(
  'a value %s in a cluster costs nothing',
  async (value) => {
    const text = `{"configs":[{"dynamic_active_clusters":[{"cluster":{"metadata":${value}}}]},`

    const seen = await readSecrets([partOf(text + activeSecrets(chain('default', LEAF)).slice('{"configs":['.length))])

    expect(seen.items.map(({name}) => name)).toEqual(['default'])
  },
)

test('a number that no JSON has is an error with its place', async () => {
  const [observation] = await read([partOf(`{"configs":[{"x":NaN}]}`)])

  expect(observation).toMatchObject({failure: {code: 'bad-payload', message: expect.stringContaining('after byte 16')}})
})

test('a key called __proto__ is a key like any other', async () => {
  const text = `{"configs":[{"dynamic_active_secrets":[{"name":"x","secret":{"__proto__":{"tls_certificate":{}}}}]}]}`

  const seen = await readSecrets([partOf(text)])

  expect(seen.items.map(({type}) => type)).toEqual(['Unknown'])
})

test('one secret that is too large is left out, and the answer is not complete', async () => {
  const large = {
    name: 'large',
    secret: {tls_certificate: {certificate_chain: {inline_string: 'x'.repeat(17 * 1024 * 1024)}}},
  }

  const observations = await read([partOf(activeSecrets(large, chain('default', LEAF)), {chunkBytes: 1_000_000})])

  expect(observations).toMatchObject([
    {type: 'secrets', complete: false, items: [{name: 'default'}]},
    {type: 'unusable', failure: {code: 'too-large'}},
  ])
})

test('a hundred megabytes of clusters are passed over in little memory', async () => {
  const pad = JSON.stringify({
    cluster: {name: 'outbound|8080||svc.shop', metadata: {pad: 'y'.repeat(1400)}},
    version_info: 'v',
  })
  const block = Buffer.from(`${pad},`.repeat(700))
  const tail = `${pad}]},${activeSecrets(chain('default', LEAF)).slice('{"configs":['.length)}`
  const before = process.memoryUsage().rss
  let peak = 0
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"configs":[{"@type":"x.ClustersConfigDump","dynamic_active_clusters":[')
    for (let sent = 0; sent < 100_000_000; sent += block.length) {
      yield await Promise.resolve(block)
      peak = Math.max(peak, process.memoryUsage().rss)
    }
    yield Buffer.from(tail)
  }

  const seen = await readSecrets([{...partOf(''), body: body()}])

  expect(seen.items.map(({name}) => name)).toEqual(['default'])
  expect(peak - before).toBeLessThan(200_000_000)
})

test('a stream that breaks tells its own failure, with whose it is', async () => {
  const failure = {stage: 'fetch', code: 'connection-lost', message: 'Connection to shop/cart-1 was lost'} as const
  const observations = await read([{...partOf(''), body: breaking(new ProbeError(failure))}])

  expect(observations).toEqual([
    {type: 'unusable', failure: {...failure, side: 'proxy', source: 'envoy-config-dump', route: 'port-forward'}},
  ])
})

test('an error that is no failure is a bug, and propagates', async () => {
  await expect(read([{...partOf(''), body: breaking(new TypeError('a bug'))}])).rejects.toThrow('a bug')
})

test('an answer without parts is an empty one', async () => {
  expect(await read([])).toMatchObject([{type: 'unusable', failure: {code: 'empty-answer', stage: 'fetch'}}])
})

test('the skew of clocks is told live, and not of a file', async () => {
  const dated = {dateMs: Date.parse('2026-06-01T00:00:25Z'), receivedMs: Date.parse('2026-06-01T00:00:00Z')}

  const live = await readSecrets([partOf('{}', dated)])
  const saved = await readSecrets([partOf('{}', dated)], 'file')

  expect(live.by).toEqual({source: 'envoy-config-dump', route: 'port-forward', skewMs: 25_000})
  expect(saved.by).toEqual({source: 'envoy-config-dump', route: 'file'})
})

test('an entry whose type is no text is read by its fields', async () => {
  const entry = {'@type': {name: 'x'}, ...chain('default', LEAF)}

  const {items} = await readSecrets([partOf(dump([entry]), {path: ACTIVE})])

  expect(items).toMatchObject([{name: 'default', state: 'ACTIVE', certificates: [{readable: true}]}])
})
