import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {afterEach, expect, test} from '@jest/globals'
import {z} from 'zod'
import type {ConnectionOptions} from '../../../src/lib/cluster/login/connection-options.ts'
import {findKubeconfigFiles} from '../../../src/lib/cluster/login/kubeconfig-files.ts'
import {loadKubeconfig} from '../../../src/lib/cluster/login/kubeconfig.ts'
import {resolveLogins, type Login} from '../../../src/lib/cluster/login/login.ts'
import {openSessions} from '../../../src/lib/cluster/connect/open-sessions.ts'
import {Ends, fixture, makeDeps, makeOptions, readFixture, thrownBy} from './scripted-server.ts'

const ends = new Ends()
afterEach(() => ends.run())

const TWO = `
current-context: a
clusters:
- {name: one, cluster: {server: "https://one.test:6443", certificate-authority-data: Q0E=, tls-server-name: one.internal}}
- {name: two, cluster: {server: "https://two.test", proxy-url: "http://proxy.test:3128"}}
users:
- {name: ann, user: {token: token-ann, as: root, as-groups: [g1]}}
- {name: bob, user: {tokenFile: secrets/bob, client-certificate: bob.pem, client-key: /keys/bob.pem}}
contexts:
- {name: a, context: {cluster: one, user: ann, namespace: shop}}
- {name: b, context: {cluster: two, user: bob}}
- {name: lost, context: {cluster: gone, user: ann}}
- {name: stranger, context: {cluster: one, user: nobody}}
`

function write(text: string): string {
  const file = path.join(ends.folder(), 'config')
  writeFileSync(file, text)
  return file
}

function logins(options: Partial<ConnectionOptions>): readonly Login[] {
  const all = makeOptions(options)
  return resolveLogins(loadKubeconfig(all), all, makeDeps({serviceAccountDir: '/nowhere'}))
}

const CASES = z
  .array(
    z
      .object({
        platform: z.enum(['linux', 'win32']),
        existing: z.array(z.string()).optional(),
        expect: z.array(z.string()),
      })
      .catchall(z.string()),
  )
  .parse(JSON.parse(readFixture('kubeconfig/kubeconfig-lists.json')))

test.each(CASES)(
  'the kubeconfig files of $platform are found: $expect',
  ({platform, existing, expect: expected, ...env}) => {
    const files = findKubeconfigFiles(
      {env, platform, homeDir: '', cwd: platform === 'win32' ? 'C:\\' : '/'},
      (file) => existing?.includes(file) ?? false,
    )

    expect(files).toEqual({paths: expected, required: false})
  },
)

test('a flag for the kubeconfig wins over the environment, and its file must be there', () => {
  const kubeconfig = path.join(ends.folder(), 'none')

  const run = () => logins({kubeconfig, env: {KUBECONFIG: '/k/a.yaml'}})

  expect(run).toThrow(`Cannot read the kubeconfig ${kubeconfig}: there is no such file`)
})

test('in a list of kubeconfigs the first value wins and missing files are passed over', () => {
  const first = write('current-context: b\nusers: [{name: bob, user: {token: token-first}}]')
  const second = write(TWO)

  const [login] = logins({env: {KUBECONFIG: ['/nowhere/config', first, second].join(':')}})

  expect(login).toMatchObject({context: 'b', user: {token: 'token-first'}, cluster: {server: 'https://two.test'}})
})

test('file names are relative to the kubeconfig that holds them', () => {
  const kubeconfig = write(TWO)

  const [login] = logins({kubeconfig, contexts: ['b']})

  expect(login?.user).toMatchObject({
    tokenFile: path.join(path.dirname(kubeconfig), 'secrets/bob'),
    certFile: path.join(path.dirname(kubeconfig), 'bob.pem'),
    keyFile: '/keys/bob.pem',
  })
})

test('several contexts come in the order given, each once, with their own namespaces', () => {
  const kubeconfig = write(TWO)

  const all = logins({kubeconfig, contexts: ['b', 'a', 'b']})

  expect(all.map(({context, namespace}) => [context, namespace])).toEqual([
    ['b', 'default'],
    ['a', 'shop'],
  ])
})

test('flags lie over the context: server, trust, token and impersonation', () => {
  const kubeconfig = write(TWO)

  const [login] = logins({
    kubeconfig,
    contexts: ['b'],
    server: 'https://flag.test',
    certificateAuthority: 'ca.pem',
    cwd: '/home/dev',
    token: 'token-flag',
    as: 'sue',
    asGroups: ['dev'],
    asUid: '7',
  })

  expect(login?.server.href).toBe('https://flag.test/')
  expect(login?.cluster).toMatchObject({caFile: '/home/dev/ca.pem', proxyUrl: 'http://proxy.test:3128'})
  expect(login?.user).toMatchObject({token: 'token-flag', as: 'sue', asGroups: ['dev'], asUid: '7'})
  expect(login?.user.tokenFile).toBeUndefined()
})

