import {afterEach, expect, test} from '@jest/globals'
import type {Place, PodPage} from '../../../src/lib/domain/access.ts'
import type {Selection} from '../../../src/lib/domain/selection.ts'
import {listPods, type ListPodsOptions} from '../../../src/lib/cluster/list/list-pods.ts'
import type {KubeSession} from '../../../src/lib/cluster/connect/session.ts'
import {
  answerJson,
  Ends,
  never,
  openTestSession,
  readFixture,
  startServer,
  thrownBy,
  type ScriptedServer,
} from './scripted-server.ts'

const ends = new Ends()
afterEach(() => ends.run())

const ALL: Selection = {targets: [], namespaces: [], nodes: [], kinds: []}

const pod = (name: string, namespace = 'shop', node = 'n1'): unknown => ({
  metadata: {name, namespace},
  spec: {nodeName: node},
})

const list = (items: unknown, metadata: unknown = {}): unknown => ({kind: 'PodList', metadata, items})

/** Answers in order; the last one stays. */
async function serve(...answers: readonly (readonly [status: number, body: unknown])[]): Promise<ScriptedServer> {
  return startServer(ends, (_request, response, count) => {
    const [status, body] = answers[Math.min(count, answers.length) - 1] ?? [500, {}]
    answerJson(response, body, status)
  })
}

interface Listed {
  readonly pages: PodPage[]
  readonly names: string[]
  readonly error?: unknown
}

async function collect(
  session: KubeSession,
  selection: Partial<Selection> = {},
  options: Partial<ListPodsOptions> = {},
  from?: Place,
): Promise<Listed> {
  const lister = listPods(session, {...ALL, ...selection}, {chunkSize: 500, contextIndex: 0, ...options})
  const pages: PodPage[] = []
  const names = (): string[] => pages.flatMap((page) => page.pods.map(({namespace, name}) => `${namespace}/${name}`))
  try {
    for await (const page of lister.pages(from, never())) pages.push(page)
  } catch (error) {
    return {pages, names: names(), error}
  }
  return {pages, names: names()}
}

const queries = (server: ScriptedServer): string[] => server.seen.map((seen) => decodeURIComponent(seen.path))

test('pages are asked for one after the other, and say where they begin and what is left', async () => {
  const server = await serve(
    [200, list([pod('a'), pod('b')], {continue: 't1', remainingItemCount: 1})],
    [200, list([pod('c')], {continue: ''})],
  )
  const session = await openTestSession(ends, server.url)

  const {pages, names} = await collect(session, {}, {chunkSize: 2})

  expect(names).toEqual(['shop/a', 'shop/b', 'shop/c'])
  expect(queries(server)).toEqual([
    '/api/v1/namespaces/shop/pods?limit=2',
    '/api/v1/namespaces/shop/pods?limit=2&continue=t1',
  ])
  expect(pages.map(({place, next, remaining, consistent}) => ({place, next, remaining, consistent}))).toEqual([
    {
      place: {context: 0, query: 0},
      next: {context: 0, query: 0, token: 't1', after: {namespace: 'shop', name: 'b'}},
      remaining: 1,
      consistent: true,
    },
    {
      place: {context: 0, query: 0, token: 't1', after: {namespace: 'shop', name: 'b'}},
      next: undefined,
      remaining: undefined,
      consistent: true,
    },
  ])
})

test("selectors and one node are the server's work, several nodes are sorted out here", async () => {
  const server = await serve([200, list([pod('a', 'shop', 'n1'), pod('b', 'shop', 'n2'), pod('c', 'shop', 'n3')])])
  const session = await openTestSession(ends, server.url)

  await collect(session, {
    labelSelector: 'app in (cart, x)',
    fieldSelector: 'status.phase=Running',
    nodes: ['n1', 'n1'],
  })
  const several = await collect(session, {namespaces: 'all', nodes: ['n1', 'n3']})

  expect(several.names).toEqual(['shop/a', 'shop/c'])
  expect(new URL(`http://x${server.seen[0]?.path}`).searchParams.get('labelSelector')).toBe('app in (cart, x)')
  expect(new URL(`http://x${server.seen[0]?.path}`).searchParams.get('fieldSelector')).toBe(
    'status.phase=Running,spec.nodeName=n1',
  )
  expect(queries(server)[1]).toBe('/api/v1/pods?limit=500')
})

