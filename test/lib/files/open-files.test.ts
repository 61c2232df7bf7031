import {utimesSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {expect, test} from '@jest/globals'
import {ProbeError, RunError} from '../../../src/lib/domain/failure.ts'
import {parseFileArgument} from '../../../src/lib/files/file-argument.ts'
import {parseTarget} from '../../../src/lib/cluster/list/targets.ts'
import {everything, fixture, NOW, open, pieces, pods, readPart, type ReadPart, said, Scratch} from './file-set.ts'

const CART = 'shop/cart-7d9f6c5b8-x2k4q'

async function partsOf(set: Awaited<ReturnType<typeof open>>, namespace: string, name: string): Promise<ReadPart[]> {
  const read: ReadPart[] = []
  for (const answer of set.answersFor({namespace, name})) {
    for await (const part of (await answer()).parts) read.push(await readPart(part))
  }
  return read
}

const configMap = async (namespace = 'shop'): Promise<string> =>
  JSON.stringify({
    apiVersion: 'v1',
    data: {'root-cert.pem': await readFile(fixture('root-cert.pem'), 'utf8')},
    kind: 'ConfigMap',
    metadata: {name: 'istio-ca-root-cert', namespace},
  })

test.each([
  ['cart.json', {path: 'cart.json'}],
  ['-', {path: '-'}],
  ['agent=cert.pem', {side: 'agent', path: 'cert.pem'}],
  ['proxy=a=b.pem', {side: 'proxy', path: 'a=b.pem'}],
  ['agent=-', {side: 'agent', path: '-'}],
  ['other=cert.pem', {path: 'other=cert.pem'}],
  ['./agent=cert.pem', {path: './agent=cert.pem'}],
])('%s is an argument', (text, expected) => {
  expect(parseFileArgument(text)).toEqual(expected)
})

test.each(['', 'agent=', 'proxy='])('%p names no file', (text) => {
  expect(() => parseFileArgument(text)).toThrow(RunError)
})

test.each([
  ['app-1.whole.json', 'envoy-config-dump proxy'],
  ['masked.json', 'envoy-config-dump proxy'],
  ['resource.json', 'envoy-config-dump proxy'],
  ['configs_null.json', 'envoy-config-dump proxy'],
  ['empty_object.json', 'envoy-config-dump proxy'],
  ['secrets_section.json', 'envoy-config-dump proxy'],
  ['istioctl_pc_secret.json', 'envoy-config-dump proxy'],
  ['exec-stdout.txt', 'envoy-config-dump proxy'],
  ['exec-after.txt', 'envoy-config-dump proxy'],
  ['cut_in_base64.json', 'envoy-config-dump proxy'],
  ['envoy-500.txt', 'envoy-config-dump proxy'],
  ['400_mask.txt', 'envoy-config-dump proxy'],
  ['404_path.txt', 'envoy-config-dump proxy'],
  ['404_empty.txt', 'envoy-config-dump proxy'],
  ['503_plain.txt', 'envoy-config-dump proxy'],
  ['502_html.txt', 'envoy-config-dump proxy'],
  ['certs.json', 'envoy-certs proxy'],
  ['app-1.certs.json', 'envoy-certs proxy'],
  ['certs-none.json', 'envoy-certs proxy'],
  ['ztunnel.json', 'ztunnel-config-dump proxy'],
  ['ztunnel-old.json', 'ztunnel-config-dump proxy'],
  ['ztunnel-blank.json', 'ztunnel-config-dump proxy'],
  ['ztunnel-empty.json', 'ztunnel-config-dump proxy'],
  ['cart.agent.json', 'node-agent-debug agent'],
  ['clients_null.json', 'node-agent-debug agent'],
  ['agent-500.txt', 'node-agent-debug agent'],
  ['agent_metrics.txt', 'agent-metrics agent'],
  ['agent=cert-chain.pem', 'agent-files agent'],
  ['proxy=root-cert.pem', 'agent-files proxy'],
  ['agent=wide.pem', 'agent-files agent'],
  ['agent=latin1-preamble.pem', 'agent-files agent'],
  ['agent=empty_object.json', 'node-agent-debug agent'],
  ['agent=404_empty.txt', 'node-agent-debug agent'],
])('%s is %s', async (argument, expected) => {
  const {side, path} = parseFileArgument(argument)
  const set = await open([`${side === undefined ? '' : `${side}=`}${fixture(path)}`])

  const [pod = ''] = await pods(set)

  expect(await said(set, pod)).toEqual([`${expected}: ${path}`])
})

test('a Kubernetes ConfigMap of the roots is the published root', async () => {
  using scratch = new Scratch()
  const set = await open([
    scratch.write('cart-1.json', '{"configs": []}'),
    scratch.write('root.json', await configMap()),
  ])

  expect(await everything(set)).toEqual({
    'default/cart-1': ['envoy-config-dump proxy: cart-1.json', 'published-root agent: root.json'],
  })
})

test('a certificate in DER is certificates', async () => {
  using scratch = new Scratch()
  const pem = await readFile(fixture('root-cert.pem'), 'utf8')
  const der = Buffer.from(pem.split('\n').slice(1, -2).join(''), 'base64')

  const set = await open([`agent=${scratch.write('root.der', der)}`])

  expect(await everything(set)).toEqual({'default/root': ['agent-files agent: root.der']})
})

test.each([
  ['istiod-syncz.json', 'bad-payload', /JSON list/],
  ['pod.json', 'bad-payload', /Kubernetes Pod/],
  ['headers.txt', 'empty-answer', /is empty/],
  ['empty.json', 'empty-answer', /is empty/],
])('%s is no answer, and the run ends if there is nothing else: %s', async (name, code, message) => {
  await expect(open([fixture(name)])).rejects.toMatchObject({exit: 4, code, message: expect.stringMatching(message)})
})

test.each([
  ['text', 'hello\nworld\n', 'text that begins "hello"'],
  ['HTML', '<html><body>no</body></html>', 'an HTML page'],
  ['other JSON', '{"a":1,"b":2}', 'JSON with the keys a, b'],
  ['garbage', Buffer.from([1, 0, 2, 0, 0, 3]), 'binary data'],
  ['UTF-16', Buffer.from('\ufeff{"configs":[]}', 'utf16le'), 'UTF-16'],
  ['a secret', JSON.stringify({kind: 'Secret', metadata: {name: 'edge'}}), 'a Kubernetes Secret called edge'],
])('%s is said to be what it is', async (_, content, expected) => {
  using scratch = new Scratch()

  await expect(open([scratch.write('x.bin', content)])).rejects.toMatchObject({
    exit: 4,
    code: 'bad-payload',
    message: expect.stringMatching(new RegExp(`^Cannot read .*x\\.bin: .*${expected}`)),
  })
})

test('files that cannot be read are said one by one, where none can', async () => {
  using scratch = new Scratch()
  const nowhere = `${scratch.path}/nowhere.json`

  const opening = open([nowhere, scratch.path])

  await expect(opening).rejects.toMatchObject({
    exit: 4,
    code: 'file-unreadable',
    message: `Cannot read ${nowhere}: there is no such file`,
    hints: [expect.stringMatching('path'), `Cannot read ${scratch.path}: it is a directory`],
  })
})

test('a file that cannot be used is a failure of the one pod that is named, on the other side', async () => {
  using scratch = new Scratch()
  const bad = [`${scratch.path}/gone.json`, scratch.path, scratch.write('void.json', ' \n')]

  const set = await open([fixture('cart.config_dump.json'), ...bad])

  const [dump, ...failures] = (await everything(set))[CART] ?? []
  expect(dump).toBe('envoy-config-dump proxy: cart.config_dump.json')
  expect(failures.map((line) => line.split(':')[0])).toEqual([
    'file-unreadable agent',
    'file-unreadable agent',
    'empty-answer agent',
  ])
})

test('the failure of a file whose side was said is of that side, and names the route', async () => {
  const set = await open([fixture('cart.config_dump.json'), `proxy=${fixture('nowhere.pem')}`])

  const [, failing] = set.answersFor({namespace: 'shop', name: 'cart-7d9f6c5b8-x2k4q'})

  await expect(failing?.()).rejects.toMatchObject({
    failure: {side: 'proxy', route: 'file', stage: 'fetch', code: 'file-unreadable', hint: expect.any(String)},
  })
})

test('both sides of a pod meet by the name in their contents', async () => {
  const set = await open([fixture('cart.config_dump.json'), fixture('cart.agent.json')])

  expect(await everything(set)).toEqual({
    [CART]: ['envoy-config-dump proxy: cart.config_dump.json', 'node-agent-debug agent: cart.agent.json'],
  })
})

test('files that name no pod join the one that another names', async () => {
  const files = [
    'app-1.whole.json',
    'agent_metrics.txt',
    'app-1.certs.json',
    'agent=cert-chain.pem',
    'agent=root-cert.pem',
  ]

  const set = await open(files.map((name) => name.replace(/[^=]+$/, (path) => fixture(path))))

  expect(await everything(set)).toEqual({
    'demo/app-1': [
      'envoy-config-dump proxy: app-1.whole.json',
      'agent-metrics agent: agent_metrics.txt',
      'envoy-certs proxy: app-1.certs.json',
      'agent-files agent: cert-chain.pem, root-cert.pem',
    ],
  })
})

test('where no file names a pod and each is of another source, all are of one pod', async () => {
  const set = await open([fixture('masked.json'), fixture('agent_metrics.txt')])

  expect(await everything(set)).toEqual({
    'default/masked': ['envoy-config-dump proxy: masked.json', 'agent-metrics agent: agent_metrics.txt'],
  })
})

test('files of one source go by their base names', async () => {
  using scratch = new Scratch()
  const dump = await readFile(fixture('masked.json'))
  const metrics = await readFile(fixture('agent_metrics.txt'))
  const files = ['b.dump.json', 'b.metrics.txt', 'a.config_dump.json', 'a.agent.txt'].map((name) =>
    scratch.write(name, name.endsWith('json') ? dump : metrics),
  )

  const set = await open([...files, `${scratch.path}/a.certs.json`], {selection: {namespaces: ['shop']}})

  expect(await everything(set)).toEqual({
    'shop/a': [
      'envoy-config-dump proxy: a.config_dump.json',
      'agent-metrics agent: a.agent.txt',
      'file-unreadable either: Cannot read a.certs.json: there is no such file',
    ],
    'shop/b': ['envoy-config-dump proxy: b.dump.json', 'agent-metrics agent: b.metrics.txt'],
  })
})

test('where two pods are named, a base name finds the pod of that name', async () => {
  using scratch = new Scratch()
  const metrics = await readFile(fixture('agent_metrics.txt'))
  const other = scratch.write('app-1.metrics.txt', metrics)

  const set = await open([fixture('app-1.whole.json'), fixture('cart.config_dump.json'), other])

  expect(await everything(set)).toEqual({
    'demo/app-1': ['envoy-config-dump proxy: app-1.whole.json', 'agent-metrics agent: app-1.metrics.txt'],
    [CART]: ['envoy-config-dump proxy: cart.config_dump.json'],
  })
})

test('files that name no pod are of the one TARGET', async () => {
  const files = [fixture('masked.json'), fixture('resource.json'), fixture('agent_metrics.txt')]

  const byName = await open(files, {selection: {targets: [parseTarget('cart-1')], namespaces: ['shop']}})
  const byBoth = await open(files, {selection: {targets: [parseTarget('cart-1.shop')]}})

  const expected = {
    'shop/cart-1': ['envoy-config-dump proxy: masked.json, resource.json', 'agent-metrics agent: agent_metrics.txt'],
  }
  expect(await everything(byName)).toEqual(expected)
  expect(await everything(byBoth)).toEqual(expected)
})

/** A client of a node agent, long enough that a few fill more than a head. */
const client = (pod: string): object => ({
  proxy: `sidecar~10.0.0.7~${pod}.shop~shop.svc.cluster.local`,
  resource_name: 'default',
  certificate_chain: 'x'.repeat(100_000),
})

test('a node agent speaks for each of its proxies, also those that it names last', async () => {
  using scratch = new Scratch()
  const clients = ['c', 'a.1', 'b', 'd', 'e', 'c'].map(client)
  const noise = 'a line before\n'

  const set = await open([scratch.write('node.json', noise + JSON.stringify({clients}, null, 1))])

  expect(await pods(set)).toEqual(['shop/a.1', 'shop/b', 'shop/c', 'shop/d', 'shop/e'])
  expect(await said(set, 'shop/e')).toEqual(['node-agent-debug agent: node.json'])
})

test('an empty answer is of the side that its neighbour is not', async () => {
  const withProxy = await open([fixture('cart.config_dump.json'), fixture('empty_object.json')])
  const withAgent = await open([fixture('cart.agent.json'), fixture('404_empty.txt')])

  expect((await everything(withProxy))[CART]).toContain('node-agent-debug agent: empty_object.json')
  expect((await everything(withAgent))[CART]).toContain('envoy-config-dump proxy: 404_empty.txt')
})

test('published roots are a reference for every pod, or for those of their namespace', async () => {
  using scratch = new Scratch()
  const shop = scratch.write('shop.json', await configMap('shop'))
  const demo = scratch.write('demo.json', await configMap('demo'))
  const dumps = [fixture('app-1.whole.json'), fixture('cart.config_dump.json')]

  const one = await everything(await open([...dumps, shop]))
  const two = await everything(await open([...dumps, shop, demo]))

  expect(one['demo/app-1']).toContain('published-root agent: shop.json')
  expect(one[CART]).toContain('published-root agent: shop.json')
  expect(two['demo/app-1']).toEqual(['envoy-config-dump proxy: app-1.whole.json', 'published-root agent: demo.json'])
  expect(two[CART]).toEqual(['envoy-config-dump proxy: cart.config_dump.json', 'published-root agent: shop.json'])
})

test('certificates need a side, and nothing else may contradict one', async () => {
  await expect(open([fixture('wide.pem')])).rejects.toMatchObject({
    exit: 2,
    message: expect.stringMatching('whose certificates'),
    hints: [expect.stringMatching(/agent=.*wide\.pem/)],
  })
  await expect(open([`agent=${fixture('masked.json')}`])).rejects.toMatchObject({
    exit: 2,
    message: expect.stringMatching("it is Envoy's config_dump, which is of the proxy"),
  })
})

test('a whole dump says what its pod is', async () => {
  const set = await open([fixture('app-1.whole.json')])

  for await (const page of set.pages(undefined, new AbortController().signal)) {
    expect(page).toMatchObject({place: {context: 0, query: 0}, consistent: true})
    expect(page.pods).toMatchObject([
      {
        namespace: 'demo',
        name: 'app-1',
        phase: 'Running',
        node: 'node-a',
        serviceAccount: 'app',
        ips: ['10.244.0.2'],
        labels: {app: 'app', version: 'v1'},
      },
    ])
  }
  expect(set.agentOf({namespace: 'demo', name: 'app-1'})).toMatchObject({
    kind: 'istio-sidecar',
    because: 'node id sidecar~10.244.0.2~app-1.demo~demo.svc.cluster.local',
    dialect: 'envoy',
    version: '1.31-alpha.eed52ebb66ad',
    revision: 'default',
  })
  expect(set.agentOf({namespace: 'demo', name: 'other'})).toBeUndefined()
  expect(set.answersFor({namespace: 'demo', name: 'other'})).toEqual([])
})

test('a node agent that names the pod too takes nothing from what its dump says', async () => {
  using scratch = new Scratch()
  const proxy = 'sidecar~10.244.0.2~app-1.demo~demo.svc.cluster.local'
  const agent = scratch.write('agent.json', JSON.stringify({clients: [{proxy}]}))

  for (const files of [
    [agent, fixture('app-1.whole.json')],
    [fixture('app-1.whole.json'), agent],
  ]) {
    const set = await open(files)

    expect(set.agentOf({namespace: 'demo', name: 'app-1'})).toMatchObject({version: '1.31-alpha.eed52ebb66ad'})
  }
})

test.each([
  ['router', 'istio-gateway', 'envoy'],
  ['waypoint', 'istio-waypoint', 'envoy'],
  ['ztunnel', 'istio-ztunnel', 'ztunnel'],
  ['agentgateway', 'istio-sidecar', 'envoy'],
])('a node of type %s is %s', async (type, kind, dialect) => {
  using scratch = new Scratch()
  const id = `${type}~10.0.0.9~edge-1.gateways~gateways.svc.cluster.local`
  const dump = {
    configs: [{'@type': 'type.googleapis.com/envoy.admin.v2alpha.BootstrapConfigDump', bootstrap: {node: {id}}}],
  }

  const set = await open([scratch.write('edge.json', JSON.stringify(dump))])

  expect(await pods(set)).toEqual(['gateways/edge-1'])
  expect(set.agentOf({namespace: 'gateways', name: 'edge-1'})).toMatchObject({kind, dialect})
})

test("a ztunnel's dump is of a ztunnel", async () => {
  const set = await open([fixture('ztunnel.json')])

  expect(set.agentOf({namespace: 'default', name: 'ztunnel'})).toMatchObject({
    kind: 'istio-ztunnel',
    dialect: 'ztunnel',
  })
})

test('a saved HTTP answer gives its status and date, and its head is not in the body', async () => {
  using scratch = new Scratch()
  const head = await readFile(fixture('headers.txt'), 'utf8')
  const body = await readFile(fixture('skewed.config_dump.json'), 'utf8')

  for (const lines of [
    head,
    head.replaceAll('\r\n', '\n'),
    `HTTP/1.1 100 Continue\r\n\r\n${head}`,
    `HTTP/1.0 200 Connection established\r\n\r\n${head}`,
  ]) {
    const set = await open([scratch.write('skewed.http', lines + body)])
    const [part] = await partsOf(set, 'shop', 'cart-7d9f6c5b8-x2k4q')

    expect(part).toMatchObject({
      status: 200,
      dateMs: Date.parse('2026-06-01T00:00:25Z'),
      contentType: 'application/json',
    })
    expect(JSON.parse(part?.text ?? '')).toMatchObject({configs: expect.any(Array)})
  }
})

test('a saved refusal keeps its status and text', async () => {
  const set = await open([fixture('404_path.txt')])

  const [part] = await partsOf(set, 'default', '404_path')

  expect(part).toMatchObject({status: 404, contentType: 'text/plain; charset=UTF-8'})
  expect(part?.text).toMatch(/^invalid path/)
})

test('a saved answer that is shorter than its head says is cut off', async () => {
  using scratch = new Scratch()
  const path = scratch.write('cut.http', 'HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{"configs":[]}\n')
  const encoded = scratch.write(
    'gzip.http',
    'HTTP/1.1 200 OK\ncontent-encoding: gzip\ncontent-length: 5000\n\n{"configs":[]}\n',
  )

  await expect(open([path])).rejects.toMatchObject({
    code: 'cut-off',
    message: expect.stringMatching('15 of 5000 bytes'),
  })
  expect(await pods(await open([encoded]))).toEqual(['default/gzip'])
})

test('a file counts from its modification time', async () => {
  using scratch = new Scratch()
  const path = scratch.write('m.txt', await readFile(fixture('agent_metrics.txt')))
  utimesSync(path, new Date(NOW), new Date(NOW - 60_000))

  const [part] = await partsOf(await open([path]), 'default', 'm')

  expect(part).toMatchObject({status: 200, receivedMs: NOW - 60_000, path})
  expect(part).not.toHaveProperty('dateMs')
})

test('standard input is read once, and may be answered with again and again', async () => {
  const body = await readFile(fixture('cart.config_dump.json'))

  const set = await open(['-'], {stdin: pieces([body.subarray(0, 100), body.subarray(100)])})

  const first = await partsOf(set, 'shop', 'cart-7d9f6c5b8-x2k4q')
  const second = await partsOf(set, 'shop', 'cart-7d9f6c5b8-x2k4q')
  expect(first).toMatchObject([{path: 'standard input', receivedMs: NOW, status: 200}])
  expect(second.map(({text}) => text)).toEqual(first.map(({text}) => text))
  expect(JSON.parse(first[0]?.text ?? '')).toMatchObject({configs: expect.any(Array)})
})

test('standard input that names no pod goes by a name of its own', async () => {
  const set = await open(['agent=-'], {stdin: pieces([await readFile(fixture('cert-chain.pem'))])})

  expect(await everything(set)).toEqual({'default/stdin': ['agent-files agent: standard input']})
})

test('standard input can be given once', async () => {
  await expect(open(['-', 'agent=-'])).rejects.toMatchObject({exit: 2})
})

test('an interrupted wait for standard input ends', async () => {
  const interrupt = new AbortController()
  const stdin = (async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"configs":')
    interrupt.abort(new Error('interrupted'))
    await new Promise<never>(() => undefined)
  })()

  await expect(open(['-'], {stdin, signal: interrupt.signal})).rejects.toThrow('interrupted')
})

