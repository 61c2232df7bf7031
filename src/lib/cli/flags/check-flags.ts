import * as Flags from '@oclif/core/flags'
import {withEnv} from './with-env.ts'

const repeatable = {multiple: true, multipleNonGreedy: true} as const

/** Which rules are held against the pods, and how bad it is where they do not hold. */
export const checkFlags = withEnv({
  rule: Flags.string({
    ...repeatable,
    delimiter: ',',
    helpGroup: 'RULES',
    helpValue: 'RULE',
    description: 'only these; then a pod that lacks the evidence for one is incomplete (see check rules)',
  }),
  severity: Flags.string({
    ...repeatable,
    helpGroup: 'RULES',
    helpValue: 'RULE=LEVEL',
    description: 'off, warn or fail, in place of what the rule says',
  }),
})
