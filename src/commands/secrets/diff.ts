import {BaseCommand} from '../../lib/cli/base-command.ts'
import {connectionFlags, controlPlaneFlags} from '../../lib/cli/flags/connection-flags.ts'
import {certificateFlags, detailFlags, exitFlags, outputFlags} from '../../lib/cli/flags/output-flags.ts'
import {fileFlags, podFlags, secretFlags, targetArgs} from '../../lib/cli/flags/pod-flags.ts'
import {askFlags, pagingFlags, sdsFlags, secretObjectFlags, settleFlags} from '../../lib/cli/flags/run-flags.ts'
import {SECRETS_DIFF} from '../../lib/cli/pod-commands.ts'

export default class SecretsDiff extends BaseCommand {
  static override summary = 'Compare the certificates that agents have with those that their proxies hold'
  static override usage = '<%= command.id %> [TARGET...] [FLAGS]'

  static override description = `Asks both sides of every selected pod at the same moment and shows each secret once.
What differs is read again after --settle and counts only if it still does. A pod that does not answer takes a row of
its own and hides no other. Ends with 1 for a difference or a certificate that is not valid now, 3 where a pod could
not be seen, 4 where nothing could.`

  static override examples = [
    {description: 'Check one namespace', command: '<%= config.bin %> <%= command.id %> -n shop'},
    {
      description: 'What differs, field by field',
      command: '<%= config.bin %> <%= command.id %> deploy/cart -n shop --detail',
    },
    {description: 'Gate a pipeline', command: '<%= config.bin %> <%= command.id %> -A -o json > diff.json'},
    {
      description: 'Have the TLS contexts loaded what the secrets are?',
      command: '<%= config.bin %> <%= command.id %> deploy/cart --source envoy-config-dump,envoy-certs',
    },
    {
      description: 'Compare saved answers (see debug get), without a cluster',
      command: '<%= config.bin %> <%= command.id %> -f cart.config_dump.json -f cart.metrics.txt',
    },
  ]

  static override args = targetArgs
  static override flags = {
    ...podFlags,
    ...secretFlags,
    ...fileFlags,
    ...outputFlags,
    ...detailFlags,
    ...certificateFlags,
    ...exitFlags,
    ...pagingFlags,
    ...askFlags,
    ...sdsFlags,
    ...secretObjectFlags,
    ...settleFlags,
    ...connectionFlags,
    ...controlPlaneFlags,
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(SecretsDiff)
    await this.inspect(SECRETS_DIFF, flags, args.target ?? [])
  }
}
