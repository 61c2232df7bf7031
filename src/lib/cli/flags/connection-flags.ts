import * as Flags from '@oclif/core/flags'
import {withEnv} from './with-env.ts'

const repeatable = {multiple: true, multipleNonGreedy: true} as const
const helpGroup = 'CONNECTION'

/** kubectl's own flags, with kubectl's meaning. */
export const connectionFlags = withEnv({
  server: Flags.string({char: 's', helpGroup, helpValue: 'URL', description: 'API server'}),
  kubeconfig: Flags.string({helpGroup, helpValue: 'FILE', description: 'kubeconfig to use'}),
  context: Flags.string({
    ...repeatable,
    helpGroup,
    helpValue: 'NAME',
    description: 'context; several are asked in turn',
  }),
  cluster: Flags.string({helpGroup, helpValue: 'NAME', description: 'cluster of the kubeconfig'}),
  user: Flags.string({helpGroup, helpValue: 'NAME', description: 'user of the kubeconfig'}),
  token: Flags.string({helpGroup, helpValue: 'TOKEN', description: 'bearer token'}),
  'certificate-authority': Flags.string({helpGroup, helpValue: 'FILE', description: "the API server's CA"}),
  'insecure-skip-tls-verify': Flags.boolean({helpGroup, description: "do not verify the API server's certificate"}),
  'tls-server-name': Flags.string({helpGroup, helpValue: 'NAME', description: 'name to verify the API server by'}),
  as: Flags.string({helpGroup, helpValue: 'USER', description: 'act as this user'}),
  'as-group': Flags.string({...repeatable, helpGroup, helpValue: 'GROUP', description: 'act as in this group'}),
  'as-uid': Flags.string({helpGroup, helpValue: 'UID', description: 'act as this UID'}),
  'request-timeout': Flags.string({helpGroup, helpValue: 'TIME', default: '30s', description: 'one API request'}),
  'proxy-admin-port': Flags.string({
    helpGroup,
    helpValue: 'PORT',
    description: "proxy's admin port, where the pod does not say (default: that of its kind)",
  }),
})

/** Where to look for pods that speak for others. */
export const controlPlaneFlags = withEnv({
  'istio-namespace': Flags.string({
    char: 'i',
    helpGroup,
    helpValue: 'NAME',
    default: 'istio-system',
    description: 'where the control plane and its node agents are',
  }),
})
