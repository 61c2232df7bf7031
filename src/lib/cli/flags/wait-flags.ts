import * as Flags from '@oclif/core/flags'
import {withEnv} from './with-env.ts'

const helpGroup = 'WAITING'

/** Asking again what is not well. */
export const waitFlags = withEnv({
  wait: Flags.string({
    helpGroup,
    helpValue: 'TIME',
    default: '0',
    description: 'ask pods that are not well again, for so long, and report once; ends early where time mends nothing',
  }),
  sample: Flags.string({
    helpGroup,
    helpValue: 'TIME',
    description: 'read the counters of agents twice, so far apart (10s), and find what fails',
  }),
  interval: Flags.string({helpGroup, helpValue: 'TIME', default: '5s', description: 'between two looks at a pod'}),
})
