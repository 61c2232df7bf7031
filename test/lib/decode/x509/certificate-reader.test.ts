import {expect, test} from '@jest/globals'
import {type CertificateReader, createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import type {CertificateFacts} from '../../../../src/lib/decode/x509/read-certificate.ts'
import {splitPem} from '../../../../src/lib/decode/pem/split-pem.ts'
import {readFixture} from '../answers.ts'

const bundle = splitPem(readFixture('negative-serial/bundle.pem').toString()).blocks.map(
  ({bytes}) => bytes ?? new Uint8Array(),
)

function read(reader: CertificateReader, bytes: Uint8Array | undefined): CertificateFacts {
  const certificate = reader.read(bytes ?? new Uint8Array())
  if (typeof certificate === 'string') throw new Error(certificate)
  return certificate
}

test('a certificate seen before is not parsed again', () => {
  const reader = createCertificateReader({maxEntries: 2})

  const first = read(reader, bundle[0])

  expect(read(reader, Buffer.concat([bundle[0] ?? new Uint8Array(), Buffer.from('after')]))).toBe(first)
})

test('the longest unused certificate is forgotten first', () => {
  const reader = createCertificateReader({maxEntries: 2})
  const [first, second] = [read(reader, bundle[0]), read(reader, bundle[1])]

  read(reader, bundle[0])
  read(reader, bundle[2])

  expect(read(reader, bundle[0])).toBe(first)
  expect(read(reader, bundle[1])).not.toBe(second)
  expect(read(reader, bundle[1])).toEqual(second)
})

test('the PEM of a certificate is its own alone, in lines of 64', () => {
  const reader = createCertificateReader({maxEntries: 2})
  const wide = splitPem(readFixture('crlf-and-final-newline/wide.pem').toString()).blocks[0]?.bytes

  const {pem} = read(reader, wide)

  expect(pem).toMatch(/^-----BEGIN CERTIFICATE-----\n(?:[\w+/]{64}\n)+[\w+/=]{1,64}\n-----END CERTIFICATE-----\n$/)
  expect(read(reader, splitPem(pem).blocks[0]?.bytes).pem).toBe(pem)
})

test.each([
  ['nothing', Buffer.alloc(0), 'PEM block is no certificate'],
  ['text', Buffer.from('PLACEHOLDER'), 'PEM block is no certificate'],
  ['another sequence', Buffer.from('3003020101', 'hex'), 'PEM block is no certificate'],
  ['a head alone', Buffer.from('30820100', 'hex'), 'certificate cut off'],
  ['a length that never ends', Buffer.from('3080', 'hex'), 'PEM block is no certificate'],
])('%s is no certificate', (_, bytes, problem) => {
  expect(createCertificateReader({maxEntries: 1}).read(bytes)).toBe(problem)
})

test('who signed whom is decided by the signature, and remembered', () => {
  const reader = createCertificateReader({maxEntries: 10})
  const [rootA, , rootB] = [read(reader, bundle[0]), undefined, read(reader, bundle[2])]
  const leaf = read(reader, readFixture('x509/leaf.der'))
  const impostor: CertificateFacts = {...rootB, subject: rootA.subject}

  expect(reader.issued(rootA, leaf)).toBe(true)
  expect(reader.issued(rootA, leaf)).toBe(true)
  expect(reader.issued(rootB, leaf)).toBe(false)
  expect(reader.issued(leaf, rootA)).toBe(false)
  expect(createCertificateReader({maxEntries: 1}).issued(impostor, leaf)).toBe(false)
})
