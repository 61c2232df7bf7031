import {expect, test} from '@jest/globals'
import {checkSignatures} from '../../../../src/lib/decode/x509/check-signatures.ts'
import {createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import type {CertificateFacts} from '../../../../src/lib/decode/x509/read-certificate.ts'
import {decode} from '../../../../src/lib/decode/decode.ts'
import type {Certificate} from '../../../../src/lib/domain/certificate.ts'
import type {Observation} from '../../../../src/lib/domain/observation.ts'
import {isSignedBy} from '../../../../src/lib/domain/signatures.ts'
import {bundle, chain, leaf, proxyHolds, root} from '../../compare/builders.ts'
import {answerOf, fixturePart} from '../answers.ts'

function whole(id: string, more: Partial<Certificate>): Certificate {
  return leaf(id, {pem: `pem of ${id}`, ...more})
}

/** A reader that says who signed whom by a table, and counts how often it was asked. */
function readerOf(signed: (issuer: string, subject: string) => boolean) {
  const asked: string[] = []
  return {
    asked,
    read: () => 'never read here',
    issued: (issuer: CertificateFacts, subject: CertificateFacts) => {
      asked.push(`${issuer.fingerprint}>${subject.fingerprint}`)
      return signed(issuer.fingerprint, subject.fingerprint)
    },
  }
}

test('signatures of real certificates are followed through chains and bundles of one pod', async () => {
  const certificates = createCertificateReader({maxEntries: 100})
  const observations = await decode(
    answerOf('envoy-config-dump', [fixturePart('chain-with-intermediates/config_dump.json')]),
    {certificates},
  )
  const byName = new Map(blocksOf(observations).map((one) => [one.serial, one]))

  const signatures = checkSignatures(observations, certificates)

  const [old, under, anchor] = [byName.get('44aa')!, byName.get('44bb')!, byName.get('51a7c0de9b3344f0a1')!]
  expect(under.usages).toEqual(['digitalSignature', 'keyEncipherment'])
  expect(isSignedBy(under, old, signatures)).toBe(true)
  expect(isSignedBy(old, anchor, signatures)).toBe(true)
  expect(isSignedBy(under, anchor, signatures)).toBe(false)
  expect(isSignedBy(anchor, anchor, signatures)).toBe(true)
})

function blocksOf(observations: readonly Observation[]): readonly Certificate[] {
  return observations
    .flatMap((one) => (one.type === 'secrets' ? one.items : []))
    .flatMap(({certificates}) => certificates)
    .filter((block) => block.readable)
}

test('only certificates of the issuer name are tried, and a self-signed one has no other issuer', () => {
  const reader = readerOf(() => true)
  const observations = [
    proxyHolds([
      chain('default', [whole('leaf', {issuer: 'O=a'})]),
      bundle('ROOTCA', [
        root('a', {pem: 'a', subject: 'O=a', issuer: 'O=a'}),
        root('b', {pem: 'b', subject: 'O=b', issuer: 'O=b'}),
        root('a2', {pem: 'a2', subject: 'O=a', issuer: 'O=a'}),
      ]),
    ]),
  ]

  const {issuers} = checkSignatures(observations, reader)

  expect(reader.asked).toEqual(['fp-a>fp-leaf', 'fp-a2>fp-leaf'])
  expect([...issuers].map(([subject, signers]) => [subject, ...signers])).toEqual([
    ['fp-leaf', 'fp-a', 'fp-a2'],
    ['fp-a', 'fp-a'],
    ['fp-b', 'fp-b'],
    ['fp-a2', 'fp-a2'],
  ])
})

test('what was not tried, because thousands have the issuer name, is not known; chains come first', () => {
  const reader = readerOf((issuer, subject) => issuer === 'fp-0' && subject === 'fp-leaf')
  const namesakes = Array.from({length: 3000}, (_, index) =>
    whole(String(index), {subject: 'O=a', issuer: 'O=a', isCa: true}),
  )
  const leafCertificate = whole('leaf', {issuer: 'O=a'})
  const observations = [proxyHolds([bundle('ROOTCA', namesakes), chain('default', [leafCertificate])])]

  const signatures = checkSignatures(observations, reader)

  expect(reader.asked.length).toBe(4096)
  expect(isSignedBy(leafCertificate, namesakes[0]!, signatures)).toBe(true)
  expect(isSignedBy(leafCertificate, namesakes[1]!, signatures)).toBe(false)
  expect(isSignedBy(namesakes[2000]!, namesakes[1]!, signatures)).toBeUndefined()
})

test('of a certificate of which only facts are known nothing is told', () => {
  const facts = leaf('facts')
  const signatures = checkSignatures(
    [proxyHolds([chain('default', [facts])])],
    readerOf(() => true),
  )

  expect(isSignedBy(facts, facts, signatures)).toBeUndefined()
})
