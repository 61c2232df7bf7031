import {X509Certificate} from 'node:crypto'
import {resolve} from 'node:path'
import {stripVTControlCharacters} from 'node:util'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {schemaErrors} from '../../lib/report/schema-check.ts'
import {type OpenSandbox, openSandbox} from '../../support/open-sandbox.ts'
import {type Ran, runCommand} from '../../support/run-command.ts'

const CASES = resolve(import.meta.dirname, '../../fixtures/cases')
const NOW = ['--now', '2026-06-01T12:00:00Z']

interface Shown {
  readonly kind: string
  readonly items: readonly {
    readonly pod: string
    readonly verdict: string
    readonly secrets: readonly {
      readonly side: string
      readonly resource_name: string
      readonly serial_number: string
      readonly signed_by_next?: boolean
      readonly chain_end?: string
      readonly chain: readonly {readonly position: string; readonly signed_by_next?: boolean}[]
      readonly verified?: boolean
      readonly verified_reason?: string
    }[]
  }[]
}

function shown({stdout}: Ran): Shown {
  return JSON.parse(stdout) as Shown
}

async function showFile(file: string, ...args: readonly string[]): Promise<Ran> {
  return await runCommand(['secrets', 'show', ...args, '-f', `${CASES}/${file}`, ...NOW])
}

function certificatesOf(pem: string): readonly X509Certificate[] {
  return [...pem.matchAll(/^-----BEGIN CERTIFICATE-----\n[^-]+-----END CERTIFICATE-----\n/gm)].map(
    ([block]) => new X509Certificate(block),
  )
}

describe('a saved dump', () => {
  test('each chain is followed to the roots of the same dump', async () => {
    const ran = await showFile('chain-with-intermediates/config_dump.json', '-o', 'json')

    const {secrets} = shown(ran).items[0]!
    expect(secrets.map((row) => [row.resource_name, row.verified, row.verified_reason, row.chain_end])).toEqual([
      ['default', false, 'CN=intermediate old,O=mesh.example ended at 2024-03-02T10:02:00Z', 'self-signed'],
      [
        'default-2',
        true,
        'signed by CN=root-A,O=mesh.example in ROOTCA through CN=intermediate shop,O=mesh.example',
        'issuer-not-included',
      ],
      ['ROOTCA', undefined, undefined, undefined],
    ])
    expect(secrets[0]?.signed_by_next).toBe(true)
    expect(secrets[0]?.chain.map((one) => [one.position, one.signed_by_next])).toEqual([
      ['intermediate', true],
      ['root', undefined],
    ])
    expect(await schemaErrors('SecretList', shown(ran))).toEqual([])
    expect(ran.exitCode).toBe(1)
  })

  test('a leaf that none of 121 roots signed is not verified', async () => {
    const ran = await showFile('many-roots/config_dump.json', 'cart-7d9f6c5b8-x2k4q.shop', 'default', '-o', 'json')

    const {secrets} = shown(ran).items[0]!
    expect(secrets.map(({verified, verified_reason: reason}) => [verified, reason])).toEqual([
      [false, 'its issuer CN=root-A,O=mesh.example is not in ROOTCA'],
    ])
    expect(ran.exitCode).toBe(0)
  })

  test('a name selects by the whole name, among two of one name both', async () => {
    const ran = await showFile('odd-names/config_dump.json', 'cart-7d9f6c5b8-x2k4q.shop', 'default', '-o', 'json')

    expect(shown(ran).items[0]?.secrets.map((row) => row.serial_number)).toEqual([
      '5c1d7e90a2b34455667788990a1b2c3d',
      '4bc0ffee00112233445566778899aabb',
    ])
  })

  test('a name that no side holds ends with 4, and those that are held are told', async () => {
    const ran = await showFile('chain-with-intermediates/config_dump.json', 'cart-7d9f6c5b8-x2k4q.shop', 'defaul')

    expect(ran).toEqual({
      stdout: '',
      stderr:
        'Error: No side of shop/cart-7d9f6c5b8-x2k4q holds a secret defaul\nHint: There are default, default-2, ROOTCA\n',
      exitCode: 4,
    })
  })

  test('a name that may stand in what could not be read is not called absent', async () => {
    const ran = await showFile('cut-off/cut_after_object.json', 'cart-7d9f6c5b8-x2k4q.shop', 'far', '-o', 'json')

    expect(shown(ran).items[0]?.secrets).toEqual([])
    expect(ran.stderr).not.toContain('No side of')
    expect(ran.exitCode).toBe(4)
  })

  test('as PEM the certificates come in order of trust and read back as they are', async () => {
    const ran = await showFile('chain-with-intermediates/config_dump.json', '-o', 'pem')

    const serials = certificatesOf(ran.stdout).map(({serialNumber}) => serialNumber.toLowerCase())
    expect(serials).toEqual(['44bb', '44aa', '51a7c0de9b3344f0a1', '2200bb02', '2200aa01', '51a7c0de9b3344f0a1'])
    expect(ran.stdout).not.toContain('PRIVATE')
    const [first] = ran.stdout.split('\n')
    expect(first).toBe('# cart-7d9f6c5b8-x2k4q default leaf, held by proxy: serial 44bb, until 2049-06-30T23:59:59Z')
  })

  test('the chain and the roots of two PEM files are one pod, and verify', async () => {
    const files = ['cert-chain.pem', 'root-cert.pem'].flatMap((file) => ['-f', `agent=${CASES}/real-sidecar/${file}`])

    const ran = await runCommand(['secrets', 'show', 'sidecar', ...files, '-o', 'json'])

    const [leaf] = shown(ran).items[0]!.secrets
    expect(leaf?.resource_name).toBe('default')
    expect(leaf?.verified_reason).toMatch(/^(signed by O=cluster\.local in ROOTCA|spiffe:.* ended at )/)
  })

  test('files of several pods are too many without a TARGET', async () => {
    const files = ['proxy-stale/config_dump.json', 'gateway/config_dump.json'].flatMap((file) => [
      '-f',
      `${CASES}/${file}`,
    ])

    const {stderr, exitCode} = await runCommand(['secrets', 'show', ...files])

    expect(stderr).toMatch(/^Error: The files speak of 2 pods with an agent, and one can be shown\nHint: Name one/)
    expect(exitCode).toBe(2)
  })
})

