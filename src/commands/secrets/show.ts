import * as Args from '@oclif/core/args'
import {BaseCommand} from '../../lib/cli/base-command.ts'
import {connectionFlags, controlPlaneFlags} from '../../lib/cli/flags/connection-flags.ts'
import {certificateFlags, detailOutputFlags, exitFlags} from '../../lib/cli/flags/output-flags.ts'
import {fileFlags, podFlags} from '../../lib/cli/flags/pod-flags.ts'
import {askFlags, pagingFlags, secretObjectFlags} from '../../lib/cli/flags/run-flags.ts'
import {SECRETS_SHOW} from '../../lib/cli/pod-commands.ts'
import {RunError} from '../../lib/domain/failure.ts'

export default class SecretsShow extends BaseCommand {
  static override summary = "Show one pod's secrets in full: chains, signatures, names, keys, trust"
  static override usage = '<%= command.id %> TARGET [NAME] [FLAGS]'

  static override description = `Asks both sides of one pod and shows each secret with its whole chain: who signed what, where
the chain ends, and whether the side's own roots (ROOTCA, or the SPIFFE bundle of that trust domain) lead to it. An
owner is taken where it has one pod. TARGET may be left out where files (-f) speak of one pod.
Ends with 1 where a certificate is not valid now, 3 where a part could not be seen, 4 where nothing could, or no side
holds a secret NAME.`

  static override examples = [
    {description: 'One pod', command: '<%= config.bin %> <%= command.id %> deploy/search -n shop'},
    {
      description: 'What a saved dump holds',
      command: '<%= config.bin %> <%= command.id %> -f cart.config_dump.json',
    },
    {
      description: 'The certificates alone, for openssl x509 and openssl verify',
      command: '<%= config.bin %> <%= command.id %> deploy/search default -n shop -o pem > chain.pem',
    },
  ]

  static override args = {
    target: Args.string({ignoreStdin: true, description: 'a pod, or an owner of one pod'}),
    name: Args.string({ignoreStdin: true, description: 'only this secret, by its whole name'}),
  }

  static override flags = {
    namespace: podFlags.namespace,
    container: podFlags.container,
    ...fileFlags,
    ...detailOutputFlags,
    ...certificateFlags,
    'fail-on': exitFlags['fail-on'],
    'exit-zero': exitFlags['exit-zero'],
    'allow-incomplete': exitFlags['allow-incomplete'],
    timeout: pagingFlags.timeout,
    deadline: askFlags.deadline,
    via: askFlags.via,
    source: askFlags.source,
    'no-source': askFlags['no-source'],
    ...secretObjectFlags,
    ...connectionFlags,
    ...controlPlaneFlags,
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(SecretsShow)
    const {target, name} = args
    if (target === undefined && flags.file === undefined)
      throw new RunError(2, 'no-target', 'Expected a TARGET: the pod to show', ['See more with --help'])
    const chosen = {...flags, 'all-namespaces': false, ...(name !== undefined && {secret: [name]})}
    await this.inspect(SECRETS_SHOW, chosen, target === undefined ? [] : [target])
  }
}
