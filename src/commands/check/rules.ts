import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../lib/cli/base-command.ts'
import {outputFlags} from '../../lib/cli/flags/output-flags.ts'
import {withEnv} from '../../lib/cli/flags/with-env.ts'
import {tellRules} from '../../lib/cli/tell-rules.ts'

export default class CheckRules extends BaseCommand {
  static override summary = 'List the rules of check, or explain one'
  static override usage = '<%= command.id %> [RULE] [FLAGS]'

  static override description = `Without RULE a line for each: how bad a finding is, whether it is on a pod, a node or the fleet, and what holds
where the rule does. With RULE all of it: what a finding means, why it matters, what to do, what has to be read for it, and
which flags change it. Nothing is asked of a cluster.`

  static override examples = [
    {description: 'All rules', command: '<%= config.bin %> <%= command.id %>'},
    {description: 'One in full', command: '<%= config.bin %> <%= command.id %> rotation-overdue'},
  ]

  static override args = {
    rule: Args.string({ignoreStdin: true, description: 'its name, as findings tell it'}),
  }

  static override flags = {
    ...withEnv({
      output: Flags.string({
        char: 'o',
        helpGroup: 'OUTPUT',
        helpValue: 'FORMAT',
        default: 'table',
        description: 'table, json, yaml',
      }),
    }),
    'no-headers': outputFlags['no-headers'],
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(CheckRules)
    await tellRules(args.rule, flags, this.io)
  }
}
