import {BaseCommand} from '../../lib/cli/base-command.ts'
import {connectionFlags} from '../../lib/cli/flags/connection-flags.ts'
import {outputFlags} from '../../lib/cli/flags/output-flags.ts'
import {podFlags, targetArgs} from '../../lib/cli/flags/pod-flags.ts'
import {pagingFlags} from '../../lib/cli/flags/run-flags.ts'
import {AGENTS_LIST} from '../../lib/cli/pod-commands.ts'

export default class AgentsList extends BaseCommand {
  static override aliases = ['agents', 'pods']
  static override summary = 'List the pods that carry an agent'
  static override usage = '<%= command.id %> [TARGET...] [FLAGS]'

  static override description = `Tells what the API server knows of them: the kind of agent, whether it is ready, its
version, revision and node. No agent is asked.`

  static override examples = [
    {description: 'The whole fleet', command: '<%= config.bin %> <%= command.id %> -A'},
    {
      description: 'Gateways, as names for a script',
      command: '<%= config.bin %> <%= command.id %> -A --kind istio-gateway -o name',
    },
  ]

  static override args = targetArgs
  static override flags = {...podFlags, ...outputFlags, ...pagingFlags, ...connectionFlags}

  async run(): Promise<void> {
    const {args, flags} = await this.parse(AgentsList)
    await this.inspect(AGENTS_LIST, flags, args.target ?? [])
  }
}
