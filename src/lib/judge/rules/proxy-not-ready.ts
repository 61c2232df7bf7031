import {defineRule} from '../define-rule.ts'
import {judgeReadiness} from '../readiness.ts'
import type {PodRule} from '../rule.ts'

/** A proxy that says that it is not ready. */
export const proxyNotReady: PodRule = defineRule<PodRule>({
  name: 'proxy-not-ready',
  scope: 'pod',
  severity: 'fail',
  settles: true,
  summary: 'Every proxy is live',
  meaning: `The proxy answers on its admin interface that it is not live: it waits for its first configuration or a secret
(PRE_INITIALIZING, INITIALIZING), or gives up its connections (DRAINING). Of kinds that are a proxy alone, the container
counts too.`,
  importance: 'A proxy that initialises serves nothing; one that drains serves no new connections.',
  sources: ['proxy-ready'],
  action: 'See what it waits for: agentctl secrets show POD, and its log for refused configuration',
  judge(seen) {
    const {capturedAs, tellsReady = []} = seen.agent
    if (capturedAs !== undefined || !tellsReady.includes('proxy')) return undefined
    const isAlone = !tellsReady.includes('agent')
    return judgeReadiness('proxy', proxyNotReady, seen, isAlone ? 'of this side' : 'of the other side')
  },
})
