import {resourceTypes} from './resource-types.ts'
import type {ResourceType} from './resource-types.ts'

const readingVerbs = ['get', 'list']

/**
 * Answers of discovery in the form that every server has and every client falls back to; the aggregated form is not
 * served. `isServed` tells of each type whether it is there. `undefined` for other paths.
 */
export function discover(path: string, address: string, isServed: (type: ResourceType) => boolean): unknown {
  const extension = discoverExtension(path, isServed)
  if (extension !== undefined) return extension
  switch (path) {
    case '/version':
      return {
        major: '1',
        minor: '35',
        emulationMajor: '1',
        emulationMinor: '35',
        gitVersion: 'v1.35.0+sandbox',
        gitCommit: '0000000000000000000000000000000000000000',
        gitTreeState: 'clean',
        buildDate: '2026-01-01T00:00:00Z',
        goVersion: 'go1.26.8',
        compiler: 'gc',
        platform: 'linux/amd64',
      }
    case '/api':
      return {
        kind: 'APIVersions',
        versions: ['v1'],
        serverAddressByClientCIDRs: [{clientCIDR: '0.0.0.0/0', serverAddress: address}],
      }
    case '/apis':
      return {
        kind: 'APIGroupList',
        apiVersion: 'v1',
        groups: [
          ...['apps', 'batch', 'authorization.k8s.io'].map((group) => groupOf(group)),
          ...extensions.filter(isServed).map(({group, version}) => groupOf(group, version)),
        ],
      }
    case '/api/v1':
      return resourceList('', 'v1', [
        ...coreTypes.flatMap(describe),
        subresource('pods/exec', 'PodExecOptions'),
        subresource('pods/portforward', 'PodPortForwardOptions'),
        subresource('pods/proxy', 'PodProxyOptions'),
      ])
    case '/apis/apps/v1':
    case '/apis/batch/v1': {
      const group = path.split('/')[2] ?? ''
      return resourceList(group, `${group}/v1`, typesOf(group).flatMap(describe))
    }
    case '/apis/authorization.k8s.io/v1':
      return resourceList(
        'authorization.k8s.io',
        'authorization.k8s.io/v1',
        ['SelfSubjectAccessReview', 'SelfSubjectRulesReview'].map((kind) => ({
          name: `${kind.toLowerCase()}s`,
          singularName: kind.toLowerCase(),
          namespaced: false,
          kind,
          verbs: ['create'],
        })),
      )
    case '/apis/apps':
    case '/apis/batch':
    case '/apis/authorization.k8s.io':
      return {kind: 'APIGroup', apiVersion: 'v1', ...groupOf(path.split('/')[2] ?? '')}
    default:
      return undefined
  }
}

const extensions = Object.values<ResourceType>(resourceTypes).filter(({isExtension}) => isExtension === true)

function discoverExtension(path: string, isServed: (type: ResourceType) => boolean): unknown {
  const type = extensions.find(({group, version}) => [`/apis/${group}`, `/apis/${group}/${version}`].includes(path))
  if (type === undefined || !isServed(type)) return undefined
  const {group, version} = type
  if (path === `/apis/${group}`) return {kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group, version)}
  return resourceList(group, `${group}/${version}`, describe(type))
}

function typesOf(group: string): readonly ResourceType[] {
  return Object.values(resourceTypes).filter((type) => type.group === group)
}

const coreTypes = typesOf('')

function groupOf(name: string, number = 'v1'): {readonly name: string; readonly [field: string]: unknown} {
  const version = {groupVersion: `${name}/${number}`, version: number}
  return {name, versions: [version], preferredVersion: version}
}

function resourceList(_group: string, groupVersion: string, resources: readonly unknown[]): unknown {
  return {kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources}
}

function describe(type: ResourceType): readonly unknown[] {
  const entry = {
    name: type.plural,
    singularName: type.singular,
    namespaced: type.isNamespaced,
    kind: type.kind,
    verbs: readingVerbs,
  }
  return [type.shortNames.length > 0 ? {...entry, shortNames: type.shortNames} : entry]
}

function subresource(name: string, kind: string): unknown {
  return {name, singularName: '', namespaced: true, kind, verbs: ['create', 'get']}
}
