import {BaseCommand} from '../../lib/cli/base-command.ts'
import {sandboxFlags} from '../../lib/cli/flags/sandbox-flags.ts'
import {startRunSignal} from '../../lib/cli/interrupt.ts'
import {readSandboxValues} from '../../lib/cli/sandbox-values.ts'
import {readSandboxOptions} from '../../lib/sandbox/read-options.ts'
import {keepSandbox} from '../../lib/sandbox/run-in-sandbox.ts'

export default class SandboxStart extends BaseCommand {
  static override summary = 'Start an embedded cluster and keep it until Ctrl-C'
  static override usage = '<%= command.id %> [FLAGS]'

  static override description = `Prints how to use it from another terminal. The cluster listens on loopback only.`

  static override examples = [
    {description: 'A fleet of 2,000 pods', command: '<%= config.bin %> <%= command.id %> --pods 2000'},
  ]

  static override flags = sandboxFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(SandboxStart)
    const options = readSandboxOptions(readSandboxValues(flags))
    using until = startRunSignal(0)
    await keepSandbox({...options, self: this.io.self}, (text) => void this.io.stdout.write(text), until.signal)
  }
}