test('several namespaces come in the order given, each once, and count no remainder of others', async () => {
  const server = await startServer(ends, (request, response) => {
    const namespace = /namespaces\/([^/]+)/.exec(request.url ?? '')?.[1]
    answerJson(response, list([pod('a', namespace)], {remainingItemCount: 7}))
  })
  const session = await openTestSession(ends, server.url)

  const {pages, names} = await collect(session, {namespaces: ['web', 'shop', 'web']})

  expect(names).toEqual(['web/a', 'shop/a'])
  expect(pages.map(({place, next, remaining}) => [place.query, next?.query, remaining])).toEqual([
    [0, 1, undefined],
    [1, undefined, 7],
  ])
})

test('an empty page with a token goes on; null items and a null token are an end', async () => {
  const server = await serve(
    [200, list([], {continue: 't1'})],
    [200, list([null, pod('a'), {}], {continue: 't2'})],
    [200, list(null, {continue: null})],
  )
  const session = await openTestSession(ends, server.url)

  const {pages, names} = await collect(session)

  expect(names).toEqual(['shop/a'])
  expect(pages).toHaveLength(3)
})

test.each([
  ['at once', ['t1', 't1']],
  ['after a while', ['t1', 't2', 't3', 't1', 't2', 't3', 't1', 't2', 't3', 't1', 't2']],
])('a server whose tokens repeat %s is stopped', async (_when, tokens) => {
  const server = await serve(...tokens.map((token, i) => [200, list([pod(`a${i}`)], {continue: token})] as const))
  const session = await openTestSession(ends, server.url)

  const {error} = await collect(session)

  expect(error).toMatchObject({
    failure: {stage: 'select', message: 'Cannot list pods in shop: the server repeats its continue token'},
  })
})

const expired = (name: string): unknown => JSON.parse(readFixture(`list/expired-token/${name}.json`))

test('an expired token is replaced by the one that the server gives', async () => {
  const server = await serve([200, expired('page1')], [410, expired('page2_410')], [200, expired('rest_inconsistent')])
  const session = await openTestSession(ends, server.url)

  const {pages, names} = await collect(session, {}, {chunkSize: 2})

  expect(names).toEqual(['shop/cart-0', 'shop/cart-1', 'shop/cart-3', 'shop/cart-4'])
  expect(pages.map(({consistent}) => consistent)).toEqual([true, false])
  expect(queries(server)[2]).toContain('continue=dG9rZW4tdHdv')
})

test('an expired token without another begins the list anew, and gives nothing twice', async () => {
  const server = await serve([200, expired('page1')], [410, expired('page2_410_no_token')], [200, expired('restart')])
  const session = await openTestSession(ends, server.url)

  const {pages, names} = await collect(session, {}, {chunkSize: 2})

  expect(names).toEqual(['shop/cart-0', 'shop/cart-1', 'shop/cart-2', 'shop/cart-3', 'shop/cart-4'])
  expect(pages.at(-1)?.consistent).toBe(false)
  expect(queries(server)[2]).toBe('/api/v1/namespaces/shop/pods?limit=2')
})

test('a list that expires three times without a new pod is given up, with the page size to lower', async () => {
  const server = await serve([200, expired('page1')], [410, expired('page2_410')])
  const session = await openTestSession(ends, server.url)

  const {names, error} = await collect(session, {}, {chunkSize: 500})

  expect(names).toEqual(['shop/cart-0', 'shop/cart-1'])
  expect(error).toMatchObject({
    name: 'ProbeError',
    failure: {
      stage: 'select',
      message: 'Cannot list pods in shop: the list kept expiring (410, 3 times)',
      hint: 'Ask for smaller pages: --chunk-size 100',
    },
  })
  expect(server.seen).toHaveLength(4)
})

