import {expect, test} from '@jest/globals'
import {normaliseDecimalSerial, normaliseHexSerial} from '../../../../src/lib/decode/x509/serial-number.ts'
import {readFixtureRecord} from '../answers.ts'

const SERIAL = '5c1d7e90a2b34455667788990a1b2c3d'
const serials = Object.entries(readFixtureRecord('decimal-vs-hex-serial/serials.json')).map(
  ([kind, text]) => [kind, String(text)] as const,
)

test.each(serials.filter(([kind]) => kind !== 'ztunnel_decimal'))('%s: %s is the same serial', (_, text) => {
  expect(normaliseHexSerial(text)).toBe(SERIAL)
  expect(normaliseDecimalSerial(text)).toBe(SERIAL)
})

test('a decimal serial is converted digit for digit', () => {
  const decimals = serials
    .filter(([kind]) => kind === 'ztunnel_decimal')
    .map(([, text]) => normaliseDecimalSerial(text))

  expect(decimals).toEqual([SERIAL])
})

test.each([
  ['10', '10', '0a'],
  ['0', '00', '00'],
  ['000', '00', '00'],
  ['4a1b2c3d4e5f60718293a4b5c6d7e8f', '04a1b2c3d4e5f60718293a4b5c6d7e8f', '04a1b2c3d4e5f60718293a4b5c6d7e8f'],
  ['00b1c2d3e4f5061728394a5b6c7d8e9f', 'b1c2d3e4f5061728394a5b6c7d8e9f', 'b1c2d3e4f5061728394a5b6c7d8e9f'],
  ['0:4:a1', '04a1', '04a1'],
  ['-7B11C0FFEE', '-7b11c0ffee', '-7b11c0ffee'],
  ['-05', '-05', '-05'],
])('%s is %s as hex, and %s as decimal', (text, hex, decimal) => {
  expect(normaliseHexSerial(text)).toBe(hex)
  expect(normaliseDecimalSerial(text)).toBe(decimal)
})

test.each(['', 'serial', '0x', '12 34', '1.5', '9'.repeat(1_000_000)])('text %# is no serial', (text) => {
  expect(normaliseHexSerial(text)).toBeUndefined()
  expect(normaliseDecimalSerial(text)).toBeUndefined()
})
