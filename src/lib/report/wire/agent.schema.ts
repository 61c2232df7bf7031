import {z} from 'zod'
import {podFields} from './pod-item.schema.ts'

const {context, namespace, pod, node, container, agentKind, ...rest} = podFields

const admin = z
  .object({
    type: z.enum(['port', 'socket', 'off']).describe('How it is reached.'),
    port: z.int().optional().describe('Its port on loopback.'),
    path: z.string().optional().describe('Its socket file.'),
    reason: z.string().optional().describe('Why it is off.'),
  })
  .describe("The proxy's admin interface.")

const containerPort = z
  .object({
    name: z.string().optional().describe("The port's name."),
    port: z.int().describe("The port's number."),
    protocol: z.string().describe('TCP, UDP or SCTP.'),
  })
  .describe('A port that the container declares.')

const podContainer = z
  .object({
    name: z.string().describe("The container's name."),
    image: z.string().describe('The image that it runs.'),
    role: z
      .enum(['container', 'sidecar', 'init'])
      .describe('Its place in the pod; a sidecar is an init container that keeps running.'),
    ready: z.boolean().describe('Whether the kubelet says that it is ready.'),
    state: z.enum(['running', 'waiting', 'terminated', 'unknown']).describe('What the kubelet says of it.'),
    reason: z.string().optional().describe("Kubernetes' own word for the state, e.g. CrashLoopBackOff."),
    restarts: z.int().describe('How often it was started again.'),
    ports: z.array(containerPort).describe('The ports that it declares.'),
  })
  .describe('A container of the pod.')

export const agentSchema = z
  .object({
    context,
    namespace,
    pod,
    node,
    container,
    agentKind,
    because: z.string().optional().describe('Why it is this kind.'),
    ready: z.boolean().optional().describe("Whether the agent's container is ready; absent where there is none."),
    version: z.string().optional().describe("The agent's version."),
    revision: z.string().optional().describe('The control plane revision that it belongs to.'),
    dialect: z.enum(['envoy', 'ztunnel', 'none']).optional().describe('What speaks on the proxy side.'),
    admin: admin.optional(),
    statusPort: z.int().optional().describe("Port of the agent's status and metrics."),
    graceRatio: z.number().optional().describe("Share of a certificate's life that is left when the agent renews it."),
    certificateDir: z.string().optional().describe('Directory of certificate files that the agent writes or uses.'),
    trustSource: z.string().optional().describe('Who hands out certificates and roots.'),
    warnings: z.array(z.string()).optional().describe('Things worth saying of how the agent is set up.'),
    status: z.string().describe("What the pod is doing, in kubectl's words, e.g. Running (not ready)."),
    ips: z.array(z.string()).describe("The pod's addresses."),
    hostNetwork: z.boolean().describe("Whether it uses its node's network."),
    serviceAccount: z.string().optional().describe('The service account that it runs as.'),
    createdAt: z.string().optional().describe('When the pod was made, RFC 3339.'),
    containers: z.array(podContainer).describe('Its containers, init containers first.'),
    ...rest,
  })
  .describe('One pod that carries an agent.')

/** One pod of `agents list`, as it is written. */
export type AgentWire = z.infer<typeof agentSchema>
