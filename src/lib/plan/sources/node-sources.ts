import {isOfCheck, MIB, type SourceSpec} from '../source-spec.ts'

/** What agents that serve a whole node say, and what the API says of them. */
export const NODE_SOURCES = {
  'cni-metrics': {
    sides: ['agent'],
    maxBytes: 16 * MIB,
    asked: 'always',
    reach: 'pod',
    wanted: isOfCheck,
    forms: ({agent}) =>
      agent.statusPort === undefined
        ? {missing: 'its metrics are switched off (MONITORING_PORT)'}
        : [{type: 'http', port: agent.statusPort, paths: ['/metrics'], bindsToPod: true, refusals: []}],
  },
  'daemon-set': {
    sides: ['agent'],
    maxBytes: 4 * MIB,
    asked: 'sometimes',
    reach: 'api',
    wanted: isOfCheck,
    suits: ({pod}) => pod.owners.some(({kind}) => kind === 'DaemonSet'),
    forms: ({pod}) => {
      const owner = pod.owners.find(({kind}) => kind === 'DaemonSet')
      if (owner === undefined) return {missing: 'no DaemonSet owns it'}
      const [namespace, name] = [pod.namespace, owner.name].map(encodeURIComponent)
      return [{type: 'api', path: `/apis/apps/v1/namespaces/${namespace}/daemonsets/${name}`}]
    },
    rights: [
      {
        verb: 'get',
        group: 'apps',
        resource: 'daemonsets',
        opens: 'reads the specs of DaemonSets, literal variables included',
        isForSome: true,
      },
    ],
  },
} as const satisfies Record<string, SourceSpec>
