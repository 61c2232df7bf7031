import {existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {checkMetrics} from '../../src/lib/report/views/check-metrics.ts'
import {permissions} from '../../src/lib/plan/permissions.ts'
import {resourceTypes} from '../../src/lib/sandbox/api/resource-types.ts'
import {type Sandbox, startSandbox} from '../../src/lib/sandbox/start-sandbox.ts'
import type {Finished} from '../support/built.ts'
import {labelsIn, metricsIn, promqlErrors} from '../support/promql.ts'
import {junitErrors, promSamples, sarifErrors} from '../support/read-reports.ts'
import {
  commandOf,
  type CronJobObject,
  objectOf,
  objectsOf,
  openWorkbench,
  policyOf,
  RECIPES,
  type RoleObject,
  type Workbench,
} from '../support/recipes.ts'

/** A namespace of the fleet, in which all is well. */
const WELL = 'team-00'
/** Pods of the demo: one that nobody reaches, one that is well. */
const [LOST, RATES] = ['fraud-5c6d8f4b9-wn6sd', 'rates-6c7d9f5b8-p4qlz']

let workbench: Workbench
let demo: Sandbox
let fleet: Sandbox
/** Of a cluster that does not answer. */
let gone: string

beforeAll(async () => {
  workbench = openWorkbench()
  demo = await startSandbox()
  fleet = await startSandbox({scenario: 'fleet', pods: 24})
  gone = demo.kubeconfig().replace(demo.url, 'https://127.0.0.1:1')
})

afterAll(async () => {
  await demo.close()
  await fleet.close()
  workbench.close()
})

/** A folder in which a kubeconfig stands, and the environment that leads to it. */
function folderWith(kubeconfig: string): readonly [cwd: string, env: Readonly<Record<string, string>>] {
  const cwd = workbench.newFolder()
  writeFileSync(join(cwd, 'kubeconfig'), kubeconfig, {mode: 0o600})
  return [cwd, {KUBECONFIG: join(cwd, 'kubeconfig')}]
}

function read(...path: readonly string[]): string {
  return readFileSync(join(...path), 'utf8')
}

describe('github-actions.yaml', () => {
  interface Step {
    readonly run?: string
    readonly env?: Readonly<Record<string, string>>
    readonly with?: Readonly<Record<string, string>>
  }
  interface Workflow {
    readonly jobs: {readonly check: {readonly steps: readonly Step[]}}
  }
  const [workflow] = objectsOf('github-actions.yaml') as unknown as readonly [Workflow]
  const [check, ...uploads] = workflow.jobs.check.steps
  const [junit = '', sarif = ''] = uploads.map((step) => step.with?.['path'] ?? step.with?.['sarif_file'] ?? '')

  /** The step as a runner does it: with its own environment, but for the namespace and the time to wait. */
  async function runStep(kubeconfig: string, namespace: string): Promise<Finished & {readonly cwd: string}> {
    const cwd = workbench.newFolder()
    const ended = await workbench.run(check?.run ?? '', cwd, {
      ...check?.env,
      KUBECONFIG_CONTENT: kubeconfig,
      AGENTCTL_NAMESPACE: namespace,
      AGENTCTL_WAIT: '0',
      GITHUB_ACTIONS: 'true',
      CI: 'true',
      GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
      RUNNER_TEMP: cwd,
    })
    return {...ended, cwd}
  }

  test('findings are annotations, a summary, and both files, and fail the step', async () => {
    const {code, stdout, stderr, cwd} = await runStep(demo.kubeconfig(), 'shop')

    expect([code, code === 1 ? '' : stderr]).toEqual([1, ''])
    expect(stdout).toMatch(/^::error .*proxy-stale/m)
    expect(read(cwd, 'summary.md')).toContain('proxy-stale')
    expect(await junitErrors(read(cwd, junit))).toEqual([])
    expect(read(cwd, junit)).toContain('<failure')
    expect(sarifErrors(read(cwd, sarif))).toEqual([])
    expect(read(cwd, sarif)).toContain('"ruleId":"proxy-stale"')
  })

  test('the step passes where all is well, with both files for the steps after it', async () => {
    const {code, stdout, stderr, cwd} = await runStep(fleet.kubeconfig(), WELL)

    expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
    expect(stdout).not.toContain('::error')
    expect(await junitErrors(read(cwd, junit))).toEqual([])
    expect(sarifErrors(read(cwd, sarif))).toEqual([])
  })

  test('a cluster that does not answer fails the step, without the file that a later step looks for', async () => {
    const {code, cwd} = await runStep(gone, 'shop')

    expect(code).toBe(4)
    expect([existsSync(join(cwd, junit)), existsSync(join(cwd, sarif))]).toEqual([false, false])
  })

  test('nobody else reads the login', async () => {
    const {cwd} = await runStep(fleet.kubeconfig(), WELL)

    expect(statSync(join(cwd, 'kubeconfig')).mode & 0o777).toBe(0o600)
  })
})

describe('gitlab-ci.yaml', () => {
  interface Job {
    readonly variables: Readonly<Record<string, string>>
    readonly script: readonly string[]
    readonly artifacts: {readonly reports: {readonly junit: string}}
  }
  const [pipeline] = objectsOf('gitlab-ci.yaml') as unknown as readonly [{readonly 'check-agents': Job}]
  const {variables, script, artifacts} = pipeline['check-agents']

  test.each<[string, number, () => string, string]>([
    ['findings fail the job', 1, () => demo.kubeconfig(), 'shop'],
    ['the job passes where all is well', 0, () => fleet.kubeconfig(), WELL],
    ['a namespace without agents fails the job', 4, () => demo.kubeconfig(), 'default'],
  ])('%s, and the report is one that GitLab takes', async (_what, expected, kubeconfig, namespace) => {
    const [cwd, env] = folderWith(kubeconfig())

    const {code, stderr} = await workbench.run(script.join('\n'), cwd, {
      ...variables,
      ...env,
      AGENTCTL_NAMESPACE: namespace,
      AGENTCTL_WAIT: '0',
      CI: 'true',
    })

    expect([code, code === expected ? '' : stderr]).toEqual([expected, ''])
    expect(await junitErrors(read(cwd, artifacts.reports.junit))).toEqual([])
  })
})

interface CheckDoc {
  readonly items: readonly {readonly failures: readonly {readonly code: string; readonly message: string}[]}[]
  readonly fleet: {
    readonly coverage: readonly {
      readonly rule: string
      readonly not_evaluated?: readonly {readonly cause: string; readonly pods: number}[]
    }[]
  }
}

/** What a user was refused: failures of pods, and rules that say so. */
function refusals(stdout: string): readonly string[] {
  const {items, fleet: told} = JSON.parse(stdout) as CheckDoc
  return [
    ...items.flatMap(({failures}) => failures.filter(({code}) => code === 'forbidden').map(({message}) => message)),
    ...told.coverage
      .filter(({not_evaluated = []}) => not_evaluated.some(({cause}) => cause === 'forbidden'))
      .map(({rule}) => rule),
  ]
}

describe('cronjob.yaml', () => {
  const role = objectOf('cronjob.yaml', 'ClusterRole') as RoleObject
  const job = objectOf('cronjob.yaml', 'CronJob') as CronJobObject
  const command = commandOf(job).join(' ')

  test('its role has the rights that its check needs, and none beside', () => {
    const via = /--via=(port-forward|exec|pod-proxy)/.exec(command)?.[1] as 'port-forward' | undefined
    const needed = permissions({
      sides: ['agent', 'proxy'],
      exclude: [],
      via: via ?? 'auto',
      purpose: 'check',
      istioNamespace: 'istio-system',
    })

    const granted = role.rules.flatMap(({apiGroups, resources, resourceNames = ['*'], verbs}) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          resourceNames.flatMap((name) => verbs.map((verb) => [verb, group, resource, name].join(' '))),
        ),
      ),
    )

    expect(granted.toSorted()).toEqual(
      needed
        .map(({verb, group = '', resource, subresource, resourceName = '*'}) =>
          [verb, group, subresource === undefined ? resource : `${resource}/${subresource}`, resourceName].join(' '),
        )
        .toSorted(),
    )
  })

  test('it runs every hour, one run at a time', () => {
    expect(job.spec.schedule).toMatch(/^\d+ \* \* \* \*$/)
    expect(job.spec.concurrencyPolicy).toBe('Forbid')
  })

  test.each<[string, number, () => Sandbox]>([
    ['where all is well', 0, () => fleet],
    ['where much is wrong', 1, () => demo],
  ])('with that role and no other it is refused nothing, %s', async (_what, expected, sandbox) => {
    const [cwd, env] = folderWith(sandbox().admit({name: 'cronjob', groups: [], rules: policyOf(role)}))
    const line = `${command.replace('--wait=5m', '--wait=0')} -o json`

    const {code, stdout, stderr} = await workbench.run(line, cwd, env)

    expect([code, code === expected ? '' : stderr]).toEqual([expected, ''])
    expect(refusals(stdout)).toEqual([])
  })
})

