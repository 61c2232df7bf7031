import type {Source} from '../domain/question.ts'
import type {JsonFacts} from './json-facts.ts'

/** Lists of Envoy's secrets section, in its own spelling and in istioctl's. */
const SECRET_LISTS = ['static', 'dynamicActive', 'dynamicWarming'].flatMap((name) => [
  `${name}Secrets`,
  `${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_secrets`,
])

const ZTUNNEL_KEYS = ['workloads', 'workloadState', 'policies', 'stagedServices']

/** What a document is: the sources it may be from, likeliest first, or in words what else. */
export type JsonVerdict = {readonly sources: readonly [Source, ...Source[]]} | {readonly otherwise: string}

/** Tells a document by its keys. */
export function recogniseJson(facts: JsonFacts): JsonVerdict {
  const {keys, kind, types, certificateKeys} = facts
  if (facts.root !== 'object') return {otherwise: facts.root === 'array' ? 'a JSON list' : 'a bare JSON value'}
  if (kind !== undefined) return recogniseObject(facts, kind)
  // What an Envoy without such resources answers to `resource=`, and what a node agent without clients does.
  if (keys.size === 0) return {sources: ['envoy-config-dump', 'node-agent-debug']}
  if ([...types].some((type) => /\.tls\.v\d\w*\.Secret$/.test(type)) || isOfIstiod(facts)) {
    return {sources: ['istiod-config-dump']}
  }
  if (keys.has('configs') || SECRET_LISTS.some((key) => keys.has(key))) return {sources: ['envoy-config-dump']}
  if (keys.has('clients')) return {sources: ['node-agent-debug']}
  if (ZTUNNEL_KEYS.some((key) => keys.has(key)) || certificateKeys.has('identity')) {
    return {sources: ['ztunnel-config-dump']}
  }
  if (keys.has('certificates')) return {sources: ['envoy-certs']}
  return {otherwise: `JSON with the keys ${[...keys].slice(0, 5).join(', ')}`}
}

function recogniseObject({name, dataKeys}: JsonFacts, kind: string): JsonVerdict {
  const isRoot = kind === 'ConfigMap' && (name === 'istio-ca-root-cert' || dataKeys.has('root-cert.pem'))
  if (isRoot) return {sources: ['published-root']}
  return {otherwise: `a Kubernetes ${kind}${name === undefined ? '' : ` called ${name}`}`}
}

/**
 * istiod names the bootstrap section and leaves it empty (`pilot/pkg/xds/debug.go`), and spells keys as protobuf's JSON
 * does; an Envoy that names the section has a bootstrap to show.
 */
function isOfIstiod({types, sectionKeys}: JsonFacts): boolean {
  const namesBootstrap = [...types].some((type) => type.endsWith('.BootstrapConfigDump'))
  return namesBootstrap && !sectionKeys.has('bootstrap') && ![...sectionKeys].some((key) => key.includes('_'))
}
