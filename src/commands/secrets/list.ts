import {BaseCommand} from '../../lib/cli/base-command.ts'
import {connectionFlags, controlPlaneFlags} from '../../lib/cli/flags/connection-flags.ts'
import {certificateFlags, exitFlags, outputFlags} from '../../lib/cli/flags/output-flags.ts'
import {fileFlags, podFlags, secretFlags, targetArgs} from '../../lib/cli/flags/pod-flags.ts'
import {askFlags, pagingFlags, sdsFlags, secretObjectFlags} from '../../lib/cli/flags/run-flags.ts'
import {SECRETS_LIST} from '../../lib/cli/pod-commands.ts'

export default class SecretsList extends BaseCommand {
  static override summary = 'List the secrets that each side holds: the agent, and its proxy'
  static override usage = '<%= command.id %> [TARGET...] [FLAGS]'

  static override description = `Asks both sides of every selected pod and shows what each of them holds, by itself.
Ends with 1 where a certificate is not valid now, 3 where a pod could not be seen, 4 where nothing could.`

  static override examples = [
    {description: 'One workload', command: '<%= config.bin %> <%= command.id %> deploy/cart -n shop'},
    {
      description: 'What a saved dump holds',
      command: '<%= config.bin %> <%= command.id %> -f cart.config_dump.json -o wide',
    },
  ]

  static override args = targetArgs
  static override flags = {
    ...podFlags,
    ...secretFlags,
    ...fileFlags,
    ...outputFlags,
    ...certificateFlags,
    ...exitFlags,
    ...pagingFlags,
    ...askFlags,
    ...sdsFlags,
    ...secretObjectFlags,
    ...connectionFlags,
    ...controlPlaneFlags,
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(SecretsList)
    await this.inspect(SECRETS_LIST, flags, args.target ?? [])
  }
}
