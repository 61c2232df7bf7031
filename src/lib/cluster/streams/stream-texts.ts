import type {FailureCode, Stage} from '../../domain/failure.ts'

/** What a text of the kubelet, the container runtime or the API server comes down to. */
export interface StreamText {
  readonly stage: Stage
  readonly code: FailureCode
  /** Goes after a colon. */
  readonly says: string
  readonly hint?: string
}

type Rule = StreamText & {readonly when: RegExp}

const WRONG_CONTAINER = 'Check the container name, and whether the container is running: kubectl get pod -o wide'
const LIST_AGAIN = 'The pod may have been replaced: list the pods again'
const NOT_RUNNING = 'Only running pods can be asked: kubectl describe pod tells why it is not'
const NODE_UNREACHABLE = "The API server cannot reach the node's kubelet (port 10250): check the node and its firewall"
const USE_EXEC = 'Use --via exec, or install socat on the node'

/**
 * First match wins. The texts are those of the kubelet (`server/portforward`, `server/remotecommand`), of
 * containerd, CRI-O and dockershim, and of the API server's dialler; none of them comes with a code.
 */
const RULES: readonly Rule[] = [
  {
    when: /forbidden \(user=.*resource=nodes/iu,
    stage: 'dial',
    code: 'kubelet-forbidden',
    says: 'the kubelet refuses the API server',
    hint: "This is the cluster's set-up, not your permissions: the API server's own user lacks nodes/proxy (ClusterRole system:kubelet-api-admin)",
  },
  {
    when: /^pods? "\S+" not found/iu,
    stage: 'dial',
    code: 'pod-gone',
    says: 'the pod is gone',
    hint: LIST_AGAIN,
  },
  {
    when: /no agent available|proxy error from \S+ while dialing|no (?:ssh )?tunnels?\b|tunnel (?:is )?(?:closed|disconnected)|failed to (?:get a backend|find session for client)/iu,
    stage: 'dial',
    code: 'node-unreachable',
    says: 'the API server has no tunnel to the node',
    hint: 'No konnectivity agent is connected: kubectl get pods -n kube-system -l k8s-app=konnectivity-agent',
  },
  {
    when: /dialing backend.*(?:tls|x509)/iu,
    stage: 'dial',
    code: 'node-unreachable',
    says: "the API server does not trust the kubelet's certificate",
    hint: "The kubelet's serving certificate may wait for approval: kubectl get csr",
  },
  {
    when: /dialing backend|dial tcp \S*:10250/iu,
    stage: 'dial',
    code: 'node-unreachable',
    says: 'the API server cannot reach the node',
    hint: NODE_UNREACHABLE,
  },
  {
    when: /\b(?:socat|nsenter|wincat)(?:\.exe)?"?:? (?:is |executable file )?not found|unable to find (?:socat|nsenter)/iu,
    stage: 'dial',
    code: 'node-cannot-forward',
    says: 'the node lacks socat',
    hint: USE_EXEC,
  },
  {
    when: /port.?forward\S* .*not (?:supported|implemented)|(?:not supported|not implemented|unimplemented).*port.?forward/iu,
    stage: 'dial',
    code: 'node-cannot-forward',
    says: 'its node does not support forwarding',
    hint: 'Use --via exec or --via pod-proxy',
  },
  {
    when: /container \S+ is not valid for pod|container name must be specified/iu,
    stage: 'dial',
    code: 'container-not-found',
    says: 'it has no such container',
    hint: WRONG_CONTAINER,
  },
  {
    when: /container not found/iu,
    stage: 'dial',
    code: 'container-not-found',
    says: 'container not found',
    hint: WRONG_CONTAINER,
  },
  {
    when: /container is (?:not running|in CONTAINER_\w+ state)|stopped container|exec in a \w+ state|failed to (?:load task|create exec)\b|failed to exec in container: (?!failed to start exec)|(?<!sandbox )container \S+ is not running/iu,
    stage: 'dial',
    code: 'container-not-running',
    says: 'the container is not running',
    hint: NOT_RUNNING,
  },
  {
    when: /does not have a host assigned/iu,
    stage: 'dial',
    code: 'pod-not-running',
    says: 'the pod has no node yet',
    hint: NOT_RUNNING,
  },
  {
    when: /completed pod|pod is not running|sandbox (?:container )?\S+ is not running|does not allow this method/iu,
    stage: 'dial',
    code: 'pod-not-running',
    says: 'the pod is not running',
    hint: NOT_RUNNING,
  },
  {
    when: /pod does not exist|pod \S+ not found|(?:find|get) sandbox|sandbox \S+ (?:does not exist|not found)/iu,
    stage: 'dial',
    code: 'pod-gone',
    says: 'the pod is gone',
    hint: LIST_AGAIN,
  },
]

/** Recognises a text by the table above. */
export function readStreamText(text: string): StreamText | undefined {
  const rule = RULES.find(({when}) => when.test(text))
  if (rule === undefined) return undefined
  const {stage, code, says, hint} = rule
  return {stage, code, says, ...(hint !== undefined && {hint})}
}
