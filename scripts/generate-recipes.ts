import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type Permission, permissions} from '../src/lib/plan/permissions.ts'
import {writeGenerated} from './write-generated.ts'

const TARGET = join(import.meta.dirname, '..', 'docs', 'recipes', 'cronjob.yaml')

/** What its CronJob runs: `check` over both sides, by port-forward. */
const NEEDED = permissions({
  sides: ['agent', 'proxy'],
  exclude: [],
  via: 'port-forward',
  purpose: 'check',
  istioNamespace: 'istio-system',
})

/** One rule for each kind of object, with what it is for and what it opens. */
function ruleLines(rights: readonly Permission[]): readonly string[] {
  const [first] = rights
  if (first === undefined) return []
  const {group = '', resource, subresource, resourceName} = first
  const sources = distinct(rights.flatMap(({why}) => why.split(', ')))
  const isForSome = rights.every(({isAlwaysNeeded}) => !isAlwaysNeeded)
  return [
    `# For ${sources.join(', ')}${isForSome ? '; only some clusters or pods need it' : ''}.`,
    ...distinct(rights.map(({opens}) => opens)).map((opens) => `# It ${opens}.`),
    `- apiGroups: [${group === '' ? "''" : group}]`,
    `  resources: [${subresource === undefined ? resource : `${resource}/${subresource}`}]`,
    ...(resourceName === undefined ? [] : [`  resourceNames: ['${resourceName}']`]),
    `  verbs: [${rights.map(({verb}) => verb).join(', ')}]`,
  ]
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}

const objects = Map.groupBy(NEEDED, ({group, resource, subresource, resourceName}) =>
  [group, resource, subresource, resourceName].join(' '),
)
const rules = [...objects.values()].flatMap(ruleLines).map((line) => `  ${line}\n`)
const before = await readFile(TARGET, 'utf8')
const between = /( {2}# rights\n)[^]*?( {2}# \/rights\n)/
if (!between.test(before)) throw new Error(`${TARGET} has no place for rights`)
const after = before.replace(between, (_all, start: string, end: string) => `${start}${rules.join('')}${end}`)
await writeGenerated('docs/recipes/cronjob.yaml', after)
