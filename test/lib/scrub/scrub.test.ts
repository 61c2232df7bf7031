import {readFileSync} from 'node:fs'
import {describe, expect, test} from '@jest/globals'
import {REMOVED_KEY, REMOVED_VALUE} from '../../../src/lib/domain/answer.ts'
import {ProbeError} from '../../../src/lib/domain/failure.ts'
import {scrub} from '../../../src/lib/scrub/scrub.ts'
import {EC_KEY, KEYS, leaks, ODD_LABELS} from './key-samples.ts'
import {inChunks, scrubbed} from './run-scrub.ts'

const fixture = (name: string): Buffer => readFileSync(new URL(`../../fixtures/scrub/${name}`, import.meta.url))
const certificate = fixture('leaf.pem').toString()

/** JSON's own escapes, all in hex. */
const inHex = (text: string): string =>
  text.replaceAll(/[^]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

const base64 = (text: string | Buffer): string => Buffer.concat([Buffer.from(text)]).toString('base64')
const wrapped = (text: string | Buffer, width: number, lineEnd: string): string =>
  (base64(text).match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(lineEnd)

/** Ways in which a text with a key in it stands in a body; each holds `certificate` beside it. */
const SHAPES: Readonly<Record<string, (pem: string) => string>> = {
  'plain text': (pem) => `${certificate}${pem}${certificate}`,
  'text with CRLF': (pem) => `${certificate}${pem}`.replaceAll('\n', '\r\n'),
  'text without a final newline': (pem) => `${certificate}${pem.trimEnd()}`,
  'a JSON string': (pem) => JSON.stringify({inline_string: `${certificate}${pem}${certificate}`, next: 1}),
  'a JSON string with CRLF': (pem) => JSON.stringify({a: `${certificate}${pem}`.replaceAll('\n', '\r\n')}),
  'a JSON string all in hex': (pem) => `{"a":"${inHex(pem)}","b":${JSON.stringify(certificate)}}`,
  'a JSON string with dashes in hex': (pem) =>
    JSON.stringify({a: certificate + pem})
      .replaceAll('-', '\\u002d')
      .replaceAll('/', '\\/'),
  'a field name': (pem) => JSON.stringify({[pem]: 1, [certificate]: 2}),
  base64: (pem) => JSON.stringify({inline_bytes: base64(certificate + pem + certificate)}),
  'base64 at the second alignment': (pem) => JSON.stringify({b: base64(`x${certificate}${pem}`)}),
  'base64 at the third alignment': (pem) => JSON.stringify({b: base64(`xy${certificate}${pem}`)}),
  'base64 without padding': (pem) => JSON.stringify({b: base64(`${certificate}${pem}xy`).replaceAll('=', '')}),
  'base64 for URLs': (pem) => JSON.stringify({b: Buffer.from(`${certificate}${pem}`).toString('base64url')}),
  'base64 in lines of 76': (pem) => JSON.stringify({b: wrapped(certificate + pem, 76, '\n')}),
  'base64 in lines of 64 with CRLF': (pem) => JSON.stringify({b: wrapped(certificate + pem, 64, '\r\n')}),
  'base64 in short groups': (pem) => JSON.stringify({b: wrapped(certificate + pem, 8, ' ')}),
  'base64 with slashes escaped': (pem) => JSON.stringify({b: base64(certificate + pem)}).replaceAll('/', '\\/'),
  'base64 of base64': (pem) => JSON.stringify({b: base64(base64(certificate + pem))}),
  'base64 of base64 in lines': (pem) => JSON.stringify({b: base64(wrapped(certificate + pem, 76, '\n'))}),
  'JSON in JSON': (pem) => JSON.stringify({a: JSON.stringify({b: certificate + pem, c: base64(pem)})}),
  'JSON in JSON in JSON': (pem) => JSON.stringify([JSON.stringify([JSON.stringify({b: certificate + pem})])]),
  'base64 of JSON': (pem) => JSON.stringify({a: base64(JSON.stringify({b: certificate + pem}))}),
  'base64 of lines in JSON in JSON': (pem) =>
    JSON.stringify({a: JSON.stringify({b: wrapped(certificate + pem, 64, '\n')})}),
  'a value of YAML': (pem) => `data:\n  ca.crt: ${base64(certificate)}\n  tls: ${base64(pem)}\nkind: Secret\n`,
  'a block of YAML': (pem) => `a: |\n${(certificate + pem).replaceAll(/^/gm, '  ')}\nb: 1\n`,
  'wrapped base64 in text': (pem) => `Bag:\n${wrapped(certificate + pem, 64, '\n')}\n\nend of bag\n`,
  'a line of text with escapes': (pem) => `env PEM=${JSON.stringify(certificate + pem)} set\n`,
  'JSON after noise with a quote': (pem) => `[gc "1\nscvg: {x\n{"b":${JSON.stringify(certificate + pem)}}\nbye "\n`,
  'JSON after JSON': (pem) => `{"a":1}{"b":${JSON.stringify(certificate + pem)}}\n[${JSON.stringify(pem)}]`,
  'JSON with a line break in a string': (pem) => `{\n "b": "${certificate + pem}",\n "c": ${JSON.stringify(pem)}\n}\n`,
  'a byte order mark': (pem) => `\ufeff{"b":${JSON.stringify(certificate + pem)}}`,
}

const CASES = [...KEYS, ...ODD_LABELS].flatMap((key) =>
  Object.entries(SHAPES).map(([shape, write]) => ({key, shape, body: write(key.pem), name: key.name})),
)

/** All certificates that can be read from a body, whatever they are encoded in. */
function certificatesIn(text: string, layers = 3): number {
  const plain = text
    .replaceAll(/\\+u002[dD]/g, '-')
    .replaceAll(/\\+[nr]/g, '\n')
    .replaceAll('\\', '')
  const armoured = plain.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? []
  const own = armoured.filter((block) => block.replaceAll(/\s/g, '') === certificate.replaceAll(/\s/g, '')).length
  if (layers === 0) return own
  const runs = plain.replaceAll(/-{5}.*?-{5}/g, '|').match(/[A-Za-z0-9+/_\-\s]{24,}/g) ?? []
  const inside = (text: string): number => certificatesIn(Buffer.from(text, 'base64').toString('latin1'), layers - 1)
  return (
    own + runs.reduce((sum, run) => sum + (inside(run) || run.split('\n').reduce((n, line) => n + inside(line), 0)), 0)
  )
}

test.each(CASES)('$name in $shape is taken out, and the certificate beside it stays', async ({key, body}) => {
  expect(leaks(Buffer.from(body), key)).toBe(true)

  const output = await scrubbed(body)

  expect(leaks(output, key)).toBe(false)
  expect(certificatesIn(output.toString('latin1'))).toBe(certificatesIn(body))
  expect(certificatesIn(body)).toBeGreaterThan(0)
})

test.each(CASES.filter(({key}) => key.name === EC_KEY.name))(
  'the output does not depend on how $shape is cut into chunks',
  async ({body}) => {
    const whole = await scrubbed(body)

    for (const size of [1, 2, 7, 61, 1024]) expect((await scrubbed(body, size)).equals(whole)).toBe(true)
  },
)

test.each(CASES.filter(({key}) => key.name === EC_KEY.name))(
  'a body that is cut off anywhere in $shape shows nothing of the key',
  async ({key, body}) => {
    const bytes = Buffer.from(body)

    for (let length = 1; length < bytes.length; length += 13) {
      expect(leaks(await scrubbed(bytes.subarray(0, length)), key)).toBe(false)
    }
  },
)

test.each(CASES.filter(({key}) => key.name === EC_KEY.name))(
  'what was scrubbed in $shape stays as it is',
  async ({body}) => {
    const once = await scrubbed(body)

    const twice = await scrubbed(once)

    expect(twice.toString()).toBe(once.toString())
  },
)

test('a key leaves a marker in the encoding it stood in', async () => {
  const body = JSON.stringify({plain: EC_KEY.pem, bytes: base64(certificate + EC_KEY.pem), key: base64(EC_KEY.der)})

  expect(JSON.parse((await scrubbed(body)).toString())).toEqual({
    plain: `${REMOVED_KEY}\n`,
    bytes: base64(`${certificate}${REMOVED_KEY}\n`),
    key: base64(REMOVED_KEY),
  })
})

test.each(KEYS)('base64 of the DER of $name is a key without PEM, too', async (key) => {
  const text = key.der.toString('base64')

  for (const body of [
    JSON.stringify({inline_bytes: text, after: 1}),
    JSON.stringify({inline_bytes: key.der.toString('base64url')}),
    JSON.stringify({lines: wrapped(key.der, 64, '\n')}),
    `key: ${text}\nafter: 1\n`,
    `-----BEGIN CERTIFICATE-----\n${text.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`,
  ]) {
    const output = await scrubbed(body)

    expect(leaks(output, key)).toBe(false)
    expect(output.includes('after')).toBe(body.includes('after'))
  }
})

test.each(KEYS)('base64 of the DER of $name in a text is a key even where it is cut off soon', async (key) => {
  const text = key.der.toString('base64')

  for (const length of [24, 40, 59]) {
    const output = (await scrubbed(`a note\n\n${text.slice(0, length)}`, 7)).toString()

    const marker = base64(REMOVED_KEY)
    expect([`a note\n\n${marker}`, `a note\n\n${marker.replaceAll('=', '')}`]).toContain(output)
  }
})

test.each(KEYS)('a body that is the DER of $name leaves the marker alone', async (key) => {
  for (const size of [1, 4096]) expect((await scrubbed(key.der, size)).toString()).toBe(REMOVED_KEY)
})

test('a block without its END ends at the next block, or with the body', async () => {
  const open = EC_KEY.pem.slice(0, EC_KEY.pem.indexOf('-----END'))

  const inText = await scrubbed(`${open}${certificate}tail\n`)
  const alone = await scrubbed(`head\n${open}Proc-Type: 4\n\nline\n`)

  expect(inText.toString()).toBe(`${REMOVED_KEY}${certificate}tail\n`)
  expect(alone.toString()).toBe(`head\n${REMOVED_KEY}`)
})

test('a block without its BEGIN is a key up to its END', async () => {
  const tail = EC_KEY.pem.slice(EC_KEY.pem.indexOf('\n') + 1)

  for (const body of [
    `${tail}${certificate}`,
    JSON.stringify({a: certificate + tail}),
    JSON.stringify({a: base64(tail)}),
  ]) {
    expect(leaks(await scrubbed(body), EC_KEY)).toBe(false)
  }
})

test('encrypted keys with headers inside the block go whole', async () => {
  const [begin = '', ...rest] = EC_KEY.pem.split('\n')
  const legacy = [begin, 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,00', '', ...rest].join('\n')

  const output = await scrubbed(`${certificate}${legacy}${certificate}`)

  expect(output.toString()).toBe(`${certificate}${REMOVED_KEY}\n${certificate}`)
})

test('values under names of key material go, and the structure stays', async () => {
  const body = {
    private_key: {
      inline_bytes: 'c2VjcmV0',
      filename: '/k',
      watched: {path: 'x', n: 1, on: true, none: null, empty: ''},
    },
    privateKey: 'plain "quoted" \\',
    passphrase: ['a', ['b', {c: 'd'}]],
    session_ticket_keys: {keys: [{inline_bytes: 'a'}, {inline_string: 'b'}, {filename: 'c'}]},
    sessionTicketKeys: {keys: []},
    generic_secret: {secret: {inline_string: 's'}, secrets: {one: {inline_string: '1'}, two: {inline_bytes: '2'}}},
    genericSecret: {},
    password: 12345,
    pkcs12: {inline_bytes: 'x'},
    data: {'tls.crt': 'Y3J0', 'tls.key': 'a2V5', 'key.pem': 'cGVt', 'ca-key.pem': 'x'},
    private_key_provider: {provider_name: 'cryptomb', typed_config: {'@type': 't', poll_delay: '1s'}, fallback: true},
    private_keys: 'other',
    key: 'kept',
    after: 'kept',
  }
  const removed = REMOVED_VALUE

  for (const text of [
    JSON.stringify(body),
    JSON.stringify(body, null, 2),
    JSON.stringify(body).replaceAll('_', '\\u005f'),
  ]) {
    for (const size of [1, 5, 4096]) {
      expect(JSON.parse((await scrubbed(text, size)).toString())).toEqual({
        private_key: {
          inline_bytes: removed,
          filename: removed,
          watched: {path: removed, n: removed, on: removed, none: null, empty: ''},
        },
        privateKey: removed,
        passphrase: [removed, [removed, {c: removed}]],
        session_ticket_keys: {keys: [{inline_bytes: removed}, {inline_string: removed}, {filename: removed}]},
        sessionTicketKeys: {keys: []},
        generic_secret: {
          secret: {inline_string: removed},
          secrets: {one: {inline_string: removed}, two: {inline_bytes: removed}},
        },
        genericSecret: {},
        password: removed,
        pkcs12: {inline_bytes: removed},
        data: {'tls.crt': 'Y3J0', 'tls.key': removed, 'key.pem': removed, 'ca-key.pem': removed},
        private_key_provider: {
          provider_name: 'cryptomb',
          typed_config: {'@type': removed, poll_delay: removed},
          fallback: true,
        },
        private_keys: 'other',
        key: 'kept',
        after: 'kept',
      })
    }
  }
})

describe('a JSON web key', () => {
  const EC = {kty: 'EC', crv: 'P-256', x: 'public', y: 'public', d: 'secret', x5c: ['MIIB']}
  const RSA = {n: 'public', e: 'AQAB', d: 'secret', p: 'secret', q: 'secret', dp: 'secret', dq: 'secret', qi: 'secret'}
  const SHARED = {k: 'secret', kty: 'oct', alg: 'HS256'}
  const sets = {trust_domains: {'mesh.example': {keys: [EC, {...RSA, oth: [{r: 'secret', d: 'secret'}]}, SHARED]}}}

  test.each([
    ['plain', sets],
    ['inside a string', {trust_bundles: {inline_string: JSON.stringify(sets)}}],
    ['alone', {jwk: EC}],
  ])('loses what is private in it, and nothing else: %s', async (_, body) => {
    for (const size of [1, 5, 4096]) {
      const output = (await scrubbed(JSON.stringify(body), size)).toString()

      expect(output).not.toContain('secret')
      expect(output.match(/public/g)?.length).toBe(JSON.stringify(body).match(/public/g)?.length)
      expect(output).toContain('MIIB')
    }
  })

  test.each([0, 2])('loses it in base64, too, indented by %i', async (indent) => {
    const base64 = (value: unknown) => Buffer.from(JSON.stringify(value, null, indent)).toString('base64')

    const output = await scrubbed(JSON.stringify({trust_bundles: {inline_bytes: base64(sets)}}))

    const {trust_bundles: left} = JSON.parse(output.toString()) as {trust_bundles: {inline_bytes: string}}
    const text = Buffer.from(left.inline_bytes, 'base64').toString()
    expect(text).not.toContain('secret')
    expect(JSON.parse(text)).toMatchObject({
      trust_domains: {'mesh.example': {keys: [{x5c: ['MIIB'], x: 'public'}, {}, {}]}},
    })
  })

  test('is none only because a name is that short', async () => {
    const body = JSON.stringify({d: 'kept', keys: {d: 'kept'}, list: [{k: 'kept', p: 'kept'}]})

    expect((await scrubbed(body)).toString()).toBe(body)
  })
})

test('names count in a document inside a string, too', async () => {
  const inner = JSON.stringify({kind: 'Secret', data: {'tls.key': 'c2hvcnQ=', 'tls.crt': 'Y3J0'}, password: 'hunter2'})

  const output = await scrubbed(JSON.stringify({annotation: inner}))

  expect(JSON.parse(output.toString())).toEqual({
    annotation: JSON.stringify({
      kind: 'Secret',
      data: {'tls.key': REMOVED_VALUE, 'tls.crt': 'Y3J0'},
      password: REMOVED_VALUE,
    }),
  })
})

test('ticket keys and generic secrets of a dump can still be counted', async () => {
  const output = await scrubbed(fixture('generic-and-ticket-keys.config_dump.json'))

  expect(output.toString()).not.toMatch(/QzA2IG5vdCBhIHJlYWwgdGlj|C06 not a real ticket key/)
  const removed = {inline_bytes: REMOVED_VALUE}
  expect(JSON.parse(output.toString())).toMatchObject({
    configs: [
      {},
      {
        dynamic_active_secrets: [
          {secret: {tls_certificate: {private_key: removed}}},
          {secret: {generic_secret: {secret: removed}}},
          {secret: {generic_secret: {secrets: {}}}},
          {secret: {session_ticket_keys: {keys: [removed, removed, {filename: REMOVED_VALUE}]}}},
        ],
      },
    ],
  })
})

test('a label that is partly in hex is a label', async () => {
  const [key] = ODD_LABELS
  const body = JSON.stringify({a: `it is ${key?.pem}`}).replaceAll('PRIVATE', '\\u0050RIVATE')

  expect((await scrubbed(body)).toString()).toBe(JSON.stringify({a: `it is ${REMOVED_KEY}\n`}))
})

test.each([
  'istio.config_dump.json',
  'chain.config_dump.json',
  'certs.json',
  'agent_metrics.txt',
  'latin1-preamble.pem',
  'leaf.pem',
  'noise-before.txt',
  'noise-after.txt',
  '502.html.txt',
])('%s has nothing to hide but what is under the names, and passes byte for byte', async (name) => {
  // Envoy's own redaction stands under `private_key` and is replaced like any value there.
  const body = fixture(name)
  const expected = Buffer.from(
    body.toString('latin1').replaceAll('"W3JlZGFjdGVkXQ=="', JSON.stringify(REMOVED_VALUE)),
    'latin1',
  )

  for (const size of [1, 7, 65_536]) expect((await scrubbed(body, size)).equals(expected)).toBe(true)
})

test('random bytes pass, whatever they look like', async () => {
  let seed = 42
  const alphabet = Buffer.from('{}[]",:\\\n\r -=aAMzu0/+_\u0000\u00ff', 'latin1')
  const body = Buffer.alloc(20_000)
  for (let at = 0; at < body.length; at++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    body[at] = alphabet[seed % alphabet.length] ?? 0
  }

  for (const size of [1, 7, 65_536]) expect((await scrubbed(body, size)).equals(body)).toBe(true)
})

test('a chunk without a key goes on uncopied', async () => {
  const chunk = fixture('certs.json')
  async function* body(): AsyncGenerator<Uint8Array> {
    yield chunk
  }

  const pieces: Uint8Array[] = []
  for await (const piece of scrub(body())) pieces.push(piece)

  expect(pieces).toHaveLength(1)
  expect(pieces[0]?.buffer).toBe(chunk.buffer)
  expect(pieces[0]?.byteOffset).toBe(chunk.byteOffset)
})

test('an empty body stays empty', async () => {
  expect(await scrubbed('')).toHaveLength(0)
})

test('a certificate in DER passes', async () => {
  const der = Buffer.from(certificate.split('\n').slice(1, -2).join(''), 'base64')

  expect((await scrubbed(der, 10)).equals(der)).toBe(true)
})

test.each([
  ['UTF-16 with a mark', Buffer.from('\ufeff{"a":1}', 'utf16le')],
  ['UTF-16 without a mark', Buffer.from('{"a":1}', 'utf16le')],
  ['UTF-16 of the other order', Buffer.from('\ufeff{"a":1}', 'utf16le').swap16()],
  ['UTF-32', Buffer.from([0x7b, 0, 0, 0, 0x7d, 0, 0, 0])],
])('%s is refused, since no key would be found in it', async (_, body) => {
  for (const size of [1, 4096]) {
    await expect(scrubbed(body, size)).rejects.toMatchObject({
      failure: {code: 'bad-payload', hint: expect.stringMatching('UTF-8')},
    })
  }
})

test('a string that is too long to be looked at whole is refused', async () => {
  const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(17 * 1024 * 1024, 'y'), Buffer.from('"}')])

  await expect(scrubbed(body)).rejects.toMatchObject({failure: {code: 'too-large'}})
  await expect(scrubbed(body, body.length)).rejects.toBeInstanceOf(ProbeError)
})

test('a value that goes anyway may be of any length', async () => {
  const body = Buffer.concat([Buffer.from('{"password":"'), Buffer.alloc(17 * 1024 * 1024, 'y'), Buffer.from('"}')])

  expect((await scrubbed(body)).toString()).toBe(`{"password":"${REMOVED_VALUE}"}`)
})

test('absurdly deep JSON is refused', async () => {
  await expect(scrubbed('['.repeat(30_000))).rejects.toMatchObject({failure: {code: 'bad-payload'}})
})

test('encodings nested beyond measure go whole', async () => {
  let text = EC_KEY.pem
  for (let layer = 0; layer < 12; layer++) text = JSON.stringify([text])

  expect(leaks(await scrubbed(text), EC_KEY)).toBe(false)
})

test('leaving early ends the body', async () => {
  let isEnded = false
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.alloc(100, 'x\n')
      yield Buffer.alloc(100, 'y\n')
    } finally {
      isEnded = true
    }
  }

  for await (const piece of scrub(body())) {
    expect(piece.length).toBeGreaterThan(0)
    break
  }

  expect(isEnded).toBe(true)
})

test('an error of the body comes through', async () => {
  const error = new ProbeError({stage: 'fetch', code: 'cut-off', message: 'Cut off'})
  async function* body(): AsyncGenerator<Uint8Array> {
    yield* inChunks(Buffer.from('{"a":'), 2)
    throw error
  }

  const read = async (): Promise<void> => {
    for await (const piece of scrub(body())) expect(piece).toBeDefined()
  }

  await expect(read()).rejects.toBe(error)
})
