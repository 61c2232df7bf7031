// What decoding costs against what nobody can do without. Runs under Node and under Bun: `bench.ts` starts it in both.
import {createHash, X509Certificate} from 'node:crypto'
import {decode} from '../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../src/lib/decode/x509/certificate-reader.ts'
import type {Answer} from '../../src/lib/domain/answer.ts'
import {scrub} from '../../src/lib/scrub/scrub.ts'
import {makeCertificate, pemOf, testKey} from '../../test/support/make-certificate.ts'

const SECRETS = 50
const WARM_UP = 400
const PAIRS = 100

const ca = testKey(3)
const leaves = Array.from({length: SECRETS}, (_, index) =>
  makeCertificate({
    serial: Buffer.from([1, 2, 3, index]),
    subject: `leaf ${index}`,
    issuer: 'ca',
    uris: [`spiffe://cluster.local/ns/shop/sa/${index}`],
    signedWith: ca,
  }),
)
const roots = Array.from({length: SECRETS}, (_, index) =>
  makeCertificate({serial: Buffer.from([2, 2, 3, index]), subject: `root ${index}`, isCa: true}),
)
const entries = leaves.map((der, index) => {
  const name = `kubernetes://secret-${index}`
  const chain = {inline_bytes: Buffer.from(pemOf(der)).toString('base64')}
  const tls_certificate = {certificate_chain: chain, private_key: {inline_bytes: 'W3JlZGFjdGVkXQ=='}}
  return {name, version_info: 'v', last_updated: '2026-01-01T00:00:00Z', secret: {name, tls_certificate}}
})
const dump = Buffer.from(JSON.stringify({configs: [{dynamic_active_secrets: entries}]}, null, 1))

/** Every field that JSON shows of a certificate; of a root also whether it has signed itself. */
function readFields(bytes: Uint8Array | string): readonly unknown[] {
  const certificate = new X509Certificate(bytes)
  const {publicKey, subject, issuer} = certificate
  return [
    certificate.serialNumber,
    certificate.validFromDate,
    certificate.validToDate,
    certificate.subjectAltName,
    certificate.ca,
    certificate.keyUsage,
    certificate.fingerprint256,
    publicKey.asymmetricKeyType,
    publicKey.asymmetricKeyDetails,
    createHash('sha256')
      .update(publicKey.export({type: 'spki', format: 'der'}))
      .digest('hex'),
    certificate.toString(),
    subject === issuer && certificate.verify(publicKey),
  ]
}

interface ParsedDump {
  readonly configs: readonly {readonly dynamic_active_secrets: typeof entries}[]
}

function parseDump(): readonly unknown[] {
  const {configs} = JSON.parse(dump.toString()) as ParsedDump
  return configs.flatMap((config) =>
    config.dynamic_active_secrets.map(({secret}) =>
      readFields(Buffer.from(secret.tls_certificate.certificate_chain.inline_bytes, 'base64')),
    ),
  )
}

async function decodeDump(body: AsyncIterable<Uint8Array>): Promise<unknown> {
  const path = '/config_dump?mask=static_secrets,dynamic_active_secrets,dynamic_warming_secrets'
  const answer: Answer = {
    question: {
      source: 'envoy-config-dump',
      side: 'proxy',
      container: 'istio-proxy',
      forms: [{type: 'http', port: 15_000, paths: [path], bindsToPod: false, refusals: []}],
      routes: ['port-forward'],
      maxBytes: 1_000_000_000,
    },
    form: 0,
    route: 'port-forward',
    parts: each({path, status: 200, receivedMs: 0, body}),
  }
  const [seen] = await decode(answer, {certificates: createCertificateReader({maxEntries: 1000})})
  if (seen?.type !== 'secrets' || seen.items.length !== SECRETS) throw new Error('the dump was not read')
  return seen
}

async function* each<Item>(item: Item): AsyncGenerator<Item> {
  yield await Promise.resolve(item)
}

async function timed(work: () => unknown): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Median of the ratios of pairs that were measured one right after the other, warm. */
async function ratioOf(
  ours: () => unknown,
  base: () => unknown,
): Promise<{oursMs: number; baseMs: number; ratio: number}> {
  const pairs: {readonly oursMs: number; readonly baseMs: number}[] = []
  for (let turn = -WARM_UP; turn < PAIRS; turn += 1) {
    const pair = {oursMs: await timed(ours), baseMs: await timed(base)}
    if (turn >= 0) pairs.push(pair)
  }
  return {
    oursMs: median(pairs.map(({oursMs}) => oursMs)),
    baseMs: median(pairs.map(({baseMs}) => baseMs)),
    ratio: median(pairs.map(({oursMs, baseMs}) => oursMs / baseMs)),
  }
}

/** A reader that has seen none of them. */
function readAll(certificates: readonly Uint8Array[]): () => unknown {
  return () => {
    const reader = createCertificateReader({maxEntries: 1000})
    return certificates.map((der) => reader.read(der))
  }
}

const figures = {
  leaf: await ratioOf(readAll(leaves), () => leaves.map(readFields)),
  root: await ratioOf(readAll(roots), () => roots.map(readFields)),
  dump: await ratioOf(() => decodeDump(each(dump)), parseDump),
  'dump through the door': await ratioOf(() => decodeDump(scrub(each(dump))), parseDump),
}
process.stdout.write(`${JSON.stringify(figures)}\n`)
