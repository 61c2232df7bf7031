import {execFile} from 'node:child_process'
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {type Sandbox, startSandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import {everyPart} from '../../support/every-part.ts'
import {keyNeedles} from '../../support/key-needles.ts'

/** An agent as it should be, and one that has its key in the file of its chain too. */
const PODS = ['shop/cart-5d8f7c9b6-4kxvq', 'books/notes-5b8f7d6c9-b7kxq']
const CANARY = 'ba4c1b7e-canary-of-the-heap'

let sandbox: Sandbox
let folder: string
let pem: string
let printed: string

/** The agent and its key are in this process; the reader is a child, which can have the key from the wire alone. */
beforeAll(async () => {
  sandbox = await startSandbox({scenario: 'zoo'})
  pem = await sandbox.servedKeyPem()
  folder = mkdtempSync(join(tmpdir(), 'agentctl-sds-key-'))
  const kubeconfig = join(folder, 'config')
  writeFileSync(kubeconfig, sandbox.kubeconfig(), {mode: 0o600})
  const client = join(import.meta.dirname, '../../support/sds-client.ts')
  const {stdout, stderr} = await promisify(execFile)(
    process.execPath,
    [client, kubeconfig, Buffer.from(CANARY).toString('base64'), folder, ...PODS],
    {
      env: {GRPC_TRACE: 'all', GRPC_VERBOSITY: 'DEBUG'},
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  printed = `${stdout}\n${stderr}`
}, 60_000)

afterAll(async () => {
  await sandbox.close()
  rmSync(folder, {recursive: true, force: true})
})

/** Which pieces of the key are there, by number: a failing test must not print them. */
function found(bytes: Buffer): readonly number[] {
  return keyNeedles(pem).flatMap((needle, index) => (bytes.includes(needle) ? [index] : []))
}

/** Whether a text is among all that the reader kept, which is too much to be printed. */
function isKept(text: string): boolean {
  return readFileSync(join(folder, 'kept')).includes(text)
}

test('the key is on the wire, with the certificate that is kept', () => {
  expect(pem).toMatch(/^-----BEGIN PRIVATE KEY-----/)
  expect(isKept('"resource_name":"default"')).toBe(true)
  expect(isKept('tls_certificate')).toBe(true)
  expect(isKept('-----BEGIN CERTIFICATE-----')).toBe(true)
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
    expect(found(Buffer.from(form)).length).toBeGreaterThan(0)
  }
  expect(found(der).length).toBeGreaterThan(0)
  expect(
    found(everyPart({deep: [new Map([['key', {bytes: new Uint8Array(der).subarray(3)}]])]})).length,
  ).toBeGreaterThan(0)
})

test('no answer, no observation and no output of the reader holds the key', () => {
  expect(found(readFileSync(join(folder, 'kept')))).toEqual([])
})

test('a key in place of a certificate is told, and not kept', () => {
  expect(isKept('key-in-certificate')).toBe(true)
  expect(isKept('"key_found": true')).toBe(true)
})

test('no log holds it, not with all that gRPC can log', () => {
  expect(printed.includes('parsed message of length')).toBe(true)
  expect(found(Buffer.from(printed))).toEqual([])
})

test('no text in the heap of the reader holds it', () => {
  const heap = readFileSync(join(folder, 'heap'))

  expect(heap.includes(CANARY)).toBe(true)
  expect(heap.includes('-----BEGIN CERTIFICATE-----')).toBe(true)
  expect(found(heap)).toEqual([])
})

test('its temporary directory is empty', () => {
  expect(readdirSync(join(folder, 'tmp'))).toEqual([])
})
