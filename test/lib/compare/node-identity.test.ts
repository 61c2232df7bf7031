import {expect, test} from '@jest/globals'
import {isNodeOf} from '../../../src/lib/compare/node-identity.ts'

test.each([
  ['sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local', true],
  ['router~fd00::7~cart-1.shop~x', true],
  ['sidecar~10.0.0.7~cart-10.shop~shop.svc.cluster.local', false],
  ['sidecar~10.0.0.7~my-cart-1.shop~shop.svc.cluster.local', false],
  ['sidecar~10.0.0.7~cart-1.shop2~shop.svc.cluster.local', false],
  ['sidecar~10.0.0.7~cart-1~shop.svc.cluster.local', false],
  ['sidecar~cart-1.shop~shop.svc.cluster.local', false],
  ['cart-1.shop', false],
  ['', false],
])('a node id is of exactly one pod: %j', (id, isOurs) => {
  expect(isNodeOf({namespace: 'shop', name: 'cart-1'}, id)).toBe(isOurs)
})

test('a pod name may hold dots', () => {
  expect(
    isNodeOf(
      {namespace: 'kube-system', name: 'proxy-a.example.com'},
      'sidecar~1.2.3.4~proxy-a.example.com.kube-system~x',
    ),
  ).toBe(true)
})

test('a node identity is compared by its parts', () => {
  const node = {id: 'x', type: 'sidecar', ip: '10.0.0.7', pod: 'cart-1', namespace: 'shop'}

  expect(isNodeOf({namespace: 'shop', name: 'cart-1'}, node)).toBe(true)
  expect(isNodeOf({namespace: 'shop', name: 'cart-2'}, node)).toBe(false)
})