test('no key comes out of a file, nor out of standard input', async () => {
  using scratch = new Scratch()
  const key = `-----BEGIN PRIVATE KEY-----\n${'QUJD'.repeat(16)}\n-----END PRIVATE KEY-----\n`
  const pem = (await readFile(fixture('cert-chain.pem'), 'utf8')) + key
  const path = scratch.write('both.pem', `HTTP/1.1 200 OK\n\n${pem}`)

  const [fromFile] = await partsOf(await open([`agent=${path}`]), 'default', 'both')
  const [fromInput] = await partsOf(await open(['agent=-'], {stdin: pieces([pem])}), 'default', 'stdin')

  for (const part of [fromFile, fromInput]) {
    expect(part?.text).toMatch(/BEGIN CERTIFICATE[^]*REMOVED A PRIVATE KEY/)
    expect(part?.text).not.toMatch('QUJDQUJD')
  }
})

test('a file that goes away after it was told apart is a failure of its body', async () => {
  const scratch = new Scratch()
  const set = await open([scratch.write('m.json', '{"configs":[]}')])
  scratch[Symbol.dispose]()

  await expect(partsOf(set, 'default', 'm')).rejects.toMatchObject({failure: {code: 'file-unreadable'}})
})

test('a resumed listing gives what comes after its place', async () => {
  const set = await open([fixture('app-1.whole.json'), fixture('cart.config_dump.json')])
  const from = {context: 0, query: 0, after: {namespace: 'demo', name: 'app-1'}}

  const names: string[] = []
  for await (const page of set.pages(from, new AbortController().signal)) names.push(...page.pods.map(({name}) => name))

  expect(names).toEqual(['cart-7d9f6c5b8-x2k4q'])
})

