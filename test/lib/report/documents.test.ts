import {expect, test} from '@jest/globals'
import {load} from 'js-yaml'
import {ProbeError, RunError} from '../../../src/lib/domain/failure.ts'
import type {ReportEvent, SecretDiffItem} from '../../../src/lib/domain/report.ts'
import {parseOutputFormat} from '../../../src/lib/report/output-format.ts'
import {render} from '../../../src/lib/report/render.ts'
import {agentListView} from '../../../src/lib/report/views/agent-list.ts'
import {secretDiffView} from '../../../src/lib/report/views/secret-diff.ts'
import {secretListView} from '../../../src/lib/report/views/secret-list.ts'
import {demoItems, diffItem, leaf, leafRow, listItem, listRow, podItem, REFUSED, root, runOf, STYLE} from './items.ts'
import {renderText} from './render-text.ts'
import {schemaErrors} from './schema-check.ts'

/** Every field that a row can have. */
const FULL_ROW = leafRow({
  chain: [
    {certificate: root({position: 'intermediate', pem: 'PEM of the intermediate\n'}), status: 'VALID'},
    {certificate: {readable: false, problem: 'certificate cut off', position: 'root'}, status: 'INVALID'},
  ],
  status: 'INVALID',
  statusReason: 'a certificate of the chain is cut off',
  agentPod: 'node-agent-x7',
  parts: 2,
  rejected: {at: '2026-06-01T11:00:00Z', details: 'no key'},
  keyFound: true,
  origin: 'listener virtualInbound',
  lastUpdated: '2026-06-01T10:00:00Z',
  notes: ['a root twice in a chain'],
})

const FULL_RUN: readonly ReportEvent<SecretDiffItem>[] = [
  ...demoItems().map((item) => ({type: 'item', item}) as const),
  {type: 'page', cursor: 'c1', remaining: 120, consistent: false},
  {
    type: 'item',
    item: diffItem('full', [FULL_ROW], {
      findings: [{rule: 'chain-broken', severity: 'fail', message: 'The chain of default is broken'}],
    }),
  },
  {type: 'page', cursor: 'c2', consistent: true},
  {type: 'stopped', code: 'expired', message: 'The list expired', hint: 'Run again', cursor: 'c3'},
  {
    type: 'fleet',
    complete: false,
    findings: [{rule: 'root-divergent', severity: 'warn', message: 'Two sets of roots'}],
  },
]

function parsed(text: string): Readonly<Record<string, unknown>> {
  const document: unknown = JSON.parse(text)
  if (typeof document !== 'object' || document === null) throw new Error('No document')
  return {...document}
}

