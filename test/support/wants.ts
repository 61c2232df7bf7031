import type {Wants} from '../../src/lib/plan/plan.ts'

/** Both sides of a pod are compared, by whichever route. */
export const BOTH: Wants = {
  sides: ['agent', 'proxy'],
  exclude: [],
  via: 'auto',
  purpose: 'diff',
  istioNamespace: 'istio-system',
}