describe('role-namespace.yaml', () => {
  const role = objectOf('role-namespace.yaml', 'Role') as RoleObject
  const line = /^# +(agentctl .*)$/m.exec(read(RECIPES, 'role-namespace.yaml'))?.[1] ?? ''

  /** Its own command, in the namespace of the fleet, as its own user. */
  async function runThere(more: string): Promise<Finished> {
    const [cwd, env] = folderWith(fleet.admit({name: 'namespace', groups: [], rules: policyOf(role, [WELL])}))
    return await workbench.run(`${line.replace('-n shop', `-n ${WELL}`)} ${more}`, cwd, env)
  }

  test('it gives pods and their ports, and nothing else', () => {
    expect(new Set(role.rules.flatMap(({resources}) => resources))).toEqual(new Set(['pods', 'pods/portforward']))
  })

  test('ends with 0 where all is well, and says what it could not look at', async () => {
    const {code, stdout, stderr} = await runThere('-o json')

    expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
    expect(refusals(stdout)).toContain('root-missing')
    expect(stderr).toMatch(/^Not evaluated on 24 pods: .*root-missing/m)
  })

  test('a rule that it cannot look at, named, ends with 3', async () => {
    const {code} = await runThere('--rule root-missing,proxy-stale')

    expect(code).toBe(3)
  })

  test('elsewhere it sees nothing', async () => {
    const [cwd, env] = folderWith(fleet.admit({name: 'namespace', groups: [], rules: policyOf(role, [WELL])}))

    const {code, stderr} = await workbench.run(line.replace('shop', 'istio-system'), cwd, env)

    expect(code).toBe(4)
    expect(stderr).toMatch(/^Error: Cannot list pods in istio-system: forbidden for user namespace$/m)
  })
})

