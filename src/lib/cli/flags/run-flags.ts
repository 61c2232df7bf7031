import * as Flags from '@oclif/core/flags'
import {withEnv} from './with-env.ts'

const helpGroup = 'PAGING AND SPEED'
const repeatable = {multiple: true, multipleNonGreedy: true} as const

/** How the fleet is walked. */
export const pagingFlags = withEnv({
  'chunk-size': Flags.string({helpGroup, helpValue: 'N', default: '500', description: 'pods a list request'}),
  limit: Flags.string({helpGroup, helpValue: 'N', description: 'stop after N pods and print the cursor'}),
  continue: Flags.string({helpGroup, helpValue: 'CURSOR', description: 'go on where an earlier run stopped'}),
  timeout: Flags.string({helpGroup, helpValue: 'TIME', default: '0', description: 'the whole run; 0 is none'}),
})

/** How pods are asked. */
export const askFlags = withEnv({
  concurrency: Flags.string({helpGroup, helpValue: 'N', default: '32', description: 'pods at once'}),
  deadline: Flags.string({helpGroup, helpValue: 'TIME', default: '10s', description: 'a pod, dial to decode'}),
  via: Flags.string({
    helpGroup,
    options: ['auto', 'port-forward', 'exec', 'pod-proxy'],
    default: 'auto',
    description: 'how agents and proxies are reached',
  }),
  source: Flags.string({
    ...repeatable,
    delimiter: ',',
    helpGroup,
    helpValue: 'NAME',
    description:
      'of a side that one of these speaks for, ask only these: envoy-config-dump, agent-metrics, agent-files, …; ' +
      'a wrong one lists all',
  }),
  'no-source': Flags.string({
    ...repeatable,
    delimiter: ',',
    helpGroup,
    helpValue: 'NAME',
    description: 'do not ask these sources',
  }),
})

/** Differences are read again before they count. */
export const settleFlags = withEnv({
  settle: Flags.string({
    helpGroup,
    helpValue: 'TIME',
    default: '2s',
    description: 'wait this long and read again what differs',
  }),
})

/** What one agent serves its proxy, key and all. */
export const sdsFlags = withEnv({
  sds: Flags.boolean({
    helpGroup,
    description:
      'ask the agent of the one TARGET over its SDS socket too, by exec: it puts its private key on the wire, ' +
      'through the API server and this process, where it is neither decoded nor kept',
  }),
})

/** Secrets of Kubernetes, keys and all. */
export const secretObjectFlags = withEnv({
  'kubernetes-secrets': Flags.boolean({
    helpGroup,
    description:
      'read the Secrets of gateways too, for the certificates in them: the API server sends the private keys along, ' +
      'over the wire and through this process, where they are neither decoded nor kept',
  }),
})