test.each([
  [['secrets', 'show'], 'Error: Expected a TARGET: the pod to show\n'],
  [
    ['secrets', 'show', '-f', 'x', '-o', 'pem', '--no-cert'],
    'Error: --output pem and --no-cert cannot be used together\n',
  ],
  [['secrets', 'list', '-o', 'pem'], 'Error: Bad value for --output: expected one of table, wide'],
  [['secrets', 'show', 'cart', '--show', 'all'], 'Error: Nonexistent flag: --show\n'],
])('%j is a usage error', async (argv, message) => {
  const {stdout, stderr, exitCode} = await runCommand(argv)

  expect(stderr).toContain(message)
  expect(stdout).toBe('')
  expect(exitCode).toBe(2)
})

describe('the demo', () => {
  let demo: OpenSandbox

  beforeAll(async () => {
    demo = await openSandbox()
  })

  afterAll(async () => {
    await demo.close()
  })

  async function show(words: string): Promise<Ran> {
    return await demo.run(`secrets show ${words}`, {namespace: 'shop'})
  }

  test('both sides of a pod are verified by the roots that each of them holds', async () => {
    const ran = await show('deploy/search -o json')

    const document = shown(ran)
    expect(document.kind).toBe('SecretList')
    expect(await schemaErrors('SecretList', document)).toEqual([])
    const chains = document.items[0]!.secrets.filter((row) => row.resource_name === 'default')
    expect(chains.map(({side, verified}) => [side, verified])).toEqual([
      ['agent', true],
      ['proxy', true],
    ])
    expect(ran.exitCode).toBe(0)
  })

  test('what is shown as PEM verifies: the leaf is signed by a root of the bundle', async () => {
    const [chain, roots] = [await show('deploy/search default -o pem'), await show('deploy/search ROOTCA -o pem')]

    const [leaf] = certificatesOf(chain.stdout)
    const anchors = certificatesOf(roots.stdout)
    expect(anchors.length).toBe(2)
    expect(anchors.some((anchor) => leaf?.checkIssued(anchor) && leaf.verify(anchor.publicKey))).toBe(true)
  })

  test('an owner of several pods is a usage error that names them', async () => {
    const {stdout, stderr, exitCode} = await show('deploy/cart')

    expect(stderr).toMatch(
      /^Error: deploy\/cart has 2 pods with an agent, and one can be shown\nHint: Name one of them: cart-\S+\.shop, cart-\S+\.shop\n$/,
    )
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
  })

  test('one of those pods is shown by the name that the hint gives', async () => {
    const {stderr} = await show('deploy/cart')
    const [name = ''] = /cart-\S+?(?=,)/.exec(stderr) ?? []

    const ran = await show(`${name} default -o json`)

    expect(shown(ran).items.map(({pod}) => `${pod}.shop`)).toEqual([name])
    expect(ran.exitCode).toBe(0)
  })

  test('a pod that has ended is shown as skipped, one that cannot be reached as unknown', async () => {
    const ended = await show('job/migrate-29431')
    const unreached = await demo.run('secrets show deploy/fraud -n bank')

    expect(ended.stdout).toMatch(/^ {2}secrets {2}SKIPPED: shop\/migrate-\S+ has ended: Completed$/m)
    expect(ended.exitCode).toBe(0)
    expect(unreached.stdout).toMatch(/^ {2}secrets {2}UNKNOWN: Cannot forward ports of bank\/fraud/m)
    expect(unreached.exitCode).toBe(4)
  })

  test('each held identity of a ztunnel is verified by the roots it holds with it', async () => {
    const ran = await demo.run('secrets show ds/ztunnel -n istio-system -o json')

    const {secrets} = shown(ran).items[0]!
    expect(secrets.length).toBeGreaterThan(1)
    expect(secrets.filter(({verified}) => verified !== true)).toEqual([])
    expect(await schemaErrors('SecretList', shown(ran))).toEqual([])
  })

  test('no line of a page is wider than the terminal', async () => {
    const {stdout} = await demo.run('secrets show deploy/search --color always', {namespace: 'shop', columns: 80})

    const lines = stripVTControlCharacters(stdout).split('\n')
    expect(Math.max(...lines.map(({length}) => length))).toBeLessThanOrEqual(80)
    expect(stdout).toContain('\u{1b}[32mverified: signed by O=cluster.local')
  })

  test('secrets diff --detail tells field by field what differs, and only that', async () => {
    const ran = await demo.run('secrets diff -A --settle 0 --deadline 2s --detail -o json')

    const document = JSON.parse(ran.stdout) as {
      items: {pod: string; detail: {resource_name: string; reason: string; fields: {field: string}[]}[]}[]
    }
    expect(await schemaErrors('SecretDiffList', document)).toEqual([])
    const told = document.items.flatMap(({pod, detail}) =>
      detail.map((one) => [pod.split('-')[0], one.resource_name, one.reason, one.fields.map(({field}) => field)]),
    )
    expect(told).toEqual([
      ['payments', 'ROOTCA', expect.stringMatching(/^root missing at the proxy until/), expect.any(Array)],
      ['cart', 'default', 'proxy is stale by 12h', ['not_after']],
    ])
  })

  test('secrets diff --detail changes no row of the table and not the exit code', async () => {
    const plain = await demo.run('secrets diff -n shop --settle 0')
    const detailed = await demo.run('secrets diff -n shop --settle 0 --detail')

    expect(detailed.stdout.startsWith(`${plain.stdout}\n`)).toBe(true)
    expect(detailed.stdout.slice(plain.stdout.length)).toMatch(
      /^\nshop\/cart-\S+ default: proxy is stale by 12h\n--- agent \(agent-metrics\)\n\+\+\+ proxy \(envoy-config-dump\)\n-until {2}\S+\n\+until {2}\S+\n$/,
    )
    expect([detailed.stderr, detailed.exitCode]).toEqual([plain.stderr, plain.exitCode])
  })
})
