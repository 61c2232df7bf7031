import {expect, test} from '@jest/globals'
import {agentListView} from '../../../src/lib/report/views/agent-list.ts'
import {secretListView} from '../../../src/lib/report/views/secret-list.ts'
import {AGENT, container, leaf, listItem, listRow, NOW_MS, pod, podItem, REFUSED, root, runOf} from './items.ts'
import {renderText} from './render-text.ts'

function bundle(side: 'agent' | 'proxy') {
  return Array.from({length: 6}, () => listRow({name: 'ROOTCA', type: 'CA', side}, root()))
}

const AGENTS = [
  podItem('cart-1'),
  podItem('cart-2', {
    pod: pod('cart-2', {
      containers: [
        container({name: 'cart', role: 'container'}),
        container({ready: false, state: {phase: 'waiting', reason: 'CrashLoopBackOff'}, restarts: 9}),
      ],
    }),
  }),
  podItem('cart-3', {verdict: 'unknown', incomplete: true, failures: [REFUSED]}),
  podItem('cart-4', {
    verdict: 'skipped',
    skipped: {code: 'no-agent', message: 'no container carries an agent'},
    pod: pod('cart-4', {containers: [container({name: 'cart', role: 'container'})]}),
  }),
  podItem('edge-1', {
    agent: {...AGENT, kind: 'istio-gateway', admin: {type: 'off', reason: 'switched off'}, revision: 'canary'},
    pod: pod('edge-1', {namespace: 'front', ips: ['10.0.0.9', 'fd00::9'], createdAt: '2024-01-01T00:00:00Z'}),
  }),
].map((item) => {
  const {agent: _, ...bare} = item
  return item.skipped?.code === 'no-agent' ? bare : item
})

test('agents list: a line for each pod', async () => {
  const {text} = await renderText('table', agentListView, runOf(AGENTS))

  expect(text).toMatchInlineSnapshot(`
"NAMESPACE  POD     AGENT          READY  VERSION  REVISION  NODE  AGE
shop       cart-3  istio-sidecar  1/1    1.29.0   default   n1    2d
shop       cart-2  istio-sidecar  1/2    1.29.0   default   n1    2d
shop       cart-1  istio-sidecar  1/1    1.29.0   default   n1    2d
front      edge-1  istio-gateway  1/1    1.29.0   canary    n1    2y
shop       cart-4  SKIPPED: no container carries an agent
"
`)
})

test('agents list: wide adds where it is and what it is doing', async () => {
  const {text} = await renderText('wide', agentListView, runOf(AGENTS))

  expect(text).toMatchInlineSnapshot(`
"NAMESPACE  POD     AGENT          READY  VERSION  REVISION  NODE  AGE  IP                STATUS                                      CONTAINER    ADMIN PORT
shop       cart-3  istio-sidecar  1/1    1.29.0   default   n1    2d   10.0.0.7          Running                                     istio-proxy  15000
shop       cart-2  istio-sidecar  1/2    1.29.0   default   n1    2d   10.0.0.7          CrashLoopBackOff (istio-proxy, 9 restarts)  istio-proxy  15000
shop       cart-1  istio-sidecar  1/1    1.29.0   default   n1    2d   10.0.0.7          Running                                     istio-proxy  15000
front      edge-1  istio-gateway  1/1    1.29.0   canary    n1    2y   10.0.0.9,fd00::9  Running                                     istio-proxy  off
shop       cart-4  SKIPPED: no container carries an agent
"
`)
})

test('agents list: a narrow terminal loses the revision, then the node', async () => {
  const {text, notes} = await renderText('table', agentListView, runOf(AGENTS.slice(0, 2)), {width: 54})

  expect(text).toMatchInlineSnapshot(`
"NAMESPACE  POD     AGENT          READY  VERSION  AGE
shop       cart-2  istio-sidecar  1/2    1.29.0   2d
shop       cart-1  istio-sidecar  1/1    1.29.0   2d
"
`)
  expect(notes).toEqual(['The terminal is too narrow for REVISION, NODE: see --output wide'])
})

test('agents list: nothing found', async () => {
  const {text, notes} = await renderText('table', agentListView, runOf([]))

  expect(text).toBe('')
  expect(notes).toEqual(['No agents found'])
})

test('secrets list: each side, with what is wrong with a certificate', async () => {
  const {state: _, ...ofAgent} = listRow({side: 'agent', source: 'agent-files'})
  const items = [
    listItem('cart-1', [
      ofAgent,
      listRow(),
      listRow({name: 'ROOTCA', type: 'CA'}, root()),
      listRow({name: 'old', rejected: {details: 'Failed to load\nprivate key'}}, leaf({notAfterMs: NOW_MS - 90_000})),
      {
        ...listRow({name: 'kubernetes://edge', type: 'Cert Chain'}),
        certificate: {readable: false, problem: 'certificate cut off', position: 'leaf'},
        status: 'INVALID',
        statusReason: 'certificate cut off',
        keyFound: true,
      },
    ]),
    listItem('cart-2', []),
  ]

  const {text} = await renderText('table', secretListView, runOf(items))

  expect(text).toMatchInlineSnapshot(`
"POD     SIDE   RESOURCE NAME      TYPE        STATE                                                   VALID CERT                            LEFT  SERIAL NUMBER                     NOT AFTER             NOT BEFORE
cart-1  proxy  old                Cert Chain  ACTIVE: update refused: Failed to load\\nprivate key     false (EXPIRED)                       -1m   5c1d7e90a2b34455667788990a1b2c3d  2026-06-01T11:58:30Z  2026-06-01T05:58:00Z
cart-1  proxy  kubernetes://edge  Cert Chain  ACTIVE: a private key stands in place of a certificate  false (INVALID: certificate cut off)  18h   -                                 -                     -
cart-1  agent  default            Cert Chain  PRESENT                                                 true                                  18h   5c1d7e90a2b34455667788990a1b2c3d  2026-06-02T06:00:00Z  2026-06-01T05:58:00Z
cart-1  proxy  default            Cert Chain  ACTIVE                                                  true                                  18h   5c1d7e90a2b34455667788990a1b2c3d  2026-06-02T06:00:00Z  2026-06-01T05:58:00Z
cart-1  proxy  ROOTCA             CA          ACTIVE                                                  true                                  8y    32000000                          2034-12-30T00:00:00Z  2025-01-01T00:00:00Z
cart-2  -      -                  -           no secrets
"
`)
})

test('secrets list: the roots of each side are folded by themselves', async () => {
  const {text} = await renderText(
    'table',
    secretListView,
    runOf([listItem('a', [...bundle('agent'), ...bundle('proxy')])]),
  )

  expect(text).toMatchInlineSnapshot(`
"POD  SIDE   RESOURCE NAME  TYPE  STATE            VALID CERT  LEFT  SERIAL NUMBER  NOT AFTER             NOT BEFORE
a    agent  ROOTCA         CA    ACTIVE: 6 roots  true        8y    -              2034-12-30T00:00:00Z  -
a    proxy  ROOTCA         CA    ACTIVE: 6 roots  true        8y    -              2034-12-30T00:00:00Z  -
"
`)
})