test('a row keeps the field names and the order of Istio and of what was added', async () => {
  const run = runOf([diffItem('cart-1', [leafRow()])])

  const {text, notes} = await renderText('json', secretDiffView, run)

  expect(text).toMatchInlineSnapshot(`
"{
  "apiVersion": "agentctl/v1",
  "kind": "SecretDiffList",
  "metadata": {
    "generatedAt": "2026-06-01T12:00:00Z",
    "contexts": [
      "prod"
    ]
  },
  "items": [
    {
      "context": "prod",
      "namespace": "shop",
      "pod": "cart-1",
      "node": "n1",
      "container": "istio-proxy",
      "agentKind": "istio-sidecar",
      "verdict": "pass",
      "sides": {
        "agent": {
          "state": "read",
          "answers": [
            {
              "source": "agent-files",
              "route": "exec"
            }
          ]
        },
        "proxy": {
          "state": "read",
          "answers": [
            {
              "source": "envoy-config-dump",
              "route": "port-forward"
            }
          ]
        }
      },
      "failures": [],
      "secrets": [
        {
          "resource_name": "default",
          "type": "Cert Chain",
          "agent": "PRESENT",
          "proxy": "ACTIVE",
          "result": "MATCH",
          "reason": "",
          "confirmed": true,
          "compared_by": "fingerprint",
          "agent_source": "agent-files",
          "proxy_source": "envoy-config-dump",
          "state": "ACTIVE",
          "cert_valid": true,
          "cert_status": "VALID",
          "serial_number": "5c1d7e90a2b34455667788990a1b2c3d",
          "not_before": "2026-06-01T05:58:00Z",
          "not_after": "2026-06-02T06:00:00Z",
          "seconds_left": 64800,
          "trust_domain": "cluster.local",
          "source": "",
          "destination": "sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local",
          "subject": "",
          "issuer": "O=cluster.local",
          "sans": [
            "URI:spiffe://cluster.local/ns/shop/sa/cart"
          ],
          "spiffe_id": "spiffe://cluster.local/ns/shop/sa/cart",
          "key": {
            "type": "EC",
            "size": 256,
            "curve": "P-256"
          },
          "fingerprint_sha256": "77a90ad480ef9ebd77a90ad480ef9ebd77a90ad480ef9ebd77a90ad480ef9ebd",
          "chain": [],
          "cert": "-----BEGIN CERTIFICATE-----\\nbGVhZg==\\n-----END CERTIFICATE-----\\n"
        }
      ]
    }
  ],
  "page": {
    "consistent": true
  },
  "fleet": {
    "complete": true,
    "findings": []
  },
  "summary": {
    "pods": 1,
    "pass": 1,
    "warn": 0,
    "fail": 0,
    "unknown": 0,
    "skipped": 0,
    "compared": {
      "fingerprint": 1,
      "serial": 0,
      "expiry": 0,
      "published": 0,
      "presence": 0,
      "none": 0
    }
  }
}
"
`)
  expect(notes).toEqual([])
})

test("the fields of Istio's SecretItemDiff are there where they are empty; others are absent", async () => {
  const {
    certificate: _,
    status: __,
    secondsLeft: ___,
    trustDomain: ____,
    destination: _____,
    ...bare
  } = leafRow({
    type: 'Generic',
    agent: '',
    result: 'NOT_COMPARABLE',
    comparedBy: 'none',
  })
  const {agentSource: ______, proxySource: _______, state: ________, ...row} = bare

  const {text} = await renderText('jsonpath={.items[0].secrets[0]}', secretDiffView, runOf([diffItem('cart-1', [row])]))

  expect(JSON.parse(text)).toEqual({
    resource_name: 'default',
    type: 'Generic',
    agent: '',
    proxy: 'ACTIVE',
    result: 'NOT_COMPARABLE',
    reason: '',
    confirmed: true,
    compared_by: 'none',
    state: '',
    cert_valid: false,
    serial_number: '',
    not_before: '',
    not_after: '',
    trust_domain: '',
    source: '',
    destination: '',
    chain: [],
    cert: '',
  })
})

test('a certificate of which only the end is known tells nothing else of it', async () => {
  const {
    fingerprint: _,
    pem: __,
    serial: ___,
    notBeforeMs: ____,
    ...known
  } = leaf({
    issuer: '',
    sans: [],
    spiffeIds: [],
    key: {type: 'unknown'},
  })
  const run = runOf([diffItem('cart-1', [leafRow({comparedBy: 'expiry'}, known)])])

  const {text} = await renderText('jsonpath={.items[0].secrets[0]}', secretDiffView, run)

  expect(Object.keys(parsed(text))).not.toEqual(expect.arrayContaining(['fingerprint_sha256']))
  expect(parsed(text)).toMatchObject({not_after: '2026-06-02T06:00:00Z', not_before: '', serial_number: '', cert: ''})
  for (const absent of ['subject', 'issuer', 'sans', 'spiffe_id', 'key', 'fingerprint_sha256']) {
    expect(parsed(text)).not.toHaveProperty(absent)
  }
})

