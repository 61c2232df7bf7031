import {ruleOnTypes} from '../over-types.ts'

/** Configuration that the proxy refused. */
export const xdsRejected = ruleOnTypes(
  {
    name: 'xds-rejected',
    severity: 'fail',
    summary: 'No proxy refused the last configuration that istiod sent it',
    meaning: `The proxy answered what istiod sent last with an error (NACK), and kept what it had. The message is the proxy's
own. Told by istiod 1.23 and newer.`,
    importance: `Nothing that changes later is taken up, either: routes and endpoints grow old, and a pod that starts anew
comes up without them.`,
    sources: ['istiod-syncz'],
    action: 'Mend what the message names: mostly an EnvoyFilter, or an extension that the version of the proxy lacks',
  },
  ({state, error = ''}) => (state === 'ERROR' ? {text: `the proxy refused it: ${error}`, values: {error}} : undefined),
)
