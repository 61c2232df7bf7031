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
  interval: Flags.string({helpGroup, helpValue: 'TIME', default: '5s', description: 'between two looks at a pod'}),
})
