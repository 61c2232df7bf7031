import * as Args from '@oclif/core/args'
import {BaseCommand} from '../../lib/cli/base-command.ts'
import {sandboxFlags} from '../../lib/cli/flags/sandbox-flags.ts'
import {readSandboxValues} from '../../lib/cli/sandbox-values.ts'
import {readSandboxOptions} from '../../lib/sandbox/read-options.ts'
import {runInSandbox} from '../../lib/sandbox/run-in-sandbox.ts'

export default class SandboxRun extends BaseCommand {
  static override summary = 'Run a command in an embedded cluster with simulated agents and real certificates'
  static override usage = '<%= command.id %> [FLAGS] -- COMMAND...'

  static override description = `Starts the cluster on loopback, runs COMMAND with KUBECONFIG set to it, and ends with its
exit code. The word agentctl in COMMAND is this program. kubectl works in it too: get, exec, auth can-i.`

  static override examples = [
    {
      description: 'The demo',
      command: '<%= config.bin %> <%= command.id %> -- agentctl secrets diff -A',
    },
    {
      description: 'A fleet, one pod of which does not answer',
      command: '<%= config.bin %> <%= command.id %> --pods 200 --fault-share 1% -- agentctl secrets diff -A',
    },
  ]

  static override args = {
    command: Args.string({
      description: 'the command, after --',
      multiple: true,
      required: true,
      ignoreStdin: true,
    }),
  }

  static override flags = sandboxFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(SandboxRun)
    const options = readSandboxOptions(readSandboxValues(flags))
    this.io.setExitCode(await runInSandbox({...options, self: this.io.self}, args.command ?? [], this.io.env))
  }
}
