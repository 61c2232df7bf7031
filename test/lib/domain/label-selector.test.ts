import {expect, test} from '@jest/globals'
import {matchesLabels, parseLabelSelector} from '../../../src/lib/domain/label-selector.ts'

const LABELS = {app: 'cart', 'example.com/tier': 'web', weight: '10'}

function matches(text: string): boolean | string {
  const selector = parseLabelSelector(text)
  return 'unreadable' in selector ? selector.unreadable : matchesLabels(LABELS, selector.requirements)
}

test.each([
  '',
  'app=cart',
  'app==cart',
  'app = cart, weight',
  'app!=web',
  'missing!=web',
  'app in (web, cart),example.com/tier notin (db)',
  'missing notin (a,b)',
  '!missing',
  'weight>9,weight<11',
])('%j selects', (text) => {
  expect(matches(text)).toBe(true)
})

test.each([
  'app=web',
  'app=',
  'app!=cart',
  'missing',
  '!app',
  'app in (web)',
  'missing in (a)',
  'weight>10',
  'toString',
])('%j does not select', (text) => {
  expect(matches(text)).toBe(false)
})

test.each([
  ['app=cart,a=b=c', 'a=b=c'],
  ['app in cart', 'app in cart'],
  ['=cart', '=cart'],
])('of %j it is %j that cannot be read', (text, unreadable) => {
  expect(matches(text)).toBe(unreadable)
})
