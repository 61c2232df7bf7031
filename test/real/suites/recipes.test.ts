import {chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {OUTPUTS} from '../../support/built.ts'
import {commandOf, type CronJobObject, objectOf, RECIPES} from '../../support/recipes.ts'
import {ask} from '../agentctl.ts'
import {writeOwnUser} from '../kubeconfig.ts'
import {tryCommand} from '../run-command.ts'
import {kubectl, site} from '../site.ts'

/** Where the CronJob is to live; as strict to pods as Kubernetes can be. */
const NAMESPACE = 'agentctl'

/** Where a pod finds its login. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'real-recipes-'))
  await kubectl.apply([
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {name: NAMESPACE, labels: {'pod-security.kubernetes.io/enforce': 'restricted'}},
    },
  ])
  for (const name of ['cronjob.yaml', 'role-namespace.yaml']) {
    await kubectl.run(['apply', '--validate=strict', '-f', '-'], await readFile(join(RECIPES, name), 'utf8'))
  }
})

afterAll(async () => await rm(folder, {recursive: true}))

/** The environment of who logs in with a token of the recipe's account. */
async function loginOf(namespace: string): Promise<Readonly<Record<string, string>>> {
  const token = await kubectl.run(['create', 'token', 'agentctl', '-n', namespace])
  const path = join(folder, `of-${namespace}`)
  await writeOwnUser(path, {token: token.trim()})
  return {KUBECONFIG: path}
}

test('a pod of the CronJob is one that a restricted namespace takes', async () => {
  const {spec} = (await kubectl.get('cronjob', 'agentctl-check', '-n', NAMESPACE)) as CronJobObject
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    ...spec.jobTemplate.spec.template,
    metadata: {...spec.jobTemplate.spec.template.metadata, name: 'agentctl-check', namespace: NAMESPACE},
  }

  const ended = await kubectl.try(
    ['create', '--dry-run=server', '--validate=strict', '-f', '-', '-o', 'name'],
    JSON.stringify(pod),
  )

  expect([ended.code, ended.stdout, ended.stderr]).toEqual([0, 'pod/agentctl-check\n', ''])
})

/** What the CronJob runs, on the one pod that is well of a mesh whose others are there to be wrong. */
function argsThere(): readonly string[] {
  const [, ...args] = commandOf(objectOf('cronjob.yaml', 'CronJob') as CronJobObject)
  return args.flatMap((arg) => (arg === '--all-namespaces' ? ['--namespace=shop', '--match=^cart-1$'] : [arg]))
}

test('logs in from inside a pod, as a user who is but a number', async () => {
  const [, [executable]] = OUTPUTS[1] ?? ['', ['']]
  await chmod(folder, 0o755)
  await copyFile(executable, join(folder, 'agentctl'))
  await mkdir(ACCOUNT, {recursive: true})
  await writeFile(join(ACCOUNT, 'token'), await kubectl.run(['create', 'token', 'agentctl', '-n', NAMESPACE]))
  await copyFile(join(site.pki, 'ca.crt'), join(ACCOUNT, 'ca.crt'))
  const {clusters} = JSON.parse(await readFile(site.kubeconfig, 'utf8')) as {
    readonly clusters: readonly [{readonly cluster: {readonly server: string}}]
  }
  const {hostname, port} = new URL(clusters[0].cluster.server)

  const {code, stderr} = await tryCommand(
    ['setpriv', '--reuid=65532', '--regid=65532', '--clear-groups', join(folder, 'agentctl'), ...argsThere()],
    {cwd: '/', env: {KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port}},
  )

  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
})

describe.each(OUTPUTS)('%s', (_name, output) => {
  test('what the CronJob runs is refused nothing, with its own account', async () => {
    const answer = await ask(output, argsThere(), await loginOf(NAMESPACE))

    expect([answer.code, answer.code === 0 ? '' : answer.stderr]).toEqual([0, ''])
    expect(answer.items.map(({pod, verdict}) => [pod, verdict])).toEqual([['cart-1', 'pass']])
    expect(answer.items[0]?.failures).toEqual([])
    expect(answer.stdout).not.toContain('"forbidden"')
  })

  test('who has the Role of one namespace ends with 0, and says what was not looked at', async () => {
    const env = await loginOf('shop')

    const here = await ask(output, ['check', 'cart-1', '-n', 'shop'], env)

    expect([here.code, here.code === 0 ? '' : here.stderr]).toEqual([0, ''])
    expect(here.stdout).toContain('"forbidden"')
    expect(here.stderr).toMatch(/^Not evaluated on 1 pod: .*root-missing/m)
  })
})
