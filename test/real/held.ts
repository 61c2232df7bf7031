import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {tryCommand} from './run-command.ts'
import {execIn} from './site.ts'
import {witness} from './witness.ts'

/** What an Envoy shows of its mesh certificates, in PEM. */
export interface Held {
  readonly chain: string
  readonly roots: string
}

interface Bytes {
  readonly inline_bytes: string
}

interface Dump {
  readonly configs: readonly {
    readonly name: string
    readonly secret: {
      readonly tls_certificate?: {readonly certificate_chain: Bytes}
      readonly validation_context?: {readonly trusted_ca: Bytes}
    }
  }[]
}

/** Asks the Envoy of a pod in `shop` from within. */
export async function heldBy(pod: string): Promise<Held> {
  const path = 'config_dump?resource=dynamic_active_secrets'
  const text = await execIn(pod, ['pilot-agent', 'request', 'GET', path])
  // It writes lines of its log before.
  const {configs} = JSON.parse(text.slice(text.search(/^\{/mu))) as Dump
  const secret = (name: string): Dump['configs'][number]['secret'] | undefined =>
    configs.find((config) => config.name === name)?.secret
  const pem = (bytes: Bytes | undefined): string => Buffer.from(bytes?.inline_bytes ?? '', 'base64').toString()
  return {
    chain: pem(secret('default')?.tls_certificate?.certificate_chain),
    roots: pem(secret('ROOTCA')?.validation_context?.trusted_ca),
  }
}

/** Fingerprints of all certificates in a PEM, by openssl. */
export async function fingerprints(pem: string): Promise<readonly string[]> {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu) ?? []
  return await Promise.all(blocks.map(async (block) => (await witness(block)).fingerprint))
}

/** Whether openssl verifies a chain against these roots, and no others. */
export async function isVerified(chain: string, roots: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'real-chain-'))
  try {
    const [chainFile, rootsFile] = [join(folder, 'chain'), join(folder, 'roots')]
    await writeFile(chainFile, chain)
    await writeFile(rootsFile, roots)
    const trusted = ['-no-CApath', '-no-CAstore', '-CAfile', rootsFile]
    return (await tryCommand(['openssl', 'verify', ...trusted, '-untrusted', chainFile, chainFile])).code === 0
  } finally {
    await rm(folder, {recursive: true})
  }
}
