import {envoyHeaders, envoyJson, envoyText} from './envoy-answers.ts'
import type {EnvoyModel} from './envoy-model.ts'
import {clusterAt, fieldsOf, sectionNames, sectionOf} from './envoy-sections.ts'
import type {Section} from './envoy-sections.ts'
import type {PodAnswer} from './pod-port.ts'

const admin = 'type.googleapis.com/envoy.admin.v3.'

/**
 * Answers `/config_dump` in the shapes of Envoy 1.40, refusals included
 * (envoy `source/server/admin/config_dump_handler.cc`).
 */
export async function answerConfigDump(model: EnvoyModel, query: URLSearchParams): Promise<PodAnswer> {
  const resource = query.get('resource') ?? ''
  const mask = (query.get('mask') ?? '').split(',').filter((name) => name !== '')
  const pattern = query.get('name_regex') ?? ''
  const expression = pattern === '' ? everything : readPattern(pattern)
  if (expression === undefined)
    return envoyText(400, `Error while parsing name_regex from ${pattern}: INVALID_ARGUMENT\n`)
  const keeps = (name: string): boolean => expression.test(name)
  if (resource !== '') return await answerResource(model, resource, mask, keeps)
  if (mask.length === 0) return wholeDump(model, keeps)
  const names = sectionNames.filter((name) => mask.every((field) => fieldsOf(name).includes(field)))
  if (names.length === 0) {
    const paths = mask.map((field) => `paths: "${field}"\n`).join('')
    return envoyText(400, `FieldMask ${paths} could not be successfully applied to any configs.`)
  }
  const configs = []
  for (const name of names) {
    const section = await sectionOf(model, name, keeps)
    const kept = Object.fromEntries(Object.entries(section).filter(([field]) => mask.includes(field)))
    if (Object.keys(kept).length > 0) configs.push({'@type': `${admin}${name}`, ...kept})
  }
  return envoyJson(configs.length === 0 ? {} : {configs})
}

const everything = /^/

/** A pattern that must match a whole name; `undefined` where it is none. */
function readPattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u')
  } catch {
    return undefined
  }
}

async function answerResource(
  model: EnvoyModel,
  resource: string,
  mask: readonly string[],
  keeps: (name: string) => boolean,
): Promise<PodAnswer> {
  const name = sectionNames.find((section) => fieldsOf(section).includes(resource))
  if (name === undefined) return envoyText(404, `${resource} not found in config dump`)
  if (['bootstrap', 'last_updated', 'version_info'].includes(resource)) {
    return envoyText(400, `${resource} is not a repeated field. Use ?mask=${resource} to get only this field`)
  }
  const elements = (await sectionOf(model, name, keeps))[resource]
  if (!Array.isArray(elements)) return envoyJson({})
  const type = name === 'SecretsConfigDump' ? (resource === 'static_secrets' ? '.StaticSecret' : '.DynamicSecret') : ''
  const configs = elements.filter(isSection).map((element) => ({
    '@type': `${admin}${name}${type}`,
    ...(mask.length === 0
      ? element
      : Object.fromEntries(Object.entries(element).filter(([field]) => mask.includes(field)))),
  }))
  return envoyJson({configs})
}

function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null
}

/** The whole dump goes out section by section, so that a huge one is never held whole. */
function wholeDump(model: EnvoyModel, keeps: (name: string) => boolean): PodAnswer {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{\n "configs": [\n')
    for (const [index, name] of sectionNames.entries()) {
      const separator = index === 0 ? '' : ',\n'
      if (name === 'ClustersConfigDump') {
        yield Buffer.from(separator)
        yield* clusterChunks(model, keeps)
        continue
      }
      const section = {'@type': `${admin}${name}`, ...(await sectionOf(model, name, keeps))}
      yield Buffer.from(separator + JSON.stringify(section, undefined, 1))
    }
    yield Buffer.from('\n ]\n}\n')
  }
  return {status: 200, headers: envoyHeaders('application/json'), body: chunks()}
}

function* clusterChunks(model: EnvoyModel, keeps: (name: string) => boolean): Generator<Uint8Array> {
  yield Buffer.from(`{"@type": "${admin}ClustersConfigDump", "version_info": "2026-01-01T00:00:00Z/7",`)
  yield Buffer.from(' "static_clusters": [], "dynamic_active_clusters": [\n')
  const batch = 64
  let first = true
  for (let start = 0; start < model.extraClusters; start += batch) {
    const end = Math.min(start + batch, model.extraClusters)
    const texts = []
    for (let index = start; index < end; index += 1) {
      const cluster = clusterAt(index)
      if (keeps(cluster.cluster.name)) texts.push(JSON.stringify(cluster, undefined, 1))
    }
    if (texts.length === 0) continue
    yield Buffer.from((first ? '' : ',\n') + texts.join(',\n'))
    first = false
  }
  yield Buffer.from('\n]}')
}
