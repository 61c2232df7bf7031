import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../lib/cli/base-command.ts'
import {connectionFlags} from '../../lib/cli/flags/connection-flags.ts'
import {askFlags} from '../../lib/cli/flags/run-flags.ts'
import {withEnv} from '../../lib/cli/flags/with-env.ts'
import {getDebugAnswer} from '../../lib/cli/get-debug-answer.ts'

export default class DebugGet extends BaseCommand {
  static override summary = 'Read a debug endpoint of an agent or its proxy, raw'
  static override usage = '<%= command.id %> TARGET [PORT]/PATH[?QUERY] [FLAGS]'

  static override description = `Only paths that change nothing are allowed, by kind of agent; a wrong one lists them.
Private keys are taken out of the answer. Of an owner, the first pod with an agent is asked.`

  static override examples = [
    {
      description: "The proxy's secrets",
      command: "<%= config.bin %> <%= command.id %> deploy/cart -n shop '/config_dump?mask=dynamic_active_secrets'",
    },
    {
      description: 'Save what the proxy holds, to be compared later with secrets diff -f',
      command: '<%= config.bin %> <%= command.id %> deploy/cart -n shop /config_dump > cart.config_dump.json',
    },
    {
      description: 'and what the agent says of its own certificate',
      command: '<%= config.bin %> <%= command.id %> deploy/cart -n shop 15020/metrics > cart.metrics.txt',
    },
  ]

  static override args = {
    target: Args.string({required: true, ignoreStdin: true, description: 'a pod, or an owner of pods'}),
    path: Args.string({
      required: true,
      ignoreStdin: true,
      description: "[PORT]/PATH[?QUERY]; without PORT, of the proxy's admin interface",
    }),
  }

  static override flags = {
    ...withEnv({
      namespace: Flags.string({char: 'n', helpValue: 'NAME', description: "the target's namespace"}),
      container: Flags.string({char: 'c', helpValue: 'NAME', description: "the agent's container"}),
    }),
    via: askFlags.via,
    deadline: askFlags.deadline,
    ...connectionFlags,
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(DebugGet)
    await getDebugAnswer(flags, args.target, args.path, this.io)
  }
}
