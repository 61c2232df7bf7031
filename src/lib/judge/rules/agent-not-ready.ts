import {defineRule} from '../define-rule.ts'
import {judgeReadiness} from '../readiness.ts'
import {isEvaluated, type PodRule} from '../rule.ts'
import {judgeSample} from '../sampled-troubles.ts'

/** An agent that says, or of which its kubelet says, that it is not ready. */
export const agentNotReady: PodRule = defineRule<PodRule>({
  name: 'agent-not-ready',
  scope: 'pod',
  severity: 'fail',
  settles: true,
  summary: 'Every agent runs and is ready',
  meaning: `The container of the agent does not run, or the agent's own endpoint or its kubelet says that it is not ready.
A warning where the agent says that it is and the kubelet does not, and where its connections to istiod or its scrapes
failed during --sample.`,
  importance: 'It hands its proxy no certificates and no configuration, and the pod gets no traffic from its services.',
  sources: ['agent-ready', 'agent-metrics'],
  action: 'See its log with kubectl logs -c CONTAINER (--previous after a restart), and kubectl describe pod',
  judge(seen) {
    const {capturedAs, tellsReady = []} = seen.agent
    // Of a kind that is a proxy alone, the container is the proxy's.
    if (capturedAs !== undefined || (tellsReady.includes('proxy') && !tellsReady.includes('agent'))) return undefined
    const said = judgeReadiness('agent', agentNotReady, seen, 'of this side')
    const troubles = judgeSample(agentNotReady, seen.observations)
    if (isEvaluated(said)) return [...said, ...troubles]
    return troubles.length > 0 ? troubles : said
  },
})
