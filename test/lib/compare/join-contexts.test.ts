import {expect, test} from '@jest/globals'
import {compareSecrets} from '../../../src/lib/compare/compare-secrets.ts'
import {confirm} from '../../../src/lib/compare/confirm.ts'
import {listSecrets} from '../../../src/lib/compare/list-secrets.ts'
import type {Certificate, CertificateBlock} from '../../../src/lib/domain/certificate.ts'
import type {SecretsSeen} from '../../../src/lib/domain/observation.ts'
import {rowSeverity} from '../../../src/lib/domain/rank.ts'
import type {SecretRow} from '../../../src/lib/domain/row.ts'
import type {SecretItem} from '../../../src/lib/domain/secret.ts'
import {agentFilesHold, bare, bundle, chain, evidence, EXPIRED, leaf, proxyHolds, root, told} from './builders.ts'

const CERTS = {by: {source: 'envoy-certs', route: 'port-forward'}, complete: false} as const
const EDGE = {sans: ['DNS:www.edge.example', 'DNS:edge.example'], spiffeIds: []}

/** What `/certs` tells of a certificate: no fingerprint, no names but the alternative ones. */
function facts(certificate: Certificate): Certificate {
  const {fingerprint: _, ...known} = certificate
  return {...known, issuer: '', key: {type: 'unknown'}}
}

function loaded(...blocks: readonly (CertificateBlock | SecretItem)[]): SecretsSeen {
  const items = blocks.map((block) => {
    if ('name' in block) return block
    const isRoot = block.position === 'root'
    return (isRoot ? bundle : chain)('<inline>', [block.readable ? facts(block) : block])
  })
  return proxyHolds(items, CERTS)
}

function uses(dump: readonly SecretItem[], contexts: SecretsSeen): unknown[] {
  return compareSecrets(evidence([proxyHolds(dump), contexts])).map(toldUse)
}

function toldUse(row: SecretRow & {readonly reason?: string}): unknown {
  const serial = row.certificate?.readable === true ? row.certificate.serial : 'none'
  const word = row.contexts === undefined ? 'untold' : row.contexts.loaded ? 'loaded' : 'not loaded'
  return [row.name, serial, word, ...(row.reason === 'no source' ? [] : [row.reason]), ...row.notes].join(' | ')
}

test('a secret that TLS contexts have loaded is told as loaded, whatever the padding of its serial', () => {
  const dump = [chain('default', [leaf('04a1')]), bundle('ROOTCA', [root('0b'), root('c2')])]

  const rows = uses(dump, loaded(leaf('4A1'), leaf('4a1'), root('b')))

  expect(rows).toEqual(['default | 04a1 | loaded', 'ROOTCA | 0b | loaded', 'ROOTCA | c2 | untold'])
})

test('the same serial with other dates is another certificate', () => {
  const rows = uses([chain('default', [leaf('4a1')])], loaded(leaf('4a1', EXPIRED)))

  expect(rows).toEqual([
    'default | 4a1 | not loaded | TLS contexts have loaded serial 4a1, not after 2024-03-02T10:02:00Z, instead',
  ])
})

test('a secret that nobody uses is said and is no fault', () => {
  const dump = [chain('default', [leaf('a1')]), bundle('ROOTCA', [root('b1')]), bundle('file-root:x', [root('b2')])]

  const rows = compareSecrets(
    evidence([proxyHolds([...dump, chain('spare', [leaf('a2', EDGE)])]), loaded(leaf('a1'), root('b1'))]),
  )

  expect(rows.map(toldUse)).toEqual([
    'default | a1 | loaded',
    'ROOTCA | b1 | loaded',
    'file-root:x | b2 | not loaded | no TLS context has loaded it',
    'spare | a2 | not loaded | no TLS context has loaded it',
  ])
  expect(rows.map(rowSeverity)).toEqual(['ok', 'ok', 'ok', 'ok'])
})

