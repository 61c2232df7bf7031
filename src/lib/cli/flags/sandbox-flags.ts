import * as Flags from '@oclif/core/flags'
import {withEnv} from './with-env.ts'

/** What kind of embedded cluster. */
export const sandboxFlags = withEnv({
  pods: Flags.string({
    helpValue: 'N',
    description: 'a fleet of N pods that are well, instead of the demo (at most 10000)',
  }),
  rotation: Flags.string({
    helpValue: 'STAGE',
    description:
      'a mesh that changes its root, instead of the demo: old-only, both-published, both-trusted, new-signs, ' +
      'old-unused, new-published, new-only',
  }),
  'fault-share': Flags.string({helpValue: 'P%', description: 'so many pods of a fleet get a fault'}),
  seed: Flags.string({helpValue: 'N', default: '1', description: 'decides which pods of a fleet get which fault'}),
  fault: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAMESPACE/POD=KIND[:N]',
    description: 'a fault of one pod: refuse, hang, cut-off:BYTES, slow:MS, status:CODE, clock-skew:MS, …',
  }),
  'token-lifetime': Flags.string({helpValue: 'TIME', default: '5m', description: 'how long a list token lives'}),
  latency: Flags.string({helpValue: 'TIME', default: '0', description: 'delay of each API answer'}),
})
