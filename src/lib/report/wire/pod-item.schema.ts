import {z} from 'zod'

const answer = z.object({
  source: z.string().describe('Who answered, e.g. envoy-config-dump.'),
  route: z.enum(['port-forward', 'exec', 'pod-proxy', 'api', 'file']).describe('How it was reached.'),
})

const side = z
  .object({
    state: z
      .enum(['read', 'partial', 'failed', 'not-asked', 'none'])
      .describe('Whether this side was read, in part, not, was not asked, or has nothing to ask.'),
    answers: z.array(answer).describe('What was read of this side.'),
  })
  .describe('One side of a pod.')

const failure = z
  .object({
    side: z.enum(['agent', 'proxy']).optional().describe('The side that is not seen; absent where it is neither.'),
    source: z.string().optional().describe('Who was asked.'),
    route: z
      .enum(['port-forward', 'exec', 'pod-proxy', 'api', 'file'])
      .optional()
      .describe('The way on which it failed.'),
    stage: z.enum(['select', 'dial', 'fetch', 'decode']).describe('Where on the way it failed.'),
    code: z.string().describe('A stable word for what went wrong.'),
    message: z.string().describe('What was tried on what, and what came back.'),
    hint: z.string().optional().describe('One thing to do next.'),
  })
  .describe('Why a part of the answer is missing.')

export const findingSchema = z
  .object({
    rule: z.string().describe("The rule's stable name."),
    severity: z.enum(['warn', 'fail']).describe('How bad it is.'),
    message: z.string().describe('What is wrong, on what, with the values.'),
    subject: z
      .string()
      .optional()
      .describe('What of the pod, the node or the fleet it is about, in stable words: secret default.'),
    values: z
      .record(z.string(), z.union([z.string().describe('Text.'), z.number().describe('Number.')]))
      .optional()
      .describe('The values that it was found by.'),
    hint: z.string().optional().describe('One thing to do next.'),
    accepted: z
      .object({
        reason: z.string().describe('Why it is accepted.'),
        until: z.string().describe('The last day on which it is.'),
      })
      .optional()
      .describe('Accepted for a while: it counts for no verdict.'),
  })
  .describe('A rule that does not hold.')

/** What every kind of item says of its pod. */
export const podFields = {
  context: z.string().optional().describe('Kubeconfig context; absent where none is used.'),
  namespace: z.string().describe("The pod's namespace."),
  pod: z.string().describe("The pod's name."),
  node: z.string().optional().describe('The node that it runs on.'),
  container: z.string().optional().describe('Container of the agent.'),
  agentKind: z.string().optional().describe('Kind of the agent, e.g. istio-sidecar; absent where there is none.'),
  verdict: z.enum(['pass', 'warn', 'fail', 'unknown', 'skipped']).describe('The verdict on this pod.'),
  skipped: z
    .object({
      code: z.string().describe('A stable word for why.'),
      message: z.string().describe('Why, for people.'),
    })
    .optional()
    .describe('Why the pod was not asked; absent where it was.'),
  sides: z.object({agent: side, proxy: side}).describe('What was read of the two sides.'),
  failures: z.array(failure).describe('Why parts of the answer are missing.'),
  findings: z.array(findingSchema).optional().describe('Rules that do not hold on this pod; absent where all do.'),
  notes: z.array(z.string()).optional().describe('Things worth saying of the answers that are no fault.'),
}

const podItem = z.object(podFields)

/** What every kind of item says of its pod, as it is written. */
export type PodItemWire = z.infer<typeof podItem>

export type FindingWire = z.infer<typeof findingSchema>
