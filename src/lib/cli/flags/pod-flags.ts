import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {withEnv} from './with-env.ts'

const repeatable = {multiple: true, multipleNonGreedy: true} as const

/** TARGET…: pods and owners. */
export const targetArgs = {
  target: Args.string({
    description: 'pod, pod/NAME, deploy/NAME (sts, ds, rs, job, svc), NAME.NAMESPACE or TYPE/NAME.NAMESPACE',
    multiple: true,
    ignoreStdin: true,
  }),
}

/** Which pods. */
export const podFlags = withEnv({
  namespace: Flags.string({
    char: 'n',
    ...repeatable,
    delimiter: ',',
    helpGroup: 'PODS',
    helpValue: 'NAME',
    description: 'namespace, or several by commas (default: that of the context)',
  }),
  'all-namespaces': Flags.boolean({char: 'A', helpGroup: 'PODS', description: 'all namespaces'}),
  selector: Flags.string({
    char: 'l',
    helpGroup: 'PODS',
    helpValue: 'QUERY',
    description: 'label selector, as in app=cart',
  }),
  'field-selector': Flags.string({helpGroup: 'PODS', helpValue: 'QUERY', description: 'field selector'}),
  node: Flags.string({...repeatable, helpGroup: 'PODS', helpValue: 'NAME', description: 'pods on this node'}),
  revision: Flags.string({char: 'r', helpGroup: 'PODS', helpValue: 'NAME', description: 'control plane revision'}),
  kind: Flags.string({
    ...repeatable,
    helpGroup: 'PODS',
    helpValue: 'KIND',
    description: 'kind of agent: istio-sidecar, istio-gateway, istio-ztunnel, …; a wrong one lists all',
  }),
  container: Flags.string({char: 'c', helpGroup: 'PODS', helpValue: 'NAME', description: "the agent's container"}),
  match: Flags.string({helpGroup: 'PODS', helpValue: 'REGEX', description: 'pods whose name matches'}),
})

/** Which secrets of those pods. */
export const secretFlags = withEnv({
  secret: Flags.string({...repeatable, helpGroup: 'PODS', helpValue: 'NAME', description: 'only this secret'}),
})

/** Files instead of a cluster. */
export const fileFlags = withEnv({
  file: Flags.string({
    char: 'f',
    ...repeatable,
    helpGroup: 'FILES',
    helpValue: '[SIDE=]PATH',
    description: 'a saved answer instead of a cluster; - is standard input; SIDE is agent or proxy',
  }),
})