const TWO = [fixture('app-1.whole.json'), fixture('cart.config_dump.json')]

test.each([
  ['-n', {namespaces: ['demo']}, ['demo/app-1']],
  ['several -n', {namespaces: ['demo', 'shop']}, ['demo/app-1', CART]],
  ['-A', {namespaces: 'all' as const}, ['demo/app-1', CART]],
  ['a TARGET', {targets: [parseTarget('app-1')]}, ['demo/app-1']],
  ['a TARGET with its namespace', {targets: [parseTarget('app-1.demo')]}, ['demo/app-1']],
  ['two TARGETs', {targets: [parseTarget('app-1'), parseTarget('cart-7d9f6c5b8-x2k4q')]}, ['demo/app-1', CART]],
  ['a TARGET elsewhere', {targets: [parseTarget('app-1.demo')], namespaces: ['shop']}, ['demo/app-1']],
])('%s selects among the pods that files name', async (_, selection, expected) => {
  expect(await pods(await open(TWO, {selection}))).toEqual(expected)
})

test('a workload is known where a dump names it', async () => {
  using scratch = new Scratch()
  const node = {
    id: 'sidecar~10.0.0.9~cart-1.shop~shop.svc.cluster.local',
    metadata: {OWNER: 'kubernetes://apis/apps/v1/namespaces/shop/deployments/cart'},
  }
  const path = scratch.write('cart.json', JSON.stringify({configs: [{bootstrap: {node}}]}))

  const owned = await open([path, ...TWO], {selection: {targets: [parseTarget('deploy/cart')]}})
  const elsewhere = await open([path, ...TWO], {selection: {targets: [parseTarget('deploy/cart.shop')]}})

  expect(await pods(owned)).toEqual(['shop/cart-1'])
  expect(await pods(elsewhere)).toEqual(['shop/cart-1'])
  await expect(open([path], {selection: {targets: [parseTarget('sts/cart')]}})).rejects.toMatchObject({exit: 4})
})

