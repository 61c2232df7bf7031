import {expect, test} from '@jest/globals'
import {decodePemSecret} from '../../../../src/lib/decode/pem/decode-pem-secret.ts'
import {readPem} from '../../../../src/lib/decode/pem/read-pem.ts'
import {splitPem} from '../../../../src/lib/decode/pem/split-pem.ts'
import {createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import {readFixture} from '../answers.ts'

const reader = createCertificateReader({maxEntries: 100})
const LEAF = readFixture('decimal-vs-hex-serial/leaf.pem').toString()
const BODY = LEAF.replaceAll(/-----[^-]+-----\s*/g, '')
const BUNDLE = readFixture('negative-serial/bundle.pem')
const SERIAL = '5c1d7e90a2b34455667788990a1b2c3d'

function serials(text: string): (string | undefined)[] {
  return readPem(text, reader).certificates.map((one) => (typeof one === 'string' ? one : one.serial))
}

test.each([
  ['carriage returns', LEAF.replaceAll('\n', '\r\n')],
  ['no final newline', LEAF.trimEnd()],
  ['spaces at line ends', LEAF.replaceAll('\n', ' \t\n')],
  ['indented lines', LEAF.replaceAll(/^/gm, '  ')],
  ['one line of base64', `-----BEGIN CERTIFICATE-----\n${BODY.replaceAll('\n', '')}\n-----END CERTIFICATE-----`],
  ['noise around', `subject=/CN=x\n-----BEGIN nothing\n${LEAF}trailing -----BEGIN words`],
  ['headers of the old form', LEAF.replace('-----\n', '-----\nProc-Type: 4,CLEAR\nX-Note: a\n\n')],
  ['the label of OpenSSL', LEAF.replaceAll('CERTIFICATE', 'X509 CERTIFICATE')],
  [
    'parameters of its key beside it',
    `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${LEAF}`,
  ],
])('a certificate with %s is read', (_, text) => {
  expect(serials(text)).toEqual([SERIAL])
})

test.each([
  ['', []],
  [' \r\n', []],
  ['PLACEHOLDER_FOR_CERT', ['no PEM block']],
  [LEAF.replaceAll('\n', String.raw`\n`), ['PEM without its line breaks']],
  [Buffer.from(LEAF).toString('base64'), ['base64 text inside base64']],
  [readFixture('x509/leaf.der').toString('latin1'), ['DER, not PEM']],
  [LEAF.slice(0, 300), ['certificate cut off']],
  [`-----BEGIN CERTIFICATE-----\n${LEAF}`, ['certificate cut off', SERIAL]],
  [LEAF.replaceAll('CERTIFICATE', 'X509 CRL'), ['PEM label X509 CRL, not CERTIFICATE']],
  [LEAF.replace(BODY, '*\n'), ['PEM block is no certificate']],
  [LEAF.replace('END CERTIFICATE', 'END OTHER'), ['certificate cut off']],
])('text %# has its own short problem', (text, expected) => {
  expect(serials(text)).toEqual(expected)
})

test.each(['PRIVATE KEY', 'RSA PRIVATE KEY', 'ENCRYPTED PRIVATE KEY', 'OPENSSH PRIVATE KEY'])(
  'a block labelled %s is noticed and dropped, even without an end',
  (label) => {
    const {blocks, keyFound} = splitPem(`${LEAF}-----BEGIN ${label}-----\nc2VjcmV0\n`)

    expect(keyFound).toBe(true)
    expect(blocks.map((block) => block.label)).toEqual(['CERTIFICATE'])
  },
)

test('many stray boundaries are gone through in one pass', () => {
  const text = '-----BEGIN CERTIFICATE-----\n'.repeat(50_000)

  expect(splitPem(text).blocks).toHaveLength(50_000)
})

test.each([
  ['a leaf', Buffer.from(LEAF), 'default', 'Cert Chain', 1],
  ['CA certificates alone', BUNDLE, 'ROOTCA', 'CA', 3],
  ['a leaf in DER', readFixture('x509/leaf.der'), 'default', 'Cert Chain', 1],
  ['a leaf in UTF-16', Buffer.from(`\uFEFF${LEAF}`, 'utf16le'), 'default', 'Cert Chain', 1],
  ['a leaf behind a byte order mark', Buffer.from(`\uFEFF${LEAF}`), 'default', 'Cert Chain', 1],
])('a file with %s holds the secret that it looks like', (_, bytes, name, type, count) => {
  const item = decodePemSecret(bytes, reader)

  expect(item).toMatchObject({name, type, keyFound: false})
  expect(item.certificates.map((one) => one.readable)).toEqual(Array.from({length: count}, () => true))
})

test('a name that is given counts, and leaves the type as it is', () => {
  expect(decodePemSecret(BUNDLE, reader, 'kubernetes://edge-cacert')).toMatchObject({
    name: 'kubernetes://edge-cacert',
    type: 'CA',
  })
})
