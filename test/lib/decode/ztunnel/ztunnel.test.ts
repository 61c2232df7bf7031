import {expect, test} from '@jest/globals'
import {decode} from '../../../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../../../src/lib/decode/x509/certificate-reader.ts'
import type {Observation} from '../../../../src/lib/domain/observation.ts'
import {answerOf, partOf, readFixture} from '../answers.ts'
import {factsOf} from '../facts.ts'

const IDENTITY = 'spiffe://mesh.example/ns/shop/sa/cart'
const FIELDS = {serialNumber: '16', validFrom: '2025-01-01T00:00:00Z', expirationTime: '2049-06-30T23:59:59Z'}

async function read(body: string): Promise<readonly Observation[]> {
  const certificates = createCertificateReader({maxEntries: 100})
  return decode(answerOf('ztunnel-config-dump', [partOf(body)], {route: 'port-forward'}), {certificates})
}

async function facts(dump: unknown): Promise<string[]> {
  return factsOf(await read(JSON.stringify(dump)))
}

function served(serviceAccount: string, trustDomain?: string): unknown {
  return {
    state: 'Up',
    connections: {inbound: [{pad: 1}]},
    info: {name: 'x', namespace: 'shop', serviceAccount, ...(trustDomain === undefined ? {} : {trustDomain})},
  }
}

test('without a PEM its fields are taken, with the serial number as decimal', async () => {
  const entry = {
    identity: IDENTITY,
    state: 'Available',
    certChain: [FIELDS, {...FIELDS, serialNumber: '17'}],
    rootCerts: [{...FIELDS, serialNumber: '18'}],
  }

  expect(await facts({certificates: [entry]})).toEqual([
    'secrets | proxy | ztunnel-config-dump | complete',
    `"${IDENTITY}" | Cert Chain | ACTIVE`,
    '  leaf | 10 | 2025-01-01T00:00:00Z | 2049-06-30T23:59:59Z | unknown | (no subject) | by ',
    '  intermediate | 11 | 2025-01-01T00:00:00Z | 2049-06-30T23:59:59Z | unknown | (no subject) | by  | CA',
    '  root | 12 | 2025-01-01T00:00:00Z | 2049-06-30T23:59:59Z | unknown | (no subject) | by  | CA',
  ])
})

test('a serial number that is a bare number keeps every digit', async () => {
  const {serialNumber: _, ...dates} = FIELDS
  const bare = readFixture('decimal-vs-hex-serial/bare_number.json').toString().trim().slice(1, -1)
  const entry = `{"identity":"${IDENTITY}","certChain":[{${bare},${JSON.stringify(dates).slice(1)}]}`

  const said = factsOf(await read(`{"certificates":[${entry}]}`))

  expect(said[2]).toMatch(/^ {2}leaf \| 5c1d7e90a2b34455667788990a1b2c3d \|/)
})

test('lists may be maps, and the list of certificates the whole document', async () => {
  const entry = {identity: IDENTITY, state: 'Available', certChain: [FIELDS]}

  const listed = await facts({certificates: [entry]})

  expect(await facts({certificates: {[IDENTITY]: entry}})).toEqual(listed)
  expect(await facts([entry])).toEqual(listed)
  expect(listed).toHaveLength(3)
})

test('dumps of the oldest form, without states, are held or waited for', async () => {
  expect(
    await facts({
      certificates: [
        {identity: 'a', cert_chain: [FIELDS]},
        {identity: 'b', cert_chain: []},
      ],
    }),
  ).toEqual([
    'secrets | proxy | ztunnel-config-dump | complete',
    '"a" | Cert Chain | ACTIVE',
    expect.stringContaining('  leaf | 10 |'),
    '"b" | Cert Chain | WARMING | EMPTY: no certificate',
  ])
})

test('a state that is not known is no good one, and its words are kept', async () => {
  expect(await facts({certificates: [{identity: 'a', state: 'Paused: by hand', certChain: []}]})).toContain(
    '"a" | Cert Chain | UNAVAILABLE | "Paused: by hand" | EMPTY: no certificate',
  )
})

test('a certificate that cannot be read, and roots that are not known, are said', async () => {
  const entry = {identity: 'a', state: 'Available', certChain: [{pem: '*'}], rootCerts: []}

  expect(await facts({certificates: [entry]})).toEqual([
    'secrets | proxy | ztunnel-config-dump | complete',
    '"a" | Cert Chain | ACTIVE',
    '  note: no roots known',
    '  leaf | problem: not base64',
  ])
})

test('whom it serves now is whom it should hold certificates for, each once', async () => {
  const said = await facts({
    workloads: [{name: 'x', protocol: 'HBONE'}],
    certificates: [],
    workloadState: {
      'uid-1': served('cart', 'mesh.example'),
      'uid-2': served('cart', 'mesh.example'),
      'uid-3': served('stock'),
    },
  })

  expect(said).toEqual([
    'secrets | proxy | ztunnel-config-dump | complete',
    '  note: no certificates yet, though 1 workload uses HBONE',
    `expected | ${IDENTITY} | spiffe://cluster.local/ns/shop/sa/stock`,
  ])
})

test('one that serves nobody expects nobody, which differs from one that does not say', async () => {
  expect(await facts({certificates: [], workloadState: {}})).toContain('expected')
  expect(await facts({certificates: []})).not.toContain('expected')
})

test.each([
  ['{"configs":[]}', 'bad-payload'],
  ['{}', 'bad-payload'],
  ['{"certificates":[', 'cut-off'],
  ['', 'empty-answer'],
])('%s is no dump of a ztunnel', async (body, code) => {
  expect(await read(body)).toMatchObject([{type: 'unusable', failure: {code, source: 'ztunnel-config-dump'}}])
})
