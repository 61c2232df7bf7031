import {expect, test} from '@jest/globals'
import {parseCredential} from '../../../src/lib/domain/credential.ts'

test.each([
  ['kubernetes://shop-cert', 'kubernetes gateways/shop-cert'],
  ['kubernetes://other/shop-cert', 'kubernetes other/shop-cert'],
  ['kubernetes-gateway://certs/api.example.com', 'kubernetes-gateway certs/api.example.com'],
  ['kubernetes-gateway://certs/api-cacert', 'kubernetes-gateway certs/api-cacert, its CA'],
  ['configmap://certs/roots', 'configmap certs/roots'],
])('%s is %s', (name, expected) => {
  const credential = parseCredential(name, 'gateways')

  const {scheme, namespace, name: object, isCaOnly} = credential!
  expect(`${scheme} ${namespace}/${object}${isCaOnly ? ', its CA' : ''}`).toBe(expected)
})

test.each([
  'default',
  'sds://vendor',
  'kubernetes://',
  'kubernetes://a/b/c',
  'kubernetes:///a',
  'kubernetes://..',
  'kubernetes://../x',
  'kubernetes://x/..',
  'kubernetes://a?b',
  'kubernetes://A',
  'kubernetes://a%2fb',
  'kubernetes://a\nb',
  'kubernetes://-a',
  `kubernetes://${'a'.repeat(254)}`,
])('%j names no object', (name) => {
  expect(parseCredential(name, 'gateways')).toBeUndefined()
})