describe('textfile.sh', () => {
  const script = join(RECIPES, 'textfile.sh')

  test('the collector finds whole metrics, whatever was found, and nothing else', async () => {
    const [cwd, env] = folderWith(demo.kubeconfig())
    const folder = workbench.newFolder()

    const {code, stdout, stderr} = await workbench.run(`umask 077; '${script}' -A`, cwd, {
      ...env,
      TEXTFILE_FOLDER: folder,
    })

    expect([code, stdout, code === 0 ? '' : stderr]).toEqual([0, '', ''])
    expect(readdirSync(folder)).toEqual(['agentctl.prom'])
    expect(statSync(join(folder, 'agentctl.prom')).mode & 0o444).toBe(0o444)
    const stale = promSamples(read(folder, 'agentctl.prom'), 'agentctl_check_findings').filter(
      ({labels}) => labels?.['rule'] === 'proxy-stale',
    )
    expect(stale.map(({value, labels}) => [value, labels?.['namespace']])).toEqual([['1', 'shop']])
  })

  test('where nothing could be seen the old file stays, to be found old', async () => {
    const [cwd, env] = folderWith(gone)
    const folder = workbench.newFolder()
    writeFileSync(join(folder, 'agentctl.prom'), 'old 1\n')

    const {code, stderr} = await workbench.run(`umask 077; '${script}' -A`, cwd, {...env, TEXTFILE_FOLDER: folder})

    expect(code).toBe(4)
    expect(stderr).toMatch(/^Error: Cannot/m)
    expect([readdirSync(folder), read(folder, 'agentctl.prom')]).toEqual([['agentctl.prom'], 'old 1\n'])
  })
})

