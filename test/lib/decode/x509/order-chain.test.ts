import {expect, test} from '@jest/globals'
import {readPem} from '../../../../src/lib/decode/pem/read-pem.ts'
import {createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import {orderChain} from '../../../../src/lib/decode/x509/order-chain.ts'
import {recordsField, textField} from '../../../../src/lib/decode/json/narrow.ts'
import {readFixture, readFixtureRecord} from '../answers.ts'

const reader = createCertificateReader({maxEntries: 100})
const [held] = recordsField(readFixtureRecord('ztunnel-root-in-chain-or-apart/old_plain_pem.json'), 'certificates')
const pems = recordsField(held ?? {}, 'cert_chain').map((one) => textField(one, 'pem') ?? '')
const [leaf = '', intermediate = '', root = ''] = pems.flatMap((pem) => readPem(pem, reader).certificates)
const TRUST = ['leaf 2200bb02', 'intermediate 2200aa01', 'root 51a7c0de9b3344f0a1']

function ordered(blocks: Parameters<typeof orderChain>[0]): {places: string[]; notes: readonly string[]} {
  const {certificates, notes} = orderChain(blocks, reader)
  return {places: certificates.map((one) => `${one.position} ${one.readable ? one.serial : one.problem}`), notes}
}

test.each([
  [[leaf, intermediate, root]],
  [[leaf, root, intermediate]],
  [[intermediate, leaf, root]],
  [[root, intermediate, leaf]],
])('a chain comes out in order of trust, whatever order it came in (%#)', (blocks) => {
  const {places, notes} = ordered(blocks)

  expect(places).toEqual(TRUST)
  expect(notes).toEqual(blocks[0] === leaf ? [] : ['the leaf is not the first of the chain'])
})

test('of two roots of one name the one that signed belongs to the chain', () => {
  const blocks = readPem(readFixture('x509/twin-roots.pem').toString(), reader).certificates

  expect(ordered(blocks).places).toEqual([
    'leaf 07',
    'root 59f030bcbead3da825122dc92fe9daa5b2940197',
    'root 20091f5908cd62af435c31a156be07af0ca38b3e',
  ])
})

test('a root that came twice counts once, which is said', () => {
  expect(ordered([leaf, intermediate, root, root])).toEqual({
    places: TRUST,
    notes: ['CN=root-A,O=mesh.example stands twice in the chain'],
  })
})

test('a certificate that has no link to the leaf follows as it came', () => {
  const other = readPem(readFixture('real-istio-active/root-cert.pem').toString(), reader).certificates[0] ?? ''

  expect(ordered([other, leaf, intermediate]).places).toEqual([
    'leaf 2200bb02',
    'intermediate 2200aa01',
    'root 7e572441fa29320133ab56eab4eadf84',
  ])
})

test('a CA certificate that stands alone is what is presented', () => {
  expect(ordered([root]).places).toEqual(['leaf 51a7c0de9b3344f0a1'])
})

test('a block that cannot be read stands where the leaf would, if only CA certificates follow', () => {
  expect(ordered(['certificate cut off', intermediate, root]).places).toEqual([
    'leaf certificate cut off',
    'intermediate 2200aa01',
    'root 51a7c0de9b3344f0a1',
  ])
  expect(ordered([leaf, 'certificate cut off', root]).places).toEqual([
    'leaf 2200bb02',
    'root 51a7c0de9b3344f0a1',
    'intermediate certificate cut off',
  ])
})