test('a listing resumes inside a page, and also when its token has expired meanwhile', async () => {
  const place = {context: 0, query: 0, token: 't1', after: {namespace: 'shop', name: 'c'}}
  const good = await serve([200, list([pod('c'), pod('d')])])
  const late = await serve(
    [410, {kind: 'Status'}],
    [200, list([pod('a'), pod('b')], {continue: 'n1'})],
    [200, list([pod('c'), pod('d')])],
  )

  const inside = await collect(await openTestSession(ends, good.url), {}, {}, place)
  const anew = await collect(await openTestSession(ends, late.url), {}, {}, place)

  expect(inside.names).toEqual(['shop/d'])
  expect(inside.pages[0]?.place).toEqual(place)
  expect(anew.names).toEqual(['shop/d'])
  expect(anew.pages.every(({consistent}) => !consistent)).toBe(true)
})

test('list order is that of the store, where a-b comes before a', async () => {
  const place = {context: 0, query: 0, after: {namespace: 'a-b', name: 'x'}}
  const server = await serve([200, list([pod('x', 'a-b'), pod('x', 'a')])])

  const {names} = await collect(await openTestSession(ends, server.url), {namespaces: 'all'}, {}, place)

  expect(names).toEqual(['a/x'])
})

test('a listing resumes in its own namespace and goes on to the next', async () => {
  const server = await startServer(ends, (request, response) => {
    const namespace = /namespaces\/([^/]+)/.exec(request.url ?? '')?.[1]
    answerJson(response, list([pod('a', namespace), pod('b', namespace)]))
  })
  const session = await openTestSession(ends, server.url)
  const place = {context: 0, query: 1, after: {namespace: 'web', name: 'a'}}

  const {names} = await collect(session, {namespaces: ['shop', 'web', 'edge']}, {}, place)

  expect(names).toEqual(['web/b', 'edge/a', 'edge/b'])
})

test('a cursor that points beyond the chosen namespaces is a usage error', async () => {
  const server = await serve([200, list([])])
  const session = await openTestSession(ends, server.url)

  const {error} = await collect(session, {}, {}, {context: 0, query: 3})

  expect(error).toMatchObject({name: 'RunError', exit: 2})
})

test('several clusters set their context on each pod', async () => {
  const server = await serve([200, list([pod('a')])])
  const session = await openTestSession(ends, server.url)

  const {pages} = await collect(session, {}, {contextName: 'prod', contextIndex: 1})

  expect(pages[0]?.pods[0]?.context).toBe('prod')
  expect(pages[0]?.place.context).toBe(1)
})

test('a refused list of the whole cluster names what is missing, and a namespace to ask for', async () => {
  const server = await serve([403, readFixture('list/forbidden/list_all.json')])
  const session = await openTestSession(ends, server.url)

  const {error} = await collect(session, {namespaces: 'all'})

  expect(error).toMatchObject({
    name: 'RunError',
    exit: 4,
    code: 'forbidden',
    message: expect.stringMatching(/^Cannot list pods in the whole cluster: forbidden for user dev@acme\.example/),
    hints: [expect.stringContaining('-n shop')],
  })
})

test.each([
  [
    403,
    'list/forbidden/list_ns.json',
    'stage',
    'forbidden',
    /^Cannot list pods in stage: forbidden for user dev@acme\.example/,
  ],
  [403, '', 'stage', 'forbidden', /^Cannot list pods in stage: 403 without a reason/],
  [503, '', 'stage', 'api-unavailable', /^Cannot list pods in stage: 503/],
  [401, 'list/forbidden/401.json', 'stage', 'unauthorized', /^Cannot log in to /],
] as const)(
  'a first page that is refused with %d (%s) ends the run with 4',
  async (status, file, namespace, code, message) => {
    const server = await serve([status, file === '' ? '' : readFixture(file)])
    const session = await openTestSession(ends, server.url)

    const {error} = await collect(session, {namespaces: [namespace]})

    expect(error).toMatchObject({name: 'RunError', exit: 4, code, message: expect.stringMatching(message)})
  },
)