describe('alerts.yaml', () => {
  interface Rule {
    readonly alert: string
    readonly expr: string
    readonly for?: string
    readonly labels: Readonly<Record<string, string>>
    readonly annotations: Readonly<Record<string, string>>
  }
  const [file] = objectsOf('alerts.yaml') as unknown as readonly [
    {readonly groups: readonly {readonly name: string; readonly rules: readonly Rule[]}[]},
  ]
  const rules = file.groups.flatMap((group) => group.rules)

  test.each(rules.map((rule) => [rule.alert, rule] as const))('%s is PromQL', (_name, {expr, for: wait = '0s'}) => {
    expect(promqlErrors(expr)).toEqual([])
    expect(wait).toMatch(/^\d+[smhd]$/)
  })

  test('they look at metrics and labels that there are', async () => {
    const [cwd, env] = folderWith(demo.kubeconfig())
    const {stdout} = await workbench.run('agentctl check -A -o prom || [ $? = 1 ]', cwd, env)

    const told = Object.keys(checkMetrics.families).flatMap((name) => promSamples(stdout, name))
    const labels = new Set(told.flatMap((sample) => Object.keys(sample.labels ?? {})))

    for (const {expr, annotations} of rules) {
      expect(Object.keys(checkMetrics.families)).toEqual(expect.arrayContaining([...metricsIn(expr)]))
      const inTexts = Object.values(annotations).flatMap((text) =>
        [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label),
      )
      expect([...labels]).toEqual(expect.arrayContaining([...labelsIn(expr), ...inTexts]))
    }
  })
})

describe('pre-deploy.sh', () => {
  const script = join(RECIPES, 'pre-deploy.sh')

  test.each<[string, () => string, string, number, string]>([
    ['goes on where all is well', () => fleet.kubeconfig(), `-n ${WELL}`, 0, 'Go on: '],
    ['refuses what is wrong', () => demo.kubeconfig(), '-n shop', 1, 'Refused: a rule does not hold'],
    [
      'refuses what it could not see',
      () => demo.kubeconfig(),
      `${LOST} ${RATES} -n bank`,
      3,
      'Refused: some pods could not be seen',
    ],
    ['refuses an empty namespace', () => demo.kubeconfig(), '-n default', 4, 'Refused: nothing could be seen, or'],
    ['refuses without a cluster', () => gone, '-n shop', 4, 'Refused: nothing could be seen, or'],
    ['refuses on a slip', () => demo.kubeconfig(), '--no-such-flag', 2, 'Refused: the check itself did not work'],
  ])('%s', async (_what, kubeconfig, args, expected, says) => {
    const [cwd, env] = folderWith(kubeconfig())

    const {code, stderr} = await workbench.run(`'${script}' ${args}`, cwd, {...env, AGENTCTL_WAIT: '0'})

    expect([code, code === expected ? '' : stderr]).toEqual([expected, ''])
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(new RegExp(`^${says}`))
  })

  test('waits for what mends itself', async () => {
    const [cwd, env] = folderWith(fleet.kubeconfig())
    const [first] = fleet.world.list(resourceTypes.pods)
    const pod = `${first?.namespace}/${first?.name}`
    fleet.fault(pod, {type: 'refuse'})
    const before = fleet.counters.streams

    const gate = workbench.run(`'${script}' -n ${WELL}`, cwd, {...env, AGENTCTL_INTERVAL: '50ms'})
    const seen = {isOver: false}
    void gate.finally(() => (seen.isOver = true))
    // One stream for each pod, and one more: it is being asked again.
    while (!seen.isOver && fleet.counters.streams <= before + 24) await setTimeout(10)
    const {isOver} = seen
    fleet.fault(pod, undefined)
    const {code, stderr} = await gate

    expect(isOver).toBe(false)
    expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  })
})

describe('recipes.md', () => {
  const page = read(RECIPES, '..', 'recipes.md')
  const blocks = [...page.matchAll(/```sh\n([^]*?)\n```/g)].map(([, block = '']) => block)
  let cwd: string
  let env: Readonly<Record<string, string>>

  beforeAll(() => {
    ;[cwd, env] = folderWith(demo.kubeconfig())
  })

  test('names every recipe', () => {
    for (const name of readdirSync(RECIPES)) expect(page).toContain(`(recipes/${name})`)
  })

  // In order: the first writes the file that the others read. What agentctl says of the demo is that something is wrong.
  test.each(blocks)('works word for word: %s', async (block) => {
    const {code, stdout, stderr} = await workbench.run(block, cwd, env)

    expect(stderr).not.toMatch(/^(Error|jq: error)/m)
    expect(code).toBe(block.startsWith('agentctl') ? 1 : 0)
    expect(
      block.includes('>') && block.startsWith('agentctl check -A -o json') ? read(cwd, 'check.json') : stdout,
    ).toMatch(/\S/)
  })
})