test('a server by flag takes the server name of the kubeconfig away, and skipping verification its CA', () => {
  const kubeconfig = write(TWO)

  const [login] = logins({kubeconfig, server: 'https://flag.test', insecureSkipTlsVerify: true})

  expect(login?.cluster).toEqual({server: 'https://flag.test', skipTlsVerify: true})
})

test('a server alone needs no kubeconfig', () => {
  const [login] = logins({server: 'https://flag.test:8443', token: 'token-flag'})

  expect(login).toMatchObject({context: 'flag.test:8443', namespace: 'default', user: {token: 'token-flag'}})
})

test('an IPv6 server keeps its brackets', async () => {
  const options = makeOptions({kubeconfig: fixture('kubeconfig/ipv6.yaml')})

  const [session] = await openSessions(options, makeDeps())

  expect(session?.server).toBe('https://[fd00:1::1]:6443')
})

test('inside a cluster without a kubeconfig the service account is used', () => {
  const folder = ends.folder()
  mkdirSync(folder, {recursive: true})
  writeFileSync(path.join(folder, 'token'), 'token-pod')
  writeFileSync(path.join(folder, 'namespace'), 'shop')
  writeFileSync(path.join(folder, 'ca.crt'), 'CA')
  const options = makeOptions({env: {KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443'}})

  const [login] = resolveLogins(loadKubeconfig(options), options, makeDeps({serviceAccountDir: folder}))

  expect(login).toMatchObject({
    context: 'in-cluster',
    namespace: 'shop',
    cluster: {caFile: path.join(folder, 'ca.crt')},
    user: {tokenFile: path.join(folder, 'token')},
  })
  expect(login?.server.host).toBe('[fd00::1]')
})

test.each([
  [
    {contexts: ['c']},
    4,
    'unknown-context',
    'Context c does not exist in the kubeconfig',
    'Known contexts: a, b, lost, stranger',
  ],
  [
    {contexts: ['lost']},
    4,
    'unknown-cluster',
    'Cluster gone does not exist in the kubeconfig',
    'Known clusters: one, two',
  ],
  [
    {contexts: ['stranger']},
    4,
    'unknown-user',
    'User nobody does not exist in the kubeconfig',
    'Known users: ann, bob',
  ],
  [
    {contexts: ['a', 'b'], server: 'https://x'},
    2,
    'usage',
    'Several --context and one --server contradict each other',
    undefined,
  ],
  [
    {asGroups: ['dev']},
    2,
    'usage',
    'Flags --as-group and --as-uid need --as: a group alone cannot be impersonated',
    undefined,
  ],
  [{server: 'ftp://user:pw@x'}, 4, 'bad-server', 'Server address ftp://x is no http or https URL', undefined],
])('connection flags %j end the run with %d', (options, exit, code, message, hint) => {
  const kubeconfig = write(TWO)

  let error: unknown
  try {
    logins({kubeconfig, ...options})
  } catch (thrown) {
    error = thrown
  }

  expect(error).toMatchObject({name: 'RunError', exit, code, message, hints: hint === undefined ? [] : [hint]})
})

test('without any kubeconfig there is no cluster', () => {
  expect(() => logins({homeDir: '/nobody', env: {}})).toThrow(
    'No cluster is configured: looked in /nobody/.kube/config',
  )
})

test('a kubeconfig without a current context wants one to be chosen', () => {
  const kubeconfig = write(TWO.replace('current-context: a', ''))

  const run = () => logins({kubeconfig})

  expect(run).toThrow('No context is chosen: the kubeconfig has no current-context')
})

test('a kubeconfig that is no YAML says where, and repeats nothing of it', () => {
  const kubeconfig = write('users:\n- name: u\n  user: {token: token-secret\nclusters: ]')

  const run = () => logins({kubeconfig})

  expect(run).toThrow(new RegExp(`^Cannot read the kubeconfig ${kubeconfig}: it is not valid YAML \\(line \\d\\)$`))
})

test.each([
  ['users: 7\ncontexts: [null, 3, {name: null}]\nclusters: {}', 'no-cluster'],
  ['just text', 'bad-kubeconfig'],
  ['', 'no-cluster'],
])('odd kubeconfig %j is an error in words', (text, code) => {
  const kubeconfig = write(text)

  let error: unknown
  try {
    logins({kubeconfig})
  } catch (thrown) {
    error = thrown
  }

  expect(error).toMatchObject({name: 'RunError', exit: 4, code})
})

test('a client certificate that is no PEM ends the run before anything is dialled', async () => {
  const kubeconfig = write(TWO.replace('token: token-ann', 'client-certificate-data: QUJD, client-key-data: c2VjcmV0'))

  const error = await thrownBy(openSessions(makeOptions({kubeconfig}), makeDeps()))

  expect(error).toMatchObject({exit: 4, code: 'bad-kubeconfig'})
  expect(String(error)).not.toMatch(/c2VjcmV0|secret/)
})