test('cert holds the whole chain, in order of trust, and --no-cert leaves it out', async () => {
  const output = 'jsonpath={.items[0].secrets[0].cert}'
  const run = runOf([diffItem('cart-1', [FULL_ROW])])

  const kept = await renderText(output, secretDiffView, run)
  const left = await renderText('json', secretDiffView, run, {cert: false})

  expect(kept.text).toBe('-----BEGIN CERTIFICATE-----\nbGVhZg==\n-----END CERTIFICATE-----\nPEM of the intermediate\n')
  expect(left.text).not.toContain('"cert"')
})

test('json, yaml and ndjson say the same, and what they say is in the schemas, whatever happened', async () => {
  const json = parsed((await renderText('json', secretDiffView, FULL_RUN)).text)
  const yaml: unknown = load((await renderText('yaml', secretDiffView, FULL_RUN)).text)
  const lines = (await renderText('ndjson', secretDiffView, FULL_RUN)).text.trimEnd().split('\n').map(parsed)

  const linesOf = (wanted: string) =>
    lines.filter(({kind}) => kind === wanted).map(({kind: _kind, apiVersion: _version, ...rest}) => rest)
  expect(yaml).toEqual(json)
  expect(linesOf('SecretDiff')).toEqual(json['items'])
  expect(linesOf('Page').at(-1)).toEqual(json['page'])
  expect(linesOf('Summary')).toEqual([
    {stopped: json['stopped'], fleet: json['fleet'], ...parsed(JSON.stringify(json['summary']))},
  ])
  expect(await schemaErrors('SecretDiffList', json)).toEqual([])
  for (const line of lines) expect(await schemaErrors(String(line['kind']), line)).toEqual([])
})

test('a run that stops early is one valid document with the cursor that resumes it', async () => {
  const {text} = await renderText('json', secretDiffView, FULL_RUN)

  expect(parsed(text)).toMatchObject({
    page: {continue: 'c3', consistent: false},
    stopped: {code: 'expired', message: 'The list expired', hint: 'Run again'},
    fleet: {complete: false},
    summary: {pods: 5, pass: 2, warn: 0, fail: 1, unknown: 1, skipped: 1},
  })
  expect(Object.keys(parsed(text))).toEqual([
    'apiVersion',
    'kind',
    'metadata',
    'items',
    'page',
    'stopped',
    'fleet',
    'summary',
  ])
})

test('ndjson has a page line after each page and a summary last', async () => {
  const {text} = await renderText('ndjson', secretDiffView, FULL_RUN)

  const kinds = text
    .trimEnd()
    .split('\n')
    .map((line) => parsed(line)['kind'])
  expect(kinds).toEqual([...demoItems().map(() => 'SecretDiff'), 'Page', 'SecretDiff', 'Page', 'Page', 'Summary'])
})

test.each(['json', 'yaml', 'ndjson'])('%s of an empty selection is an empty document', async (output) => {
  const {text} = await renderText(output, secretDiffView, runOf<SecretDiffItem>([]))

  const document = output === 'ndjson' ? undefined : load(text)
  expect(document ?? {items: []}).toMatchObject({items: []})
  expect(text).toContain('consistent')
})

test.each(['table', 'json', 'yaml', 'ndjson', 'name', 'jsonpath={.kind}', 'custom-columns=POD:.pod'])(
  '%s gives no text where there is no access at all',
  async (output) => {
    const refused = new RunError(4, 'forbidden', 'Cannot list pods in shop: forbidden for user ci')
    const pieces: string[] = []
    const reading = async () => {
      for await (const piece of render(parseOutputFormat(output), secretDiffView, refuse(refused), STYLE, () => {})) {
        pieces.push(piece)
      }
    }

    await expect(reading()).rejects.toBe(refused)
    expect(pieces).toEqual([])
  },
)

async function* refuse(error: Error): AsyncGenerator<ReportEvent<SecretDiffItem>> {
  if (error instanceof ProbeError) yield {type: 'page', consistent: true}
  throw error
}

