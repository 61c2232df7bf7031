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
  'warn-before': Flags.string({
    ...repeatable,
    helpGroup: 'RULES',
    helpValue: '[PLACE=]LEFT',
    description:
      'warn of a certificate with less left: a time (30d) or a share of its life (30%), for all or for one PLACE of ' +
      'leaf, intermediate, root',
  }),
  'fail-before': Flags.string({
    ...repeatable,
    helpGroup: 'RULES',
    helpValue: '[PLACE=]LEFT',
    description: 'fail for a certificate with less left, likewise',
  }),
  roots: Flags.string({
    ...repeatable,
    helpGroup: 'RULES',
    helpValue: 'ROOT',
    description:
      'every proxy has to trust these, in place of the published ones: a PEM file or a SHA-256 fingerprint, repeatable',
  }),
  accept: Flags.string({
    helpGroup: 'RULES',
    helpValue: 'FILE',
    description:
      'findings that are accepted until a day: a YAML or JSON list of {rule, namespace, pod, secret, reason, until}',
  }),
})
