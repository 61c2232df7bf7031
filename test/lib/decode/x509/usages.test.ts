import {expect, test} from '@jest/globals'
import {splitPem} from '../../../../src/lib/decode/pem/split-pem.ts'
import {createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import type {CertificateFacts} from '../../../../src/lib/decode/x509/read-certificate.ts'
import {readFixture} from '../answers.ts'

function read(file: string): CertificateFacts {
  const reader = createCertificateReader({maxEntries: 1})
  const certificate = reader.read(splitPem(readFixture(`x509/${file}`).toString()).blocks[0]!.bytes!)
  if (typeof certificate === 'string') throw new Error(certificate)
  return certificate
}

test('usages are told by name, basic ones first, up to the ninth bit; a purpose without a name by its number', () => {
  expect(read('usages.pem').usages).toEqual([
    'digitalSignature',
    'keyAgreement',
    'decipherOnly',
    'serverAuth',
    'clientAuth',
    'emailProtection',
    '1.2.3.4',
  ])
})

test('a certificate without extensions has no usages to keep to', () => {
  expect(read('no-usages.pem').usages).toEqual([])
})

test('certificates of one key have one fingerprint of the key, which is that of its SubjectPublicKeyInfo', () => {
  const [one, other] = [read('usages.pem'), read('no-usages.pem')]

  expect(one.fingerprint).not.toBe(other.fingerprint)
  expect(one.key.fingerprint).toBe('ad601e32ef0b027de7084159ce28b04baa213c403e77cb5eceb018c0ab51b9fd')
  expect(other.key).toEqual(one.key)
})
