import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {makeCertificate, pemOf, testKey} from '../../support/make-certificate.ts'
import {runCommand} from '../../support/run-command.ts'
import {UNPRINTABLE} from '../../support/unprintable.ts'

const NOW = '2026-06-01T12:00:00Z'
const MANY_ROOTS = 10_000
const MANY_SECRETS = 5000

/** Of a busy machine with two cores; alone, each takes two or three seconds. */
const PATIENCE_MS = 60_000

let folder: string
let roots: readonly Buffer[]
let otherRoots: readonly Buffer[]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentctl-giants-'))
  roots = rootsFrom(0)
  otherRoots = rootsFrom(MANY_ROOTS)
}, PATIENCE_MS)

afterAll(() => rmSync(folder, {recursive: true, force: true}))

interface Row {
  readonly resource_name: string
  readonly result?: string
  readonly reason?: string
  readonly state: string
  readonly serial_number: string
  readonly not_before: string
  readonly not_after: string
  readonly cert_status?: string
  readonly sans?: readonly string[]
  readonly loaded?: boolean
  readonly chain: readonly {readonly serial_number?: string; readonly position: string}[]
}

interface Read {
  readonly rows: readonly Row[]
  readonly failures: readonly {readonly code: string; readonly message: string}[]
  readonly exitCode: number
}

async function read(command: string, stdin: string, ...more: readonly string[]): Promise<Read> {
  const args = ['secrets', command, '-f', '-', '--now', NOW, '-o', 'json', ...more]
  const {stdout, exitCode} = await runCommand(args, {stdin})
  const {items} = JSON.parse(stdout) as {
    items: readonly {readonly secrets: readonly Row[]; readonly failures: Read['failures']}[]
  }
  return {
    rows: items.flatMap(({secrets}) => secrets),
    failures: items.flatMap(({failures}) => failures),
    exitCode,
  }
}

function dump(...entries: readonly unknown[]): string {
  const type = 'type.googleapis.com/envoy.admin.v3.SecretsConfigDump'
  return JSON.stringify({configs: [{'@type': type, dynamic_active_secrets: entries}]})
}

function chainOf(name: string, ...certificates: readonly Uint8Array[]): unknown {
  return {name, secret: {name, tls_certificate: {certificate_chain: bytesOf(certificates)}}}
}

function bundleOf(name: string, certificates: readonly Uint8Array[]): unknown {
  return {name, secret: {name, validation_context: {trusted_ca: bytesOf(certificates)}}}
}

function bytesOf(certificates: readonly Uint8Array[]): unknown {
  return {inline_bytes: Buffer.from(certificates.map(pemOf).join('')).toString('base64')}
}

/** Five bytes that are a positive number. */
function serialOf(index: number): Buffer {
  const serial = Buffer.alloc(5, 1)
  serial.writeUInt32BE(index, 1)
  return serial
}

function rootsFrom(first: number): readonly Buffer[] {
  return Array.from({length: MANY_ROOTS}, (_, index) =>
    makeCertificate({serial: serialOf(first + index), subject: `root ${index}`, isCa: true}),
  )
}

