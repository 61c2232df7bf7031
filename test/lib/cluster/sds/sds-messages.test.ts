import {expect, test} from '@jest/globals'
import {publishResponse} from '../../../../src/lib/cluster/sds/public-secret.ts'
import {encodeRequest, SECRET_V2, SECRET_V3, takeResponse} from '../../../../src/lib/cluster/sds/sds-messages.ts'
import descriptor from '../../../../src/lib/cluster/sds/sds.descriptor.json' with {type: 'json'}
import {decodeSdsRequest, encodeSdsResponse} from '../../../../src/lib/sandbox/agents/sds-wire.ts'
import {REMOVED_KEY} from '../../../../src/lib/domain/answer.ts'

const CHAIN = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
const KEY = `-----BEGIN PRIVATE KEY-----\n${'MIGHsecret'.repeat(12)}\n-----END PRIVATE KEY-----\n`

function response(typeUrl: string, chain = CHAIN): Buffer {
  return encodeSdsResponse({
    typeUrl,
    versionInfo: '2026-06-01T12:00:00Z/1',
    nonce: 'n',
    secret: {
      name: 'default',
      tls_certificate: {
        certificate_chain: {inline_bytes: Buffer.from(chain)},
        private_key: {inline_bytes: Buffer.from(KEY)},
      },
    },
  })
}

function namesIn(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([name, value]) => [name, ...namesIn(value)])
}

test('the messages that can be decoded have no field for a key', () => {
  const names = namesIn(descriptor)

  expect(names).toContain('certificate_chain')
  expect(names.filter((name) => /key|pkcs|password|ticket|generic|typed_config/.test(name))).toEqual([])
})

test('a request names one secret and its type', () => {
  const bytes = encodeRequest('ROOTCA', SECRET_V3, 'sidecar~127.0.0.1~a.b~b.svc.cluster.local')

  expect(decodeSdsRequest(bytes)).toEqual(['ROOTCA'])
  expect(bytes.toString('latin1')).toContain(SECRET_V3)
})

test.each([SECRET_V3, SECRET_V2])(
  'of a response of %s the certificate is taken, and the rest is overwritten',
  (type) => {
    const message = response(type)
    expect(message.toString()).toContain('MIGHsecret')

    const taken = takeResponse(message)

    expect(taken).toEqual({
      versionInfo: '2026-06-01T12:00:00Z/1',
      secrets: [{name: 'default', chain: {bytes: Buffer.from(CHAIN)}}],
      otherTypes: [],
    })
    expect(message.every((byte) => byte === 0)).toBe(true)
  },
)

test('a resource of another type is named, and nothing of it is kept', () => {
  const taken = takeResponse(response('type.googleapis.com/example.KeyBox'))

  expect(taken).toEqual({
    versionInfo: '2026-06-01T12:00:00Z/1',
    secrets: [],
    otherTypes: ['type.googleapis.com/example.KeyBox'],
  })
})

test.each([
  ['bytes that are none', Buffer.from([0xff, 0xff, 0xff])],
  ['a message that is cut off', response(SECRET_V3).subarray(0, 200)],
])('%s throw, and are overwritten', (_what, message) => {
  expect(() => takeResponse(message)).toThrow(/invalid|index out of range|illegal/)
  expect(message.every((byte) => byte === 0)).toBe(true)
})

test('a key that stands before the certificate is taken out before a text is made, and the bytes are overwritten', async () => {
  const taken = takeResponse(response(SECRET_V3, KEY + CHAIN))
  const bytes = taken.secrets[0]?.chain?.bytes ?? Buffer.alloc(0)

  const kept = await publishResponse(taken)

  const text = Buffer.from(
    kept.resources[0]?.tls_certificate?.certificate_chain.inline_bytes ?? '',
    'base64',
  ).toString()
  expect(text).toContain(REMOVED_KEY)
  expect(text).toContain(CHAIN)
  expect(text).not.toContain('MIGHsecret')
  expect(bytes.length).toBeGreaterThan(CHAIN.length)
  expect(bytes.every((byte) => byte === 0)).toBe(true)
})
