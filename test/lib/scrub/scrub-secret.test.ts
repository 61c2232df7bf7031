import {expect, test} from '@jest/globals'
import {REMOVED_KEY} from '../../../src/lib/domain/answer.ts'
import {scrubSecret} from '../../../src/lib/scrub/scrub-secret.ts'
import {KEYS} from './key-samples.ts'
import {inChunks} from './run-scrub.ts'

const CERT = Buffer.from('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n').toString('base64')
const SECRET = {
  kind: 'Secret',
  apiVersion: 'v1',
  metadata: {name: 'shop-cert', namespace: 'shop', annotations: {note: 'K3Y'}, managedFields: [{name: 'K3Y'}]},
  data: {'ca.crt': CERT, cacert: CERT, cert: CERT, key: 'K3Y', 'tls.crt': CERT, 'tls.key': 'K3Y', token: 'K3Y'},
  type: 'kubernetes.io/tls',
}

async function scrubbed(text: string, size = 65_536): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of scrubSecret(inChunks(Buffer.from(text), size))) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

test.each([1, 2, 3, 7, 65_536])(
  'in pieces of %i bytes, the certificates and the name are all that passes',
  async (size) => {
    const kept = JSON.parse(await scrubbed(JSON.stringify(SECRET, undefined, 1), size)) as unknown

    expect(kept).toEqual({
      kind: 'Secret',
      type: 'kubernetes.io/tls',
      metadata: {name: 'shop-cert', namespace: 'shop'},
      data: {'ca.crt': CERT, cacert: CERT, cert: CERT, 'tls.crt': CERT},
    })
  },
)

test.each<[string, unknown]>([
  ['data that is a text', {data: 'K3Y'}],
  ['data that is a list', {data: ['K3Y', {'tls.crt': 'K3Y'}]}],
  ['a certificate that is an object', {data: {'tls.crt': {cert: 'K3Y'}}}],
  ['a certificate that is a list', {data: {'tls.crt': ['K3Y']}}],
  ['text in place of base64', {stringData: {'tls.key': 'K3Y', cert: 'K3Y'}}],
  ['a name further in', {metadata: {data: {cert: 'K3Y'}}, data: {data: {cert: 'K3Y'}}}],
  ['names that are two in one', {'data\ncert': 'K3Y', 'metadata\nname': 'K3Y'}],
  ['a certificate a level further in', {data: {cert: {cert: 'K3Y'}, 'tls.crt': {'tls.crt': {cert: 'K3Y'}}}}],
  ['a list of Secrets', {items: [{data: {key: 'K3Y', 'tls.key': 'K3Y'}}]}],
  [
    'a name with something in front',
    {data: {'x.tls.crt': 'K3Y', 'tls.crt\n': 'K3Y', 'tls.crt"': 'K3Y', '\\"cert': 'K3Y'}},
  ],
  ['a very long name', {data: {[`cert${'x'.repeat(500)}`]: 'K3Y', ['x'.repeat(64)]: 'K3Y'}}],
])('of %s nothing passes', async (_what, object) => {
  expect(await scrubbed(JSON.stringify(object), 5)).not.toContain('K3Y')
})

test('a name is the same however it is spelt', async () => {
  const text = String.raw`{"d\u0061ta": {"\u0063ert": "AAAA", "tls\u002ekey": "K3Y"}, "kind": "Secret"}`

  expect(JSON.parse(await scrubbed(text))).toEqual({data: {cert: 'AAAA'}, kind: 'Secret'})
})

test.each(KEYS)(
  'a key ($name) that stands in place of a certificate is taken out, once or twice in base64',
  async ({pem}) => {
    const once = Buffer.from(
      `-----BEGIN CERTIFICATE-----\n${'A'.repeat(64)}\n-----END CERTIFICATE-----\n${pem}`,
    ).toString('base64')
    const twice = Buffer.from(Buffer.from(pem).toString('base64')).toString('base64')

    const {data} = JSON.parse(await scrubbed(JSON.stringify({data: {'tls.crt': once, cert: twice}}))) as {
      readonly data: Readonly<Record<string, string>>
    }

    const first = Buffer.from(data['tls.crt']!, 'base64').toString()
    expect(first).toContain(REMOVED_KEY)
    expect(first).toContain('BEGIN CERTIFICATE')
    expect(Buffer.from(Buffer.from(data['cert']!, 'base64').toString(), 'base64').toString()).toContain(REMOVED_KEY)
  },
)

test('what came in is overwritten', async () => {
  const chunk = Buffer.from(JSON.stringify(SECRET))

  for await (const piece of scrubSecret(ReadableStream.from([chunk]))) expect(piece.length).toBeGreaterThan(0)

  expect(chunk.every((byte) => byte === 0)).toBe(true)
})

test.each([
  ['', 'empty-answer'],
  ['  \n', 'empty-answer'],
  ['<html>', 'bad-payload'],
  ['[{"data": {"cert": "AAAA"}}]', 'bad-payload'],
  ['{"data": {"cert": "AAAA"', 'cut-off'],
  ['{"data": {"cert": "AA', 'cut-off'],
  ['{"data": {"cert": "AAAA"}]', 'bad-payload'],
  ['{"kind": "Secret"} {"data": {}}', 'bad-payload'],
  [`{"data": ${'['.repeat(200)}`, 'bad-payload'],
])('%j is no Secret', async (text, code) => {
  await expect(scrubbed(text)).rejects.toMatchObject({failure: {code}})
})

test('no more than a Secret can hold is kept', async () => {
  await expect(scrubbed(JSON.stringify({data: {cert: 'A'.repeat(5_000_000)}}))).rejects.toMatchObject({
    failure: {code: 'too-large'},
  })
})