test('json is written item by item, not at the end', async () => {
  let asked = 0
  async function* endless(): AsyncGenerator<ReportEvent<SecretDiffItem>> {
    for (;;) {
      asked += 1
      yield {type: 'item', item: diffItem(`cart-${asked}`, [leafRow()])}
    }
  }

  let text = ''
  for await (const piece of render({type: 'json'}, secretDiffView, endless(), STYLE, () => {})) {
    text += piece
    if (text.includes('"cart-3"')) break
  }

  expect(asked).toBe(3)
})

test('a context is named in every item where one or several are asked, and nowhere for files', async () => {
  const run = runOf([diffItem('cart-1', [])])

  const one = await renderText('jsonpath={.items[0].context}', secretDiffView, run)
  const files = await renderText('jsonpath={.items[0].context}', secretDiffView, run, {contexts: []})

  expect(one.text).toBe('prod')
  expect(files.text).toBe('')
})

test.each(['json', 'yaml', 'ndjson'])(
  '%s keeps hostile names whole, and none of their unseen bytes',
  async (output) => {
    const name = 'a\u{1b}[2J\u{9b}31m\u{202e}\u{200b}\u{2028}\u{e0041}\u{7f} \ud800\nend'
    const turned = '\u{202e}tluafed'
    const run = runOf([diffItem('cart-1', [leafRow({name}), leafRow({name: turned})])])

    const {text} = await renderText(output, secretDiffView, run)

    const document: unknown = output === 'ndjson' ? JSON.parse(text.split('\n')[0] ?? '') : load(text)
    expect(JSON.stringify(document)).toContain(JSON.stringify(name))
    expect(JSON.stringify(document)).toContain(JSON.stringify(turned))
    expect(text).not.toMatch(/[^\n\P{C}]/u)
  },
)

test('agents list: what is known of an agent, without environment or arguments', async () => {
  const run = runOf([podItem('cart-1'), podItem('cart-2', {verdict: 'unknown', failures: [REFUSED]})])

  const {text} = await renderText('json', agentListView, run)

  expect(text).not.toContain('secret-of-the-pod')
  expect(await schemaErrors('AgentList', JSON.parse(text))).toEqual([])
  expect(parsed(text)).toMatchObject({
    kind: 'AgentList',
    items: [
      {
        pod: 'cart-1',
        agentKind: 'istio-sidecar',
        because: 'container istio-proxy runs proxy sidecar',
        ready: true,
        version: '1.29.0',
        revision: 'default',
        admin: {type: 'port', port: 15_000},
        status: 'Running',
        containers: [{name: 'istio-proxy', role: 'sidecar', state: 'running', restarts: 0}],
      },
      {pod: 'cart-2', verdict: 'unknown'},
    ],
  })
  expect(parsed(text)['summary']).not.toHaveProperty('compared')
})

test('secrets list: a row says which side holds it and who said so', async () => {
  const {state: _, ...held} = listRow({side: 'agent', source: 'agent-files'})
  const run = runOf([listItem('cart-1', [held, listRow()])])

  const {text} = await renderText('json', secretListView, run)
  const lines = (await renderText('ndjson', secretListView, run)).text

  const row = (await renderText('jsonpath={.items[0].secrets[0]}', secretListView, run)).text
  expect(await schemaErrors('SecretList', JSON.parse(text))).toEqual([])
  expect(await schemaErrors('Secret', JSON.parse(lines.split('\n')[0] ?? ''))).toEqual([])
  expect(parsed(text)).toMatchObject({
    items: [
      {
        secrets: [
          {side: 'agent', agent_source: 'agent-files', state: ''},
          {side: 'proxy', proxy_source: 'envoy-config-dump', state: 'ACTIVE'},
        ],
      },
    ],
  })
  for (const absent of ['agent', 'proxy', 'result', 'reason', 'confirmed', 'compared_by']) {
    expect(parsed(row)).not.toHaveProperty(absent)
  }
})
