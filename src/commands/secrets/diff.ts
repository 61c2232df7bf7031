import {Command} from '@oclif/core/command'
import {connectionFlags} from '../../lib/cli/flags/connection-flags.ts'
import {certificateFlags, exitFlags, outputFlags} from '../../lib/cli/flags/output-flags.ts'
import {fileFlags, podFlags, secretFlags, targetArgs} from '../../lib/cli/flags/pod-flags.ts'
import {askFlags, pagingFlags, settleFlags} from '../../lib/cli/flags/run-flags.ts'

export default class SecretsDiff extends Command {
  static override summary = 'Compare the certificates of each agent with those its proxy holds'
  static override args = targetArgs
  static override flags = {...podFlags,...secretFlags,...fileFlags, ...connectionFlags, ...pagingFlags,...askFlags,...settleFlags, ...outputFlags,...certificateFlags,...exitFlags}
  async run(): Promise<void> {
    const {flags, args} = await this.parse(SecretsDiff)
    process.stdout.write(JSON.stringify({flags, args}) + '\n')
  }
}
