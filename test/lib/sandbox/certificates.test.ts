import {X509Certificate} from 'node:crypto'
import {expect, test} from '@jest/globals'
import {makeCertificateAuthority} from '../../../src/lib/sandbox/pki/certificate-authority.ts'
import {copyCertificate} from '../../../src/lib/sandbox/pki/certificate-copier.ts'

const fromMs = Date.parse('2026-06-01T00:00:00Z')
const toMs = Date.parse('2036-06-01T00:00:00Z')
const request = {subject: '', uris: ['spiffe://a/ns/b/sa/c'], notBeforeMs: fromMs, notAfterMs: fromMs + 1000}

test('a root signs itself and may sign others', async () => {
  const {root} = await makeCertificateAuthority('O=cluster.local', fromMs, toMs)

  const certificate = new X509Certificate(root.pem)
  expect(certificate.ca).toBe(true)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.subject).toBe('O=cluster.local')
})

test('a leaf has the names and dates that were asked for', async () => {
  const authority = await makeCertificateAuthority('O=cluster.local', fromMs, toMs)

  const issued = await authority.issue({
    subject: 'CN=shop',
    dnsNames: ['shop.example'],
    addresses: ['127.0.0.1'],
    notBeforeMs: fromMs + 999,
    notAfterMs: toMs,
  })

  const leaf = new X509Certificate(issued.pem)
  expect(leaf.ca).toBe(false)
  expect(leaf.subjectAltName).toBe('DNS:shop.example, IP Address:127.0.0.1')
  expect([leaf.validFromDate.getTime(), leaf.validToDate.getTime()]).toEqual([fromMs, toMs])
  expect([issued.notBeforeMs, issued.notAfterMs]).toEqual([fromMs, toMs])
  expect(leaf.serialNumber.toLowerCase()).toBe(issued.serial)
  expect(leaf.checkIssued(new X509Certificate(authority.root.pem))).toBe(true)
})

test('a copy differs from its model in serial, dates and signature alone', async () => {
  const authority = await makeCertificateAuthority('O=cluster.local', fromMs, toMs)
  const model = await authority.issue(request)

  const copies = []
  for (let count = 0; count < 40; count += 1) {
    copies.push(await copyCertificate(model, fromMs + 60_000, toMs - 60_000, authority.sign))
  }

  const root = new X509Certificate(authority.root.pem)
  for (const copy of copies) {
    const certificate = new X509Certificate(copy.pem)
    expect(certificate.verify(root.publicKey)).toBe(true)
    expect(certificate.serialNumber.toLowerCase()).toBe(copy.serial)
    expect(certificate.validToDate.getTime()).toBe(toMs - 60_000)
    expect(certificate.validFromDate.getTime()).toBe(fromMs + 60_000)
    expect(certificate.subjectAltName).toBe('URI:spiffe://a/ns/b/sa/c')
  }
  expect(new Set(copies.map(({serial}) => serial)).size).toBe(40)
})

test('a copy cannot reach beyond the years that its form of date can say', async () => {
  const authority = await makeCertificateAuthority('O=cluster.local', fromMs, toMs)
  const model = await authority.issue(request)

  const late = Date.parse('2050-01-01T00:00:00Z')

  await expect(copyCertificate(model, fromMs, late, authority.sign)).rejects.toThrow('the year 2050 has no UTC time')
})
