import {BaseCommand} from '../../lib/cli/base-command.ts'
import {connectionFlags, controlPlaneFlags} from '../../lib/cli/flags/connection-flags.ts'
import {certificateFlags, exitFlags, outputFlags} from '../../lib/cli/flags/output-flags.ts'
import {fileFlags, podFlags, targetArgs} from '../../lib/cli/flags/pod-flags.ts'
import {rootFlags} from '../../lib/cli/flags/root-flags.ts'
import {askFlags, pagingFlags} from '../../lib/cli/flags/run-flags.ts'
import {SECRETS_ROOTS} from '../../lib/cli/pod-commands.ts'

export default class SecretsRoots extends BaseCommand {
  static override summary = 'Show each mesh root: who trusts it, and whose chains end in it'
  static override usage = '<%= command.id %> [TARGET...] [FLAGS]'

  static override description = `Asks the proxy of every selected pod which mesh roots it trusts (ROOTCA, SPIFFE bundles, the roots of each
identity in ztunnel, the files of a proxyless agent), and follows its own chain to a root. A line is a root of a trust
domain: pods that trust it, pods whose chains end in it, whether it is published, and whether a control plane says that
it signs under it. Certificates that a gateway shows to the outside, and what it trusts there, are not of the mesh.

To change the root of a mesh: publish the new one beside the old one, sign with it once --expect NEW ends with 0, and
take the old one away once --without OLD does. A pod that could not be read, or whose ztunnel is too old to show its
roots (up to 1.25), is not proven: then these end with 3, unless some pod is known to break.`

  static override examples = [
    {description: 'The whole mesh', command: '<%= config.bin %> <%= command.id %> -A'},
    {
      description: 'May certificates be signed with the new root?',
      command: '<%= config.bin %> <%= command.id %> -A --expect new-root.pem',
    },
    {
      description: 'May the old root go?',
      command: '<%= config.bin %> <%= command.id %> -A --without 3f2a91c04be1d7a2',
    },
  ]

  static override args = targetArgs
  static override flags = {
    ...podFlags,
    ...fileFlags,
    ...rootFlags,
    output: outputFlags.output,
    'no-headers': outputFlags['no-headers'],
    'sort-by': outputFlags['sort-by'],
    color: outputFlags.color,
    quiet: outputFlags.quiet,
    verbose: outputFlags.verbose,
    ...certificateFlags,
    'fail-on': exitFlags['fail-on'],
    'exit-zero': exitFlags['exit-zero'],
    'allow-incomplete': exitFlags['allow-incomplete'],
    'max-unknown': exitFlags['max-unknown'],
    'chunk-size': pagingFlags['chunk-size'],
    timeout: pagingFlags.timeout,
    ...askFlags,
    ...connectionFlags,
    ...controlPlaneFlags,
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(SecretsRoots)
    await this.inspect(SECRETS_ROOTS, flags, args.target ?? [])
  }
}
