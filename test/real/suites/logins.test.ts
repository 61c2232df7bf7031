import {mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeAll, beforeEach, describe, expect, test} from '@jest/globals'
import {OUTPUTS} from '../../support/built.ts'
import {agentctl, ask, rowOf} from '../agentctl.ts'
import {writeOwnUser} from '../kubeconfig.ts'
import {tryCommand} from '../run-command.ts'
import {serviceAccountToken} from '../service-account-token.ts'
import {openContext} from '../session.ts'
import {kubectl, site} from '../site.ts'
import {sleep} from '../wait-until.ts'

const DIFF = ['secrets', 'diff', 'cart-1', '-n', 'shop']
const EXPIRES = 'logins-reader'

let folder: string
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  await kubectl.apply([
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: {name: EXPIRES, namespace: 'shop'},
      roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader'},
      subjects: [{kind: 'ServiceAccount', name: 'cart', namespace: 'shop'}],
    },
  ])
})

afterEach(async () => await rm(folder, {recursive: true}))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'real-login-'))
  env = {KUBECONFIG: join(folder, 'config'), PATH: process.env['PATH'] ?? '', HOME: folder}
})

/** A login program that counts how often it was asked, and hands out what stands in a file. */
async function loginProgram(): Promise<object> {
  const script = `#!/bin/sh\necho . >>${folder}/asked\ncat ${folder}/credential\n`
  await writeFile(join(folder, 'login'), script, {mode: 0o755})
  return {apiVersion: 'client.authentication.k8s.io/v1', command: join(folder, 'login'), interactiveMode: 'Never'}
}

async function handOut(status: object): Promise<void> {
  const credential = {apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status}
  await writeFile(join(folder, 'credential'), JSON.stringify(credential))
}

async function timesAsked(): Promise<number> {
  return (await readFile(join(folder, 'asked'), 'utf8')).split('\n').length - 1
}

test.each([
  ['says when', true],
  ['does not say when', false],
])('a token that expires in the middle of a run, of a program that %s, is renewed unnoticed', async (_what, says) => {
  const status = async (): Promise<object> => ({
    token: await serviceAccountToken('cart', 3),
    ...(says && {expirationTimestamp: new Date(Date.now() + 3000).toISOString()}),
  })
  await handOut(await status())
  await writeOwnUser(env['KUBECONFIG']!, {exec: await loginProgram()})
  await using session = await openContext('own', env)

  const statuses: number[] = []
  for (let round = 0; round < 18; round += 1) {
    const {status: code, body} = await session.get('/api/v1/namespaces/shop/pods?limit=1', {
      signal: new AbortController().signal,
    })
    body.resume()
    statuses.push(code)
    await handOut(await status())
    await sleep(1000)
  }

  expect([...new Set(statuses)]).toEqual([200])
  expect(await timesAsked()).toBeGreaterThan(1)
})

describe.each(OUTPUTS)('%s', (_name, output) => {
  test('logs in with a program, once for all that it asks', async () => {
    await handOut({token: 'reader-token'})
    await writeOwnUser(env['KUBECONFIG']!, {exec: await loginProgram()})

    const answer = await ask(output, DIFF, env)

    expect(rowOf(answer, 'default').result).toBe('MATCH')
    expect(await timesAsked()).toBe(1)
  })

  test.each([
    ['one that the server has never given out', async () => 'never-given'],
    ['one that has expired', async () => await serviceAccountToken('cart', -30)],
  ])('a token is refused as the login, and not shown: %s', async (_what, token) => {
    const value = await token()
    await writeOwnUser(env['KUBECONFIG']!, {token: value})

    const {stdout, stderr, code} = await agentctl(output, [...DIFF, '-v', '-v'], env)

    expect(stdout).toBe('')
    expect(stderr).toContain('the login of user own has expired or is not accepted (401)')
    expect(stderr).not.toContain(value)
    expect(code).toBe(4)
  })

  test('a login program that fails is named with what it said', async () => {
    await writeOwnUser(env['KUBECONFIG']!, {
      exec: {...(await loginProgram()), command: 'sh', args: ['-c', 'echo the card is not in the reader >&2; exit 7']},
    })

    const {stderr, code} = await agentctl(output, DIFF, env)

    expect(stderr).toContain('the card is not in the reader')
    expect(code).toBe(4)
  })

  test('asks as somebody else, with the rights of that one', async () => {
    const as = async (...flags: readonly string[]): Promise<readonly [string | undefined, number | null]> => {
      const answer = await ask(output, [...DIFF, ...flags])
      return [answer.items[0]?.failures.find(({source}) => source === 'published-root')?.code, answer.code]
    }

    expect(await as('--as', 'reader')).toEqual([undefined, 0])
    expect(await as('--as', 'forwarder')).toEqual(['forbidden', 3])
    expect(await as('--as', 'nobody', '--as-group', 'system:masters')).toEqual([undefined, 0])
    expect((await kubectl.try(['auth', 'can-i', 'get', 'configmaps', '-n', 'shop', '--as', 'forwarder'])).stdout).toBe(
      'no\n',
    )
  })

  test('may not ask as somebody else where the server says so, and is told', async () => {
    const {stderr, code} = await agentctl(output, [...DIFF, '--context', 'reader', '--as', 'admin'])

    expect(stderr).toContain('user reader may not ask in the name of others')
    expect(stderr).toContain('kubectl auth can-i impersonate users')
    const canI = ['auth', 'can-i', 'impersonate', 'users', '--context', 'reader']
    expect((await kubectl.try(canI)).stdout).toBe('no\n')
    expect(code).toBe(4)
  })

  test('is a plugin of kubectl, with its own exit codes', async () => {
    const [program, ...before] = output
    await writeFile(join(folder, 'kubectl-agentctl'), `#!/bin/sh\nexec ${[program, ...before].join(' ')} "$@"\n`, {
      mode: 0o755,
    })
    await symlink(site.kubectl, join(folder, 'kubectl'))
    const plugin = async (
      ...args: readonly string[]
    ): Promise<{readonly code: number | null; readonly stdout: string}> =>
      await tryCommand([join(folder, 'kubectl'), 'agentctl', ...args], {
        env: {...env, KUBECONFIG: site.kubeconfig, PATH: `${folder}:${env['PATH']}`},
      })

    const match = await plugin(...DIFF, '-o', 'json')
    const waiting = await plugin('secrets', 'diff', 'ingress-1', '-n', 'shop')
    const wrong = await plugin('secrets', 'diff', '--no-such-flag')

    expect(JSON.parse(match.stdout)).toMatchObject({kind: 'SecretDiffList', items: [{pod: 'cart-1', verdict: 'pass'}]})
    expect([match.code, waiting.code, wrong.code]).toEqual([0, 1, 2])
  })
})
