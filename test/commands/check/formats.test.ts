import {once} from 'node:events'
import {lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {setImmediate} from 'node:timers/promises'
import {createServer} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {load} from 'js-yaml'
import {extraFormats} from '../../../src/lib/report/render.ts'
import {CHECK} from '../../../src/lib/cli/pod-commands.ts'
import {junitErrors, promSamples, sarifErrors} from '../../support/read-reports.ts'
import {type OpenSandbox, openSandbox} from '../../support/open-sandbox.ts'
import {UNPRINTABLE} from '../../support/unprintable.ts'

const LINE = 'check -A --settle 0 --deadline 2s'
let zoo: OpenSandbox
let folder: string

beforeAll(async () => {
  zoo = await openSandbox({scenario: 'zoo'})
  folder = mkdtempSync(join(tmpdir(), 'agentctl-test-'))
})

afterAll(async () => {
  await zoo.close()
  rmSync(folder, {recursive: true, force: true})
})

interface Finding {
  readonly rule: string
  readonly severity: string
  readonly subject?: string
}

interface Doc {
  readonly items: readonly {
    readonly namespace: string
    readonly pod: string
    readonly verdict: string
    readonly findings?: readonly Finding[]
  }[]
  readonly fleet: {readonly findings: readonly Finding[]}
}

/** Where, which rule, how bad: once for each that differs, in order. */
function toldOf({items, fleet}: Doc): readonly string[] {
  const ofPods = items.flatMap(({namespace, pod, findings = []}) =>
    findings.map(({rule, severity}) => `${namespace}/${pod} ${rule} ${severity}`),
  )
  return distinct([...ofPods, ...fleet.findings.map(({rule, severity}) => `fleet ${rule} ${severity}`)])
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted()
}

describe('every format tells the same of the whole sandbox', () => {
  let expected: readonly string[]
  let files: Readonly<Record<string, string>>

  beforeAll(async () => {
    const formats = ['json', 'yaml', 'ndjson', 'junit', 'sarif', 'prom', 'markdown', 'table']
    const flags = formats.map((format) => `--output-file ${format}=${join(folder, format)}`).join(' ')
    await zoo.run(`${LINE} --show all ${flags}`)
    files = Object.fromEntries(formats.map((format) => [format, readFileSync(join(folder, format), 'utf8')]))
    expected = toldOf(JSON.parse(files['json'] ?? '') as Doc)
  })

  test('there is much to tell', () => {
    expect(distinct(expected.map((told) => told.split(' ')[1] ?? '')).length).toBeGreaterThan(5)
  })

  test('yaml', () => {
    expect(toldOf(load(files['yaml'] ?? '') as Doc)).toEqual(expected)
  })

  test('ndjson', () => {
    const lines = (files['ndjson'] ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const items = lines.filter(({kind}) => kind === 'Check') as unknown as Doc['items']
    const {fleet} = lines.at(-1) as unknown as Doc

    expect(toldOf({items, fleet})).toEqual(expected)
  })

  test('junit, which a strict parser and the schema accept', async () => {
    const xml = files['junit'] ?? ''
    const cases = [...xml.matchAll(/<testcase classname="([^"]+)" name="([^"]+)" time="0">(.*?)<\/testcase>/gs)]
    const told = cases.flatMap(([, place = '', rule = '', body = '']) =>
      [...body.matchAll(/(?:^|>|\n)(fail|warn): /g)].map(([, severity]) => `${place} ${rule} ${severity}`),
    )

    expect(await junitErrors(xml)).toEqual([])
    expect(distinct(told)).toEqual(expected)
  })

  test('sarif, which its schema accepts', () => {
    const {runs} = JSON.parse(files['sarif'] ?? '') as {
      readonly runs: readonly {
        readonly tool: {readonly driver: {readonly rules: readonly {readonly id: string}[]}}
        readonly results: readonly {
          readonly ruleId: string
          readonly ruleIndex: number
          readonly level: string
          readonly locations: readonly {
            readonly logicalLocations: readonly {readonly fullyQualifiedName: string; readonly kind: string}[]
          }[]
        }[]
      }[]
    }
    const told = runs.flatMap(({results, tool}) =>
      results.map(({ruleId, ruleIndex, level, locations}) => {
        const place = locations[0]?.logicalLocations[0]
        expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
        const where = place?.kind === 'fleet' ? 'fleet' : place?.fullyQualifiedName
        return `${where} ${ruleId} ${level === 'error' ? 'fail' : 'warn'}`
      }),
    )

    expect(sarifErrors(files['sarif'] ?? '')).toEqual([])
    expect(distinct(told)).toEqual(expected)
  })

  test('prom, which a parser of its text format reads', () => {
    const told = promSamples(files['prom'] ?? '', 'agentctl_check_findings').map(({labels = {}}) => {
      const {namespace, pod, rule, severity} = labels
      return `${pod === undefined ? 'fleet' : `${namespace}/${pod}`} ${rule} ${severity}`
    })

    expect(distinct(told)).toEqual(expected)
  })

  test('prom tells when each certificate ends, each series once', () => {
    const text = files['prom'] ?? ''
    const series = text.split('\n').map((line) => line.replace(/ \S+$/, ''))
    const samples = series.filter((line) => line !== '' && !line.startsWith('#'))

    expect(promSamples(text, 'x509_cert_not_after').length).toBeGreaterThan(20)
    expect(new Set(samples).size).toBe(samples.length)
  })

  test('table', () => {
    const rows = (files['table'] ?? '').split('\n').slice(1)
    const told = rows.flatMap((row) => {
      const [namespace = '', pod = '', result = '', rule = ''] = row.split(/ {2,}/)
      if (!['fail', 'warn'].includes(result) || rule === '-') return []
      return [`${namespace === '-' ? 'fleet' : `${namespace}/${pod}`} ${rule} ${result}`]
    })

    expect(distinct(told)).toEqual(expected)
  })

  test('markdown, the same finding on several pods once', () => {
    const rows = (files['markdown'] ?? '').split('\n').filter((line) => /^\| (?:fail|warn) /.test(line))

    expect(distinct(rows.map((row) => row.split(' | ').slice(0, 2).join(' ').replace('| ', '')))).toEqual(
      distinct(expected.map((one) => one.split(' ').slice(1).toReversed().join(' '))),
    )
    expect(rows).not.toEqual([])
  })

  test('github: an annotation is a line that is a command, and no more of a kind than are shown', async () => {
    const {stdout} = await zoo.run(`${LINE} -o github`)
    const lines = stdout.trim().split('\n')

    expect(lines.filter((line) => !/^::(?:error|warning|notice) title=[^:,\n]*::[^\n]+$/.test(line))).toEqual([])
    expect(lines.filter((line) => line.startsWith('::error')).length).toBeLessThanOrEqual(10)
    const rules = distinct(expected.filter((told) => told.endsWith(' fail')).map((told) => told.split(' ')[1] ?? ''))
    const named = lines.filter((line) => line.startsWith('::error')).join('\n')
    const more = /(\d+) more findings?/.exec(named)
    expect(more !== null || rules.every((rule) => named.includes(rule))).toBe(true)
  })

  test('nothing that a terminal or a reader would take for something else is in any of them', () => {
    for (const text of Object.values(files)) expect(text).not.toMatch(UNPRINTABLE)
  })
})

describe('names that want to be something else', () => {
  const NAMES = [
    '::error::x',
    '<b>&"\'',
    '|a|b|',
    '%0A::set-env',
    '\u0007\u001B[31m',
    '\u202Egnp',
    '\uD800',
    '```',
    '日本',
  ]

  /** A dump in which secrets are called so, and hold nothing. */
  function dump(): string {
    const secrets = NAMES.map((name) => ({
      name,
      last_updated: '2026-06-01T10:00:00Z',
      secret: {
        name,
        tls_certificate: {certificate_chain: {inline_bytes: Buffer.from('no certificate').toString('base64')}},
      },
    }))
    return JSON.stringify({
      configs: [{'@type': 'type.googleapis.com/envoy.admin.v3.SecretsConfigDump', dynamic_active_secrets: secrets}],
    })
  }

  let path: string

  beforeAll(() => {
    path = join(folder, 'hostile-1.config_dump.json')
    writeFileSync(path, dump())
  })

  test.each(['junit', 'sarif', 'prom', 'github', 'markdown', 'json', 'table'])('are text in %s', async (format) => {
    const {stdout, exitCode} = await zoo.run(`check -f ${path} -o ${format}`)

    expect(stdout).not.toMatch(UNPRINTABLE)
    expect(stdout.split('\n').filter((line) => /^::(?!error title|warning title|notice title)/.test(line))).toEqual([])
    expect(exitCode).toBe(1)
  })

  test.each(['junit', 'markdown'])('are no markup in %s', async (format) => {
    expect((await zoo.run(`check -f ${path} -o ${format}`)).stdout).not.toContain('<b>')
  })

  test('leave XML, SARIF and metrics what they are', async () => {
    const [xml, sarif, prom] = await Promise.all(
      ['junit', 'sarif', 'prom'].map(async (format) => (await zoo.run(`check -f ${path} -o ${format}`)).stdout),
    )

    expect(await junitErrors(xml ?? '')).toEqual([])
    expect(sarifErrors(sarif ?? '')).toEqual([])
    expect(promSamples(prom ?? '', 'agentctl_check_findings')).toHaveLength(1)
  })
})

/** Until a file whose name begins so stands in a folder. */
async function untilThere(where: string, beginning: string): Promise<void> {
  while (!readdirSync(where).some((name) => name.startsWith(beginning))) await setImmediate()
}

describe('files beside stdout', () => {
  test('an unwritable one is told before anything is asked, and nothing is left behind', async () => {
    const before = readdirSync(folder)

    const {stdout, stderr, exitCode} = await zoo.run(
      `${LINE} --output-file json=${folder}/first --output-file junit=${folder}/no/such/folder/x`,
    )

    expect([stdout, exitCode]).toEqual(['', 2])
    expect(stderr).toBe(`Error: Cannot write ${folder}/no/such/folder/x: there is no such folder\n`)
    expect(readdirSync(folder)).toEqual(before)
  })

  test.each([
    ['json', 'expected FORMAT=PATH'],
    ['json=', 'expected FORMAT=PATH'],
    ['json=-', 'expected FORMAT=PATH'],
    ['loud=x', 'expected one of'],
  ])('%s is a usage error', async (value, text) => {
    const {stderr, exitCode} = await zoo.run(`${LINE} --output-file ${value}`)

    expect(stderr).toContain(text)
    expect(exitCode).toBe(2)
  })

  test('a path that is given twice is a usage error', async () => {
    const {exitCode, stderr} = await zoo.run(`${LINE} --output-file json=${folder}/t --output-file junit=${folder}/./t`)

    expect([exitCode, stderr]).toEqual([2, `Error: --output-file names ${folder}/t twice\n`])
  })

  test('where there is no access, no file appears', async () => {
    const before = readdirSync(folder)

    const {exitCode} = await zoo.run(`${LINE} --context nope --output-file json=${folder}/none`)

    expect(exitCode).toBe(4)
    expect(readdirSync(folder)).toEqual(before)
  })

  test('a file that was there stays as it was until the new one is whole', async () => {
    writeFileSync(join(folder, 'old'), 'old')
    await zoo.run(`${LINE} --context nope --output-file json=${folder}/old`)
    const kept = readFileSync(join(folder, 'old'), 'utf8')

    await zoo.run(`check -A --settle 0 --limit 1 --output-file json=${folder}/old`)

    expect(kept).toBe('old')
    expect((JSON.parse(readFileSync(join(folder, 'old'), 'utf8')) as Doc).items).toHaveLength(1)
  })

  test.each([
    ['a socket', 'it is no file, but a device, a pipe or a socket'],
    ['a folder', 'it is a folder'],
  ])('%s is not taken the place of', async (kind, reason) => {
    const path = join(folder, kind.replace(' ', '-'))
    if (kind === 'a folder') mkdirSync(path)
    const server = createServer()
    if (kind === 'a socket') await once(server.listen(path), 'listening')

    const {stdout, stderr, exitCode} = await zoo.run(`${LINE} --output-file json=${path}`)
    server.close()

    expect([stdout, stderr, exitCode]).toEqual(['', `Error: Cannot write ${path}: ${reason}\n`, 2])
  })

  test('a link stays a link', async () => {
    writeFileSync(join(folder, 'far'), '')
    symlinkSync(join(folder, 'far'), join(folder, 'link'))

    await zoo.run(`check -A --settle 0 --limit 1 --output-file name=${folder}/link`)

    expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(folder, 'far'), 'utf8')).toMatch(/^pod\//)
  })

  test('one that cannot get its name at the end is told, ends with 3, and leaves stdout whole', async () => {
    const well = await openSandbox()
    const path = join(folder, 'taken')
    const read = 'check -n shop --settle 0 --deadline 2s --exit-zero -o name'
    const before = await well.run(read)

    const running = well.run(`${read} --output-file json=${path}`)
    await untilThere(folder, '.taken.')
    mkdirSync(path)
    const {stdout, stderr, exitCode} = await running
    await well.close()

    expect([before.exitCode, exitCode]).toEqual([0, 3])
    expect(stdout).toBe(before.stdout)
    expect(stderr).toContain(`Error: Cannot write ${path}: it is a folder\n`)
    expect(readdirSync(folder).filter((name) => name.startsWith('.taken'))).toEqual([])
  })

  test("a step's summary in GitHub Actions is added to what is there", async () => {
    const path = join(folder, 'summary')
    writeFileSync(path, '# Before\n')

    await zoo.run('check -A --settle 0 --limit 2 -o github', {env: {GITHUB_STEP_SUMMARY: path}})

    expect(readFileSync(path, 'utf8')).toMatch(/^# Before\n## agentctl CheckReport\n\n2 pods: /)
  })
})

describe('the exit code depends on no format, pipe or flag that is not about it', () => {
  const formats = ['table', 'wide', 'json', 'yaml', 'ndjson', 'name', 'jsonpath={.kind}', 'custom-columns=POD:.pod']
  const all = [...formats, ...extraFormats(CHECK.view)]
  const selections: readonly (readonly [string, Readonly<Record<string, number>>])[] = [
    ['-n nowhere', {'': 4, '--allow-empty': 0, '--exit-zero': 4, '--fail-on warn': 4, '--allow-incomplete': 4}],
    ['-n shop', {'': 1, '--allow-empty': 1, '--exit-zero': 0, '--fail-on warn': 1, '--allow-incomplete': 1}],
    [
      '-n shop --severity cert-expired=off',
      {'--rule cert-expired': 2, '--rule cert-expired --exit-zero': 2, '--rule cert-unreadable --max-unknown 100%': 0},
    ],
  ]
  const matrix = selections.flatMap(([selection, codes]) =>
    Object.entries(codes).flatMap(([flags, code]) =>
      all.flatMap((format) =>
        [undefined, 80].map((columns) => [selection, flags, format, columns ?? 'a pipe', code] as const),
      ),
    ),
  )

  test.each(matrix)('check %s %s -o %s to %s ends with %i', async (selection, flags, format, columns, code) => {
    const {exitCode} = await demo.run(`check ${selection} ${flags} --settle 0 --deadline 2s -o ${format}`, {
      ...(typeof columns === 'number' && {columns}),
    })

    expect(exitCode).toBe(code)
  })

  let demo: OpenSandbox

  beforeAll(async () => {
    demo = await openSandbox()
  })

  afterAll(async () => await demo.close())
})
