import {expect, test} from '@jest/globals'
import {readWarnings} from '../../../src/lib/cluster/connect/warnings.ts'
import {explainRefusal} from '../../../src/lib/cluster/explain-refusal.ts'
import {REMOVED_KEY} from '../../../src/lib/domain/answer.ts'
import {testKey} from '../../support/make-certificate.ts'

const PEM = testKey(3).export({type: 'pkcs8', format: 'pem'}).toString()
const BASE64 = Buffer.from(PEM).toString('base64')

const messageOf = (status: number, body: unknown, path = '/api/v1/namespaces/shop/secrets/shop-cert'): string =>
  explainRefusal({
    status,
    headers: {},
    body: typeof body === 'string' ? body : JSON.stringify(body),
    path,
  }).failure.message

test.each([
  [500, {kind: 'Secret', data: {'tls.key': BASE64, backup: 'c2VjcmV0'}}, '500 without a reason'],
  [403, PEM, '403 without a reason'],
  [418, `data:\n  tls.key: ${BASE64}`, 'refused with 418 without a reason'],
])('a refusal with %i repeats nothing of what may be a Secret', (status, body, says) => {
  expect(messageOf(status, body)).toBe(`Cannot get secrets/shop-cert in shop: ${says}`)
})

test.each([
  ['in PEM', PEM, `500: cannot decode: ${REMOVED_KEY}`],
  ['in base64', BASE64, `500: cannot decode: ${Buffer.from(`${REMOVED_KEY}\n`).toString('base64')}`],
])('a Status is told without a key that it quotes %s', (_, key, says) => {
  const body = {kind: 'Status', message: `cannot decode: ${key}`}

  for (const path of ['/api/v1/namespaces/shop/secrets/shop-cert', '/api/v1/namespaces/shop/configmaps/x'])
    expect(messageOf(500, body, path)).toContain(says)
})

test('what is nested too deep to be looked through is not told', () => {
  expect(messageOf(500, '['.repeat(30_000), '/api/v1/pods')).toBe(
    'Cannot list pods in the whole cluster: 500: (a text that cannot be looked through)',
  )
})

test('a text without a key is told as it is', () => {
  expect(messageOf(500, {kind: 'Status', message: 'etcdserver: request timed out'})).toBe(
    'Cannot get secrets/shop-cert in shop: 500: etcdserver: request timed out',
  )
})

test('a warning in a header is told without a key that it quotes', () => {
  expect(readWarnings(`299 - "old: ${BASE64}"`)).toEqual([`old: ${Buffer.from(`${REMOVED_KEY}\n`).toString('base64')}`])
})