test.each([
  [
    'users',
    'users "admin" is forbidden: User "ci" cannot impersonate resource "users" in API group "" at the cluster scope',
  ],
  [
    'groups',
    'groups "ops" is forbidden: User "ci" cannot impersonate resource "groups" in API group "" at the cluster scope',
  ],
  [
    'users',
    'pods is forbidden: User "ci" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "shop"',
  ],
])('who may not ask in the name of others is told to have the right on %s, not on pods', async (resource, message) => {
  const server = await serve([403, {kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403, message}])
  const session = await openTestSession(ends, server.url)

  const {error} = await collect(session, {namespaces: 'all'})

  expect(error).toMatchObject({
    code: 'forbidden',
    message: 'Cannot list pods in the whole cluster: user ci may not ask in the name of others',
    hints: [
      `Leave out --as, or ask for impersonate on ${resource}; check with: kubectl auth can-i impersonate ${resource}`,
    ],
  })
})

test('a web page instead of an answer is not shown, whatever its status', async () => {
  const html = '<html>Sign in at https://sso.acme.example</html>'
  const server = await startServer(ends, (_request, response, count) => {
    response.writeHead(count === 1 ? 403 : 200, {'content-type': 'text/html'}).end(html)
  })
  const session = await openTestSession(ends, server.url)

  const errors = [(await collect(session)).error, (await collect(session)).error]

  for (const error of errors) {
    expect(error).toMatchObject({name: 'RunError', exit: 4, code: 'proxy-in-between'})
    expect(String(error)).not.toMatch(/<html>|sso/)
  }
})

test('a selector that the server refuses is a usage error', async () => {
  const server = await serve([400, {kind: 'Status', message: "unable to parse requirement: found '=='"}])
  const session = await openTestSession(ends, server.url)

  const {error} = await collect(session, {labelSelector: 'a==='})

  expect(error).toMatchObject({
    name: 'RunError',
    exit: 2,
    message: "Cannot list pods in shop: unable to parse requirement: found '=='",
  })
})

test('a later page that fails leaves what came before, and says so', async () => {
  const server = await serve([200, list([pod('a')], {continue: 't1'})], [503, ''])
  const session = await openTestSession(ends, server.url)

  const {names, error} = await collect(session)

  expect(names).toEqual(['shop/a'])
  expect(error).toMatchObject({name: 'ProbeError', failure: {stage: 'select', code: 'api-unavailable'}})
})

test('a page that is cut off, empty or no JSON is no empty list', async () => {
  const answers = ['{"items": [', '', '[]']
  const server = await startServer(ends, (_request, response, count) => response.end(answers[count - 1]))
  const session = await openTestSession(ends, server.url)

  const errors = [await collect(session), await collect(session), await collect(session)].map(({error}) => error)

  expect(errors).toMatchObject([{code: 'bad-payload'}, {code: 'empty-answer'}, {code: 'bad-payload'}])
})

test('a namespace that may not be listed does not hide the others, and is reported last', async () => {
  const server = await startServer(ends, (request, response) => {
    if (request.url?.includes('/stage/')) answerJson(response, readFixture('list/forbidden/list_ns.json'), 403)
    else answerJson(response, list([pod('a')]))
  })
  const session = await openTestSession(ends, server.url)

  const {names, error} = await collect(session, {namespaces: ['stage', 'shop']})

  expect(names).toEqual(['shop/a'])
  expect(error).toMatchObject({name: 'ProbeError', failure: {stage: 'select', code: 'forbidden'}})
})

test("a listing that is left by its signal throws the signal's reason", async () => {
  const asked = Promise.withResolvers<void>()
  const server = await startServer(ends, () => asked.resolve())
  const session = await openTestSession(ends, server.url)
  const stop = new AbortController()

  const lister = listPods(session, ALL, {chunkSize: 1, contextIndex: 0})
  const running = thrownBy(lister.pages(undefined, stop.signal)[Symbol.asyncIterator]().next())
  await asked.promise
  stop.abort(new Error('enough'))

  expect(await running).toMatchObject({message: 'enough'})
})
