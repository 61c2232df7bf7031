import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {type Sandbox, startSandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import {everyPart} from '../../support/every-part.ts'
import {type Leftovers, piecesOfKey, readApart} from '../../support/read-apart.ts'

/** An agent as it should be, and one that has its key in the file of its chain too. */
const PODS = ['shop/cart-5d8f7c9b6-4kxvq', 'books/notes-5b8f7d6c9-b7kxq']

let sandbox: Sandbox
let pem: string
let left: Leftovers

beforeAll(async () => {
  sandbox = await startSandbox({scenario: 'zoo'})
  pem = await sandbox.servedKeyPem()
  left = await readApart('sds-client', sandbox, PODS, {GRPC_TRACE: 'all', GRPC_VERBOSITY: 'DEBUG'})
}, 60_000)

afterAll(async () => await sandbox.close())

test('the key is on the wire, with the certificate that is kept', () => {
  expect(pem).toMatch(/^-----BEGIN PRIVATE KEY-----/)
  expect(left.kept.includes('"resource_name":"default"')).toBe(true)
  expect(left.kept.includes('tls_certificate')).toBe(true)
  expect(left.kept.includes('-----BEGIN CERTIFICATE-----')).toBe(true)
})

test('the search finds a key in whatever form it would stay', () => {
  const base64 = pem.replaceAll(/-----[^-]+-----|\s/g, '')
  const der = Buffer.from(base64, 'base64')
  for (const form of [
    pem,
    JSON.stringify(pem),
    JSON.stringify({inline_bytes: Buffer.from(pem).toString('base64')}),
    Buffer.from(`chain\n${pem}`).toString('base64'),
    base64,
    der.toString('hex'),
    Buffer.concat([Buffer.alloc(1), der]).toString('base64'),
  ]) {
    expect(piecesOfKey(pem, Buffer.from(form)).length).toBeGreaterThan(0)
  }
  expect(piecesOfKey(pem, der).length).toBeGreaterThan(0)
  const deep = everyPart({deep: [new Map([['key', {bytes: new Uint8Array(der).subarray(3)}]])]})
  expect(piecesOfKey(pem, deep).length).toBeGreaterThan(0)
})

test('no answer, no observation and no output of the reader holds the key', () => {
  expect(piecesOfKey(pem, left.kept)).toEqual([])
})

test('a key in place of a certificate is told, and not kept', () => {
  expect(left.kept.includes('key-in-certificate')).toBe(true)
  expect(left.kept.includes('"key_found": true')).toBe(true)
})

test('no log holds it, not with all that gRPC can log', () => {
  expect(left.printed.includes('parsed message of length')).toBe(true)
  expect(piecesOfKey(pem, Buffer.from(left.printed))).toEqual([])
})

test('no text in the heap of the reader holds it', () => {
  expect(left.isHeapWhole).toBe(true)
  expect(left.heap.includes('-----BEGIN CERTIFICATE-----')).toBe(true)
  expect(piecesOfKey(pem, left.heap)).toEqual([])
})

test('its temporary directory is empty', () => {
  expect(left.temporary).toEqual([])
})