test('a certificate of the same names that no secret holds any more is told on the row of its secret, as a warning', () => {
  const dump = [chain('default', [leaf('a2')]), chain('kubernetes://edge', [leaf('e2', EDGE)])]
  const swapped = {sans: EDGE.sans.toReversed(), spiffeIds: []}

  const rows = compareSecrets(evidence([proxyHolds(dump), loaded(leaf('a1'), leaf('e1', swapped))]))

  expect(rows.map(toldUse)).toEqual([
    'default | a2 | not loaded | TLS contexts have loaded serial a1, not after 2026-06-02T06:02:00Z, instead',
    'kubernetes://edge | e2 | not loaded | TLS contexts have loaded serial e1, not after 2026-06-02T06:02:00Z, instead',
  ])
  expect(rows.map(rowSeverity)).toEqual(['warn', 'warn'])
})

test('an older one that connections keep beside the current one is no fault', () => {
  const rows = compareSecrets(evidence([proxyHolds([chain('default', [leaf('a2')])]), loaded(leaf('a1'), leaf('a2'))]))

  expect(rows.map(toldUse)).toEqual([
    'default | a2 | loaded | TLS contexts have loaded serial a1, not after 2026-06-02T06:02:00Z, as well',
  ])
  expect(rows.map(rowSeverity)).toEqual(['ok'])
})

test('what contexts have loaded and no secret holds has a row of its own, at both commands', () => {
  const observed = [proxyHolds([chain('default', [leaf('a1')])]), loaded(leaf('a1'), leaf('e1', EDGE), root('b1'))]

  const compared = compareSecrets(evidence(observed))
  const listed = listSecrets(evidence(observed))

  expect(compared.slice(1)).toMatchObject([
    {
      name: '',
      origin: 'TLS context',
      certificate: {serial: 'e1'},
      result: 'NOT_COMPARABLE',
      proxySource: 'envoy-certs',
      reason: 'in a TLS context and in no secret',
    },
    {name: '', origin: 'TLS context', certificate: {serial: 'b1'}, type: 'CA', result: 'NOT_COMPARABLE'},
  ])
  expect(compared.map(rowSeverity)).toEqual(['ok', 'ok', 'ok'])
  expect(listed.map(({name, source}) => [name, source])).toEqual([
    ['default', 'envoy-config-dump'],
    ['', 'envoy-certs'],
    ['', 'envoy-certs'],
  ])
})

test('no agent is asked for what only a TLS context has', () => {
  const agent = agentFilesHold([chain('default', [leaf('e1', EDGE)])])

  const rows = compareSecrets(
    evidence([agent, proxyHolds([chain('default', [leaf('a1')])]), loaded(leaf('a1'), leaf('e1', EDGE))]),
  )

  expect(told(rows)).toEqual([
    'default | PRESENT | - | MISMATCH: other certificate of the same dates | fingerprint | e1',
    'default | - | ACTIVE | MISMATCH: other certificate of the same dates | fingerprint | a1',
    ' | - | ACTIVE | NOT_COMPARABLE: in a TLS context and in no secret | none | e1',
  ])
})

test.each<[string, readonly SecretItem[], SecretsSeen]>([
  [
    'the rest of a chain',
    [chain('default', [leaf('a1'), leaf('c1', {...EDGE, position: 'intermediate', isCa: true})])],
    loaded(leaf('a1'), leaf('c1', EDGE)),
  ],
  [
    'a file',
    [chain('default', [leaf('a1')])],
    loaded(leaf('a1'), chain('/etc/edge/tls.crt', [facts(leaf('e1', EDGE))])),
  ],
  [
    'a listener',
    [chain('default', [leaf('a1')]), chain('', [leaf('e1', EDGE)], {state: 'STATIC', origin: 'listener edge'})],
    loaded(leaf('a1'), leaf('e1', EDGE)),
  ],
  [
    'a secret that is not in the answer',
    [
      chain('default', [leaf('a1')]),
      bare('edge', {type: 'Cert Chain', absent: {status: 'UNKNOWN', message: 'redacted'}}),
    ],
    loaded(leaf('a1'), leaf('e1', EDGE)),
  ],
  [
    'a secret that cannot be read',
    [
      chain('default', [leaf('a1')]),
      chain('edge', [{readable: false, problem: 'certificate cut off', position: 'leaf'}]),
    ],
    loaded(leaf('a1'), leaf('e1', EDGE)),
  ],
  [
    'an entry without a serial',
    [chain('default', [leaf('a1')])],
    loaded(leaf('a1'), bare('<inline>', {type: 'Cert Chain'})),
  ],
])('what contexts have from %s is no stray', (_, dump, contexts) => {
  const rows = compareSecrets(evidence([proxyHolds(dump), contexts]))

  expect(rows.map(({proxySource}) => proxySource)).toEqual(dump.map(() => 'envoy-config-dump'))
})

