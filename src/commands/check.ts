import {BaseCommand} from '../lib/cli/base-command.ts'
import {checkFlags} from '../lib/cli/flags/check-flags.ts'
import {connectionFlags, controlPlaneFlags} from '../lib/cli/flags/connection-flags.ts'
import {certificateFlags, checkOutputFlags, exitFlags, outputFlags} from '../lib/cli/flags/output-flags.ts'
import {fileFlags, podFlags, targetArgs} from '../lib/cli/flags/pod-flags.ts'
import {askFlags, pagingFlags, settleFlags} from '../lib/cli/flags/run-flags.ts'
import {waitFlags} from '../lib/cli/flags/wait-flags.ts'
import {CHECK} from '../lib/cli/pod-commands.ts'

export default class Check extends BaseCommand {
  static override summary = 'Hold the rules against every selected pod, and give a verdict'
  static override usage = '<%= command.id %> [TARGET...] [FLAGS]'

  static override description = `Asks agents and proxies, and says of each rule whether it holds: certificates that end, agents that do not renew
them, proxies that did not take them up, roots that part of the fleet lacks, agents and proxies that are not ready. A
rule that had no evidence on a pod is told as not evaluated, and never as passed. Ends with 1 for a finding, 3 where a
pod could not be seen, 4 where nothing could or nothing was selected. The exit code is the same in every format.`

  static override examples = [
    {description: 'Check one namespace', command: '<%= config.bin %> <%= command.id %> -n shop'},
    {
      description: 'After a rollout, until all is well',
      command: '<%= config.bin %> <%= command.id %> deploy/catalog -n shop --wait 5m',
    },
    {
      description: 'Also what fails just now',
      command: '<%= config.bin %> <%= command.id %> -n shop --sample 10s',
    },
    {
      description: 'Only two rules, warnings too',
      command: '<%= config.bin %> <%= command.id %> -A --rule cert-expired,proxy-stale --fail-on warn',
    },
  ]

  static override args = targetArgs
  static override flags = {
    ...podFlags,
    ...fileFlags,
    ...checkFlags,
    ...outputFlags,
    ...checkOutputFlags,
    now: certificateFlags.now,
    ...exitFlags,
    ...pagingFlags,
    ...askFlags,
    ...settleFlags,
    ...waitFlags,
    ...connectionFlags,
    ...controlPlaneFlags,
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Check)
    await this.inspect(CHECK, flags, args.target ?? [])
  }
}
