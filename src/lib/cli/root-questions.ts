import {open} from 'node:fs/promises'
import {readPem} from '../decode/pem/read-pem.ts'
import {type CertificateReader, createCertificateReader} from '../decode/x509/certificate-reader.ts'
import {errorCode} from '../cluster/error-text.ts'
import {RunError} from '../domain/failure.ts'
import type {RootQuestions, WantedRoot} from '../domain/roots.ts'

/** Digits that tell a root from all others; `secrets roots` shows as many. */
const FINGERPRINT = /^[0-9a-f]{16,64}$/
/** What openssl and others put before a fingerprint. */
const LABEL = /^sha-?256(?: fingerprint)?[=:]\s*/i
/** Far more than one certificate takes. */
const MAX_FILE_BYTES = 1024 * 1024

/**
 * What `--expect` and `--without` ask: a fingerprint, or the certificate in a file. Throws RunError (usage) for what is
 * neither.
 */
export async function readRootQuestions(flags: {
  readonly expect?: string | undefined
  readonly without?: string | undefined
}): Promise<RootQuestions> {
  const reader = createCertificateReader({maxEntries: 16})
  const {expect, without} = flags
  return {
    ...(expect !== undefined && {expect: await readWanted(expect, 'expect', reader)}),
    ...(without !== undefined && {without: await readWanted(without, 'without', reader)}),
  }
}

/**
 * `--roots`: fingerprints, and all certificates of files. Throws RunError (usage) for what is neither, and for a
 * certificate that is no CA's.
 */
export async function readRoots(texts: readonly string[]): Promise<readonly WantedRoot[]> {
  const reader = createCertificateReader({maxEntries: 16})
  const wanted = await Promise.all(texts.map(async (text) => await readRootsOf(text, reader)))
  return [...new Map(wanted.flat().map((one) => [one.fingerprint, one])).values()]
}

async function readRootsOf(text: string, reader: CertificateReader): Promise<readonly WantedRoot[]> {
  const fingerprint = readFingerprint(text)
  if (fingerprint !== undefined) return [{fingerprint}]
  const bytes = await readHead(text, 'roots')
  const all = bytes.includes('-----BEGIN ')
    ? readPem(bytes.toString('latin1'), reader).certificates
    : [reader.read(bytes)]
  if (all.length === 0) throw refused('roots', `${text} holds no certificate`)
  return all.map((facts) => {
    if (typeof facts === 'string') throw refused('roots', `${text}: ${facts}`)
    if (!facts.isCa)
      throw refused('roots', `${text}: ${facts.subject === '' ? 'a certificate' : facts.subject} is no CA certificate`)
    return {fingerprint: facts.fingerprint, certificate: {...facts, position: 'root' as const}}
  })
}

function readFingerprint(text: string): string | undefined {
  const fingerprint = text.replace(LABEL, '').replaceAll(/[:\s]/g, '').toLowerCase()
  return FINGERPRINT.test(fingerprint) ? fingerprint : undefined
}

async function readWanted(text: string, flag: string, reader: CertificateReader): Promise<WantedRoot> {
  const fingerprint = readFingerprint(text)
  if (fingerprint !== undefined) return {fingerprint}
  const bytes = await readHead(text, flag)
  const facts = bytes.includes('-----BEGIN ')
    ? readOnly(bytes.toString('latin1'), text, flag, reader)
    : reader.read(bytes)
  if (typeof facts === 'string') throw refused(flag, `${text}: ${facts}`)
  return {fingerprint: facts.fingerprint, certificate: {...facts, position: 'root'}}
}

function readOnly(pem: string, path: string, flag: string, reader: CertificateReader) {
  const {certificates, keyFound} = readPem(pem, reader)
  const [only, ...others] = new Map(
    certificates.map((one) => [typeof one === 'string' ? one : one.fingerprint, one]),
  ).values()
  if (only === undefined) throw refused(flag, `${path} holds no certificate${keyFound ? ', but a private key' : ''}`)
  if (others.length > 0)
    throw refused(flag, `${path} holds ${others.length + 1} certificates, and one can be asked about`)
  return only
}

async function readHead(path: string, flag: string): Promise<Buffer> {
  try {
    await using file = await open(path)
    const {bytesRead, buffer} = await file.read({buffer: Buffer.alloc(MAX_FILE_BYTES)})
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    const code = errorCode(error)
    if (code === '') throw error
    const why = code === 'ENOENT' ? 'no such file' : code
    throw refused(flag, `${path} is no fingerprint, and cannot be read as a file: ${why}`)
  }
}

function refused(flag: string, problem: string): RunError {
  return new RunError(2, 'bad-flag', `--${flag}: ${problem}`, [
    'Give the SHA-256 of a root in hex (16 digits or more; secrets roots shows them), or a file with that one certificate',
  ])
}