function fileOf(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test(
  'ten thousand roots are compared with ten thousand others as sets, each with its row',
  async () => {
    const agents = fileOf('roots.pem', [...roots.toReversed(), ...otherRoots].map(pemOf).join(''))

    const {rows, exitCode} = await read('diff', dump(bundleOf('ROOTCA', roots)), '-f', `agent=${agents}`, '--no-cert')

    expect(rows.filter(({result}) => result === 'MATCH').map(({serial_number}) => serial_number)).toEqual(
      roots.map((_, index) => serialOf(index).toString('hex')),
    )
    expect(rows.filter(({reason}) => reason === 'root missing at the proxy')).toHaveLength(MANY_ROOTS)
    expect(exitCode).toBe(1)
  },
  PATIENCE_MS,
)

test(
  'two thousand renewed roots are told one against the other',
  async () => {
    const agents = fileOf('renamed.pem', otherRoots.slice(0, 2000).map(pemOf).join(''))
    const dumped = fileOf('renamed.json', dump(bundleOf('ROOTCA', roots.slice(0, 2000))))
    const args = ['-f', dumped, '-f', `agent=${agents}`, '--now', NOW, '--detail', '-o', 'json', '--no-cert']

    const {stdout} = await runCommand(['secrets', 'diff', ...args])

    const [item] = (JSON.parse(stdout) as {items: readonly {detail: readonly {fields: readonly {field: string}[]}[]}[]})
      .items
    expect(item?.detail).toHaveLength(2000)
    expect(item?.detail.at(-1)?.fields.map(({field}) => field)).toEqual(['serial_number', 'fingerprint_sha256'])
  },
  PATIENCE_MS,
)

test(
  'five thousand secrets are read, and joined with as many TLS contexts',
  async () => {
    const names = Array.from({length: MANY_SECRETS}, (_, index) => index)
    const uris = ['spiffe://mesh.example/ns/shop/sa/cart']
    const dumped = fileOf(
      'many.json',
      dump(
        ...names.map((index) => {
          return chainOf(`kubernetes://${index}`, makeCertificate({serial: serialOf(index), subject: 'x', uris}))
        }),
      ),
    )
    const context = (index: number) => ({
      path: '<inline>',
      serial_number: serialOf(index).toString('hex'),
      subject_alt_names: uris.map((uri) => ({uri})),
      valid_from: '2020-01-01T00:00:00Z',
      expiration_time: '2049-12-31T23:59:59Z',
    })
    // The last half of the secrets, and as many that no secret holds.
    const entries = names.map((index) => ({cert_chain: [context(index + MANY_SECRETS / 2)]}))
    const certs = fileOf('many.certs.json', JSON.stringify({certificates: entries}))

    const {stdout} = await runCommand([
      'secrets',
      'list',
      '-f',
      dumped,
      '-f',
      certs,
      '--now',
      NOW,
      '-o',
      'json',
      '--no-cert',
    ])

    const rows = (JSON.parse(stdout) as {items: readonly {secrets: readonly Row[]}[]}).items.flatMap(
      ({secrets}) => secrets,
    )
    expect(rows).toHaveLength(MANY_SECRETS)
    expect(rows.filter(({loaded}) => loaded)).toHaveLength(MANY_SECRETS / 2)
  },
  PATIENCE_MS,
)

test(
  'a certificate of a megabyte is read whole, by its names or by what nobody knows',
  async () => {
    const names = Array.from({length: 45_000}, (_, index) => `name-${index}.shop.example`)
    const byNames = makeCertificate({serial: serialOf(1), subject: 'x', names})
    const byBallast = makeCertificate({serial: serialOf(2), subject: 'x', uris: ['spiffe://a/b'], ballast: 1 << 20})

    const {rows} = await read('list', dump(chainOf('names', byNames), chainOf('ballast', byBallast)))

    expect(Math.min(byNames.length, byBallast.length)).toBeGreaterThan(1_000_000)
    expect(rows.map(({serial_number, cert_status}) => [serial_number, cert_status])).toEqual([
      [serialOf(1).toString('hex'), 'VALID'],
      [serialOf(2).toString('hex'), 'VALID'],
    ])
    expect(rows[0]?.sans).toEqual(names.map((name) => `DNS:${name}`))
    expect(rows[1]?.sans).toEqual(['URI:spiffe://a/b'])
  },
  PATIENCE_MS,
)

test('what is nested ten thousand deep costs its own value, and the rest is read', async () => {
  const deep = `${'{"a":['.repeat(5000)}1${']}'.repeat(5000)}`
  const good = JSON.stringify(chainOf('good', makeCertificate({serial: serialOf(1), subject: 'x'})))
  const kept = `{"name":"deep","secret":{"tls_certificate":${deep}}}`
  const configs = `{"configs":[{"dynamic_active_clusters":[{"cluster":${deep}}]},{"dynamic_active_secrets":[${kept},${good}]}]}`

  const {rows, failures} = await read('list', configs)

  expect(rows.map(({resource_name, serial_number}) => [resource_name, serial_number])).toEqual([
    ['good', serialOf(1).toString('hex')],
  ])
  expect(failures).toMatchObject([{code: 'too-large', message: expect.stringContaining('1 of its values')}])
})

test('a chain that signs itself in a circle is shown from its first certificate, each once', async () => {
  const [a, b] = [testKey(11), testKey(12)]
  const first = makeCertificate({serial: serialOf(1), subject: 'a', issuer: 'b', isCa: true, key: a, signedWith: b})
  const second = makeCertificate({serial: serialOf(2), subject: 'b', issuer: 'a', isCa: true, key: b, signedWith: a})

  const listed = await read('list', dump(chainOf('circle', first, second)))
  const shown = await runCommand(['secrets', 'show', '-f', '-', '--now', NOW], {
    stdin: dump(chainOf('circle', first, second)),
  })

  expect(listed.rows.map(({serial_number, chain}) => [serial_number, chain.map((one) => one.serial_number)])).toEqual([
    [serialOf(1).toString('hex'), [serialOf(2).toString('hex')]],
  ])
  expect(shown.stdout).toContain('issuer is not included')
  expect(shown.exitCode).toBe(0)
})

test.each([
  ['a negative one', Buffer.from('84ee3f0012', 'hex'), '-7b11c0ffee'],
  ['one of 24 bytes', Buffer.from('0123456789abcdef'.repeat(3), 'hex'), '0123456789abcdef'.repeat(3)],
  ['zero', Buffer.from([0]), '00'],
  ['one with the sign of a byte', Buffer.from('00ff', 'hex'), 'ff'],
])('a serial, %s, is the number that it is', async (_, serial, hex) => {
  const {rows} = await read('list', dump(chainOf('default', makeCertificate({serial, subject: 'x'}))))

  expect(rows.map((row) => [row.serial_number, row.cert_status])).toEqual([[hex, 'VALID']])
})

test.each([
  ['the last moment there is', '20200101000000Z', '99991231235959Z', '9999-12-31T23:59:59Z', 'VALID'],
  ['two digits of the year, before 2000', '500101000000Z', '991231235959Z', '1999-12-31T23:59:59Z', 'EXPIRED'],
  ['two digits of the year, after 2000', '200101000000Z', '491231235959Z', '2049-12-31T23:59:59Z', 'VALID'],
  ['four digits of an early year', '19500101000000Z', '20491231235959Z', '2049-12-31T23:59:59Z', 'VALID'],
])('a date, %s, is read to the second', async (_, notBefore, notAfter, said, status) => {
  const certificate = makeCertificate({serial: serialOf(1), subject: 'x', notBefore, notAfter})

  const {rows} = await read('list', dump(chainOf('default', certificate)))

  const year = notBefore.length === 13 ? (notBefore.startsWith('5') ? '1950' : '2020') : notBefore.slice(0, 4)
  expect(rows.map((row) => [row.not_before, row.not_after, row.cert_status])).toEqual([
    [`${year}-01-01T00:00:00Z`, said, status],
  ])
})

test('secrets are named by whatever they are named, and a terminal is not spoken to', async () => {
  const names = [
    '--exit-zero',
    '-f',
    '../../etc/passwd',
    '/dev/stdout',
    '\u001B[2J\u001B]0;x\u0007',
    '__proto__',
    'constructor',
    '\u202Eevil',
    'a\nb',
  ]
  const certificate = makeCertificate({serial: serialOf(1), subject: 'x'})
  const stdin = dump(...names.map((name) => chainOf(name, certificate)))

  const json = await read('diff', stdin)
  const texts = await Promise.all(
    ['table', 'wide', 'name'].map(async (format) => {
      return (await runCommand(['secrets', 'diff', '-f', '-', '--now', NOW, '-o', format], {stdin})).stdout
    }),
  )

  expect(json.rows.map(({resource_name}) => resource_name)).toEqual(names)
  expect(json.rows.every(({serial_number}) => serial_number === serialOf(1).toString('hex'))).toBe(true)
  for (const text of texts) expect(text).not.toMatch(UNPRINTABLE)
})