test('where an entry tells no serial, nothing is said not to be loaded', () => {
  const rows = uses(
    [chain('default', [leaf('a1')])],
    loaded(bare('/etc/x', {type: 'Cert Chain', absent: {status: 'UNKNOWN', message: 'no dates'}})),
  )

  expect(rows).toEqual(['default | a1 | untold'])
})

test('dates that ran over at 32 bits are those of the certificate', () => {
  const far = root('51a7', {notAfterMs: Date.parse('2118-06-01T00:00:00Z')})
  const wrapped = {...far, notAfterMs: far.notAfterMs - 2 ** 32 * 1000}
  const inconsistent = {readable: false, problem: 'inconsistent dates', serial: '51a8', position: 'root'} as const

  const rows = uses([bundle('ROOTCA', [far]), bundle('other', [root('51a8')])], loaded(wrapped, inconsistent))

  expect(rows).toEqual(['ROOTCA | 51a7 | loaded', 'other | 51a8 | loaded'])
})

test('warming secrets, generic ones and ticket keys are not looked for in contexts', () => {
  const dump = [
    bare('kubernetes://new', {state: 'WARMING'}),
    chain('kubernetes://next', [leaf('a9')], {state: 'WARMING'}),
    chain('oauth', [], {type: 'Generic', parts: 1}),
    chain('tickets', [], {type: 'Ticket Keys', parts: 2}),
  ]

  const rows = compareSecrets(evidence([proxyHolds(dump), loaded()]))

  expect(rows.map(({contexts}) => contexts)).toEqual([undefined, undefined, undefined, undefined])
})

test('live, a context that has not followed yet is read again, and counts if it stands', () => {
  const lagging = {reading: 'live'} as const
  const first = compareSecrets(evidence([proxyHolds([chain('default', [leaf('a2')])]), loaded(leaf('a1'))], lagging))
  const followed = compareSecrets(evidence([proxyHolds([chain('default', [leaf('a2')])]), loaded(leaf('a2'))], lagging))

  expect(first.map((row) => [row.confirmed, rowSeverity(row)])).toEqual([[false, 'ok']])
  expect(confirm(first, followed).map((row) => [row.confirmed, row.contexts?.loaded, rowSeverity(row)])).toEqual([
    [true, true, 'ok'],
  ])
  expect(confirm(first, first).map((row) => [row.confirmed, row.contexts?.loaded, rowSeverity(row)])).toEqual([
    [true, false, 'warn'],
  ])
})

test('with contexts alone, the roots that they list are compared by serial, and none is missing', () => {
  const agent = agentFilesHold([chain('default', [leaf('a1')]), bundle('ROOTCA', [root('b1'), root('b2'), root('b3')])])

  const rows = compareSecrets(evidence([agent, loaded(leaf('a1'), root('b1'), root('b2'), root('c9'))]))

  expect(told(rows)).toEqual([
    'default | PRESENT | ACTIVE | MATCH | serial | a1',
    'ROOTCA | PRESENT | ACTIVE | MATCH | serial | b1',
    'ROOTCA | PRESENT | ACTIVE | MATCH | serial | b2',
    '<inline> | - | ACTIVE | NOT_COMPARABLE: no source | none | c9',
  ])
})
