import {expect, test} from '@jest/globals'
import {isDoubtful, takenUpMs} from '../../../src/lib/domain/doubt.ts'
import type {Spoken} from '../../../src/lib/domain/spoken.ts'
import type {SecretItem} from '../../../src/lib/domain/secret.ts'
import {bundle, chain, leaf} from '../compare/builders.ts'

const BY: Spoken = {source: 'envoy-config-dump', route: 'port-forward'}
const BEGUN = '2026-06-01T06:00:00Z'

/** A chain in use that begins at `BEGUN`. */
function item(lastUpdated: string | undefined, more: Partial<SecretItem> = {}): SecretItem {
  return chain('default', [leaf('a1')], {state: 'ACTIVE', ...(lastUpdated !== undefined && {lastUpdated}), ...more})
}

test.each<[string, SecretItem, boolean]>([
  ['arrived after it began', item('2026-06-01T06:02:00.433Z'), false],
  ['arrived in the second in which it began', item('2026-06-01T06:00:00.001Z'), false],
  ['is younger than what arrived', item('2026-06-01T05:59:59.999Z'), true],
  ['has no time', item(undefined), false],
  ['has a time that is none', item('yesterday'), false],
  ['is told to be refused', item('2026-06-01T06:02:00Z', {rejected: {details: ''}}), true],
  ['is waited for', item('2026-05-01T00:00:00Z', {state: 'WARMING'}), false],
  ['came with the bootstrap', item('2026-05-01T00:00:00Z', {state: 'STATIC'}), false],
  ['has no certificate', item('2026-05-01T00:00:00Z', {certificates: []}), false],
  [
    'has one that cannot be read',
    item('2026-05-01T00:00:00Z', {certificates: [{readable: false, problem: 'cut off', position: 'leaf'}]}),
    false,
  ],
])('a chain that %s', (_what, secret, expected) => {
  expect(isDoubtful(secret, BY)).toBe(expected)
})

test('roots are younger than what arrived for no reason that is told', () => {
  const roots = bundle('ROOTCA', [leaf('b1')], {state: 'ACTIVE', lastUpdated: '2026-05-01T00:00:00Z'})

  expect(isDoubtful(roots, BY)).toBe(false)
})

test('a clock that is known to be off is taken into account, in both directions', () => {
  expect(isDoubtful(item('2026-06-01T05:50:00Z'), {...BY, skewMs: -900_000})).toBe(false)
  expect(isDoubtful(item('2026-06-01T06:10:00Z'), {...BY, skewMs: 900_000})).toBe(true)
})

test('what the two ends of one answer cannot tell is no skew', () => {
  expect(takenUpMs(item(BEGUN), {...BY, skewMs: 5000})).toBe(Date.parse(BEGUN))
})
