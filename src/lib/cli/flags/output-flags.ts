import * as Flags from '@oclif/core/flags'
import {OUTPUT_FORMATS} from '../../report/output-format.ts'
import {withEnv} from './with-env.ts'

/** What is printed, and how. */
export const outputFlags = withEnv({
  output: Flags.string({
    char: 'o',
    helpGroup: 'OUTPUT',
    helpValue: 'FORMAT',
    default: 'table',
    description: OUTPUT_FORMATS.join(', '),
  }),
  show: Flags.string({
    helpGroup: 'OUTPUT',
    options: ['auto', 'all', 'problems'],
    default: 'auto',
    description: 'rows of a table: auto is all up to 100 pods, else problems',
  }),
  'no-headers': Flags.boolean({helpGroup: 'OUTPUT', description: 'tables without their first line'}),
  'sort-by': Flags.string({helpGroup: 'OUTPUT', helpValue: 'PATH', description: 'sort table rows by a JSON path'}),
  color: Flags.string({
    helpGroup: 'OUTPUT',
    options: ['auto', 'always', 'never'],
    default: 'auto',
    description: 'colours; auto is a terminal',
  }),
  quiet: Flags.boolean({char: 'q', helpGroup: 'OUTPUT', description: 'no notes on stderr, only warnings and errors'}),
  verbose: Flags.boolean({
    char: 'v',
    helpGroup: 'OUTPUT',
    description: 'say what is asked of whom, and what came back; twice: each question',
  }),
})

/** What `check` prints, and where else. */
export const checkOutputFlags = withEnv({
  output: Flags.string({
    char: 'o',
    helpGroup: 'OUTPUT',
    helpValue: 'FORMAT',
    default: 'table',
    description: [...OUTPUT_FORMATS, 'junit', 'sarif', 'prom', 'github', 'markdown'].join(', '),
  }),
  'output-file': Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'OUTPUT',
    helpValue: 'FORMAT=PATH',
    description: 'write it in this format to a file too, which appears once it is whole',
  }),
})

/** What `secrets show` prints, and how: a page of text in place of a table, or the certificates alone. */
export const detailOutputFlags = {
  ...withEnv({
    output: Flags.string({
      char: 'o',
      helpGroup: 'OUTPUT',
      helpValue: 'FORMAT',
      default: 'table',
      description: [...OUTPUT_FORMATS, 'pem'].join(', '),
    }),
  }),
  color: outputFlags.color,
  quiet: outputFlags.quiet,
  verbose: outputFlags.verbose,
}

/** More on what differs. */
export const detailFlags = withEnv({
  detail: Flags.boolean({
    helpGroup: 'OUTPUT',
    description: 'compare each two certificates that differ field by field: below the table, and in JSON and YAML',
  }),
})

/** Rows with certificates. */
export const certificateFlags = withEnv({
  cert: Flags.boolean({
    helpGroup: 'OUTPUT',
    default: true,
    allowNo: true,
    description: 'PEM of each certificate in JSON and YAML',
  }),
  now: Flags.string({helpGroup: 'OUTPUT', helpValue: 'TIME', description: 'judge as of then (RFC 3339)'}),
})

/** What the exit code stands for. */
export const exitFlags = withEnv({
  'fail-on': Flags.string({
    helpGroup: 'EXIT CODE',
    options: ['fail', 'warn'],
    default: 'fail',
    description: 'what ends with 1',
  }),
  'exit-zero': Flags.boolean({helpGroup: 'EXIT CODE', description: 'end with 0 instead of 1 and 3'}),
  'allow-incomplete': Flags.boolean({helpGroup: 'EXIT CODE', description: 'end with 0 instead of 3'}),
  'allow-empty': Flags.boolean({helpGroup: 'EXIT CODE', description: 'nothing selected is no failure'}),
  'max-unknown': Flags.string({
    helpGroup: 'EXIT CODE',
    helpValue: 'N|P%',
    description: 'so many pods may be incomplete',
  }),
})
