import {RunError} from '../domain/failure.ts'
import type {Side, Source} from '../domain/question.ts'
import {sideOfSource} from '../domain/source-side.ts'
import {fileName, stemOf} from './file-argument.ts'
import type {GoodFile} from './inspect-file.ts'

/** A file whose source and side are decided. */
export interface SettledFile extends GoodFile {
  readonly source: Source
  readonly side: Side
}

/** Side that a file of a source is of; certificates as such are of whichever side they are said to be of. */
function sideOfFile(source: Source): Side | undefined {
  return source === 'agent-files' || source === 'debug' ? undefined : sideOfSource(source)
}

const NAMES: Readonly<Record<Source, string>> = {
  'envoy-config-dump': "Envoy's config_dump",
  'envoy-certs': "Envoy's certs",
  'ztunnel-config-dump': "ztunnel's config_dump",
  'agent-metrics': "the agent's metrics",
  'agent-sds': "an agent's secrets",
  'node-agent-debug': "a node agent's answer",
  'istiod-config-dump': "istiod's config_dump",
  'published-root': 'the published root certificates',
  'istiod-metrics': "istiod's metrics",
  'cert-manager': 'a list of Certificates',
  'kubernetes-secret': 'a Secret',
  'istiod-syncz': "istiod's syncz",
  'cni-metrics': "istio-cni's metrics",
  'daemon-set': 'a DaemonSet',
  'agent-files': 'certificates',
  'agent-ready': "an agent's readiness",
  'proxy-ready': "a proxy's readiness",
  'cluster-rbac': 'roles of the cluster',
  debug: 'a debug answer',
}

/**
 * Decides what each file is. One that may be of either side (`{}`, a refusal) is of the side that was said, else of the
 * one that no other file of its base name has, else that no other file has at all, else the proxy's. Throws RunError
 * (usage) for certificates without a side and for a side that the content contradicts.
 */
export function settleSources(files: readonly GoodFile[]): readonly SettledFile[] {
  const certain = files.filter(({sources}) => sources.length === 1)
  return files.map((file): SettledFile => {
    const {argument, needsSide} = file
    const source = sourceOf(file, certain)
    const side = sideOfFile(source) ?? argument.side
    if (side === undefined || (needsSide && argument.side === undefined)) throw sideNeeded(file)
    if (argument.side !== undefined && argument.side !== side) throw otherSide(file, source, side)
    return {...file, source, side}
  })
}

function sourceOf({sources, argument}: GoodFile, certain: readonly GoodFile[]): Source {
  const [first] = sources
  if (sources.length === 1) return first
  if (argument.side !== undefined) return sources.find((source) => sideOfFile(source) === argument.side) ?? first
  const stem = stemOf(argument)
  const ofStem = certain.filter((other) => stemOf(other.argument) === stem)
  for (const others of [ofStem, certain]) {
    const taken = new Set(others.map((other) => sideOfFile(other.sources[0]) ?? other.argument.side))
    const free = sources.filter((source) => !taken.has(sideOfFile(source)))
    if (free.length === 1 && free[0] !== undefined) return free[0]
  }
  return first
}

function sideNeeded({argument}: GoodFile): RunError {
  const name = fileName(argument)
  return new RunError(2, 'usage', `Cannot tell whose certificates ${name} holds`, [
    `Say it: --file agent=${argument.path} or --file proxy=${argument.path}`,
  ])
}

function otherSide({argument}: GoodFile, source: Source, side: Side): RunError {
  const message = `Cannot take ${fileName(argument)} for the ${argument.side ?? ''}: it is ${NAMES[source]}, which is of the ${side}`
  return new RunError(2, 'usage', message, [`Leave ${argument.side ?? ''}= out: only PEM and DER need it`])
}
