import {expect, test} from '@jest/globals'
import {ownerText} from '../../../src/lib/domain/owner.ts'
import {pod} from '../../support/pods.ts'

test.each<[string, string, Readonly<Record<string, string>>, string]>([
  ['ReplicaSet', 'cart-5d8f7c9b6', {'pod-template-hash': '5d8f7c9b6'}, 'deploy/cart'],
  ['ReplicaSet', 'cart-5d8f7c9b6', {}, 'rs/cart-5d8f7c9b6'],
  ['ReplicaSet', 'by-hand', {'pod-template-hash': '5d8f7c9b6'}, 'rs/by-hand'],
  ['StatefulSet', 'db', {}, 'sts/db'],
  ['DaemonSet', 'ztunnel', {}, 'ds/ztunnel'],
  ['Job', 'migrate-29431440', {}, 'cj/migrate'],
  ['Job', 'migrate-7', {}, 'job/migrate-7'],
  ['Rollout', 'cart', {}, 'rollout/cart'],
])('a pod of %s %s with labels %j is one of %s', (kind, name, labels, expected) => {
  expect(ownerText({...pod('x'), labels, owners: [{kind, name, uid: '1'}]})).toBe(expected)
})

test('a pod that nobody made has no owner', () => {
  expect(ownerText({...pod('x'), owners: []})).toBeUndefined()
})