test('a TARGET that no file speaks for is said: at once if it is the only one, else after the others', async () => {
  const gone = [parseTarget('app-1'), parseTarget('gone')]

  const set = await open(TWO, {selection: {targets: gone}})

  const seen: string[] = []
  const walk = async (): Promise<void> => {
    for await (const page of set.pages(undefined, new AbortController().signal))
      seen.push(...page.pods.map(({name}) => name))
  }
  await expect(walk()).rejects.toBeInstanceOf(ProbeError)
  expect(seen).toEqual(['app-1'])
  await expect(open(TWO, {selection: {targets: [parseTarget('gone')]}})).rejects.toMatchObject({
    exit: 4,
    code: 'not-found',
    hints: [expect.stringMatching('demo/app-1')],
  })
})

test.each([
  ['app=app', ['demo/app-1', CART]],
  ['app in (app, web),version=v1', ['demo/app-1', CART]],
  ['app!=app', [CART]],
  ['app notin (web),!canary,version', ['demo/app-1', CART]],
  ['canary', [CART]],
])('-l %s selects by the labels in a dump, and keeps what says none', async (labelSelector, expected) => {
  const notices: string[] = []

  const set = await open(TWO, {selection: {labelSelector}, notices})

  expect(await pods(set)).toEqual(expected)
  expect(notices).toEqual([`${CART}: -l does not choose among files that do not say the labels of their pod`])
})

test('--node selects where the node is known', async () => {
  expect(await pods(await open(TWO, {selection: {nodes: ['node-b']}}))).toEqual([CART])
  expect(await pods(await open(TWO, {selection: {nodes: ['node-a']}}))).toEqual(['demo/app-1', CART])
})

test.each([
  ['a bad label selector', {labelSelector: 'a=b=c'}],
  ['--field-selector', {fieldSelector: 'status.phase=Running'}],
  ['--container', {container: 'istio-proxy'}],
])('%s is a usage error', async (_, selection) => {
  await expect(open(TWO, {selection})).rejects.toMatchObject({exit: 2})
})
