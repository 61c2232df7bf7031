import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {OUTPUTS} from '../../support/built.ts'
import {commandOf, type CronJobObject, objectOf, RECIPES} from '../../support/recipes.ts'
import {ask} from '../agentctl.ts'
import {writeOwnUser} from '../kubeconfig.ts'
import {kubectl} from '../site.ts'

/** Where the CronJob is to live; as strict to pods as Kubernetes can be. */
const NAMESPACE = 'agentctl'

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

describe.each(OUTPUTS)('%s', (_name, output) => {
  test('what the CronJob runs is refused nothing, with its own account', async () => {
    const [, ...args] = commandOf(objectOf('cronjob.yaml', 'CronJob') as CronJobObject)
    // Of the mesh, whose other pods are there to be wrong, one that is well.
    const there = args.flatMap((arg) => (arg === '--all-namespaces' ? ['--namespace=shop', '--match=^cart-1$'] : [arg]))

    const answer = await ask(output, there, await loginOf(NAMESPACE))

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
