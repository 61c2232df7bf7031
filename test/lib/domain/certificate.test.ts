import {expect, test} from '@jest/globals'
import {type Certificate, certificateStatus} from '../../../src/lib/domain/certificate.ts'

const certificate: Certificate = {
  readable: true,
  notBeforeMs: Date.parse('2026-06-01T00:00:20Z'),
  notAfterMs: Date.parse('2026-06-02T00:00:20Z'),
  subject: '',
  issuer: 'O=mesh.example',
  sans: [],
  spiffeIds: [],
  isCa: false,
  selfSigned: false,
  key: {type: 'EC', size: 256, curve: 'P-256'},
  position: 'leaf',
}

test.each([
  ['2026-06-01T00:00:19.999Z', 'NOT_YET_VALID'],
  ['2026-06-01T00:00:20Z', 'VALID'],
  ['2026-06-02T00:00:20.999Z', 'VALID'],
  ['2026-06-02T00:00:21Z', 'EXPIRED'],
])('both edge seconds belong to the certificate: %s is %s', (now, status) => {
  expect(certificateStatus(certificate, Date.parse(now))).toBe(status)
})

test('an end before the start is never valid', () => {
  const backwards = {...certificate, notBeforeMs: certificate.notAfterMs + 86_400_000}

  expect(certificateStatus(backwards, certificate.notAfterMs - 1000)).toBe('EXPIRED')
})
