import {z} from 'zod'
import {findingSchema} from './pod-item.schema.ts'

const count = (text: string) => z.int().describe(text)

const compared = z
  .object({
    fingerprint: count('By the SHA-256 of the certificate.'),
    serial: count('By serial number and both dates.'),
    expiry: count('By the second at which both end: the same expiry, not the same certificate.'),
    published: count('Against what the control plane publishes.'),
    presence: count('By being there.'),
    none: count('Not compared.'),
  })
  .describe('By what the rows were compared.')

const summaryFields = {
  pods: count('Selected pods.'),
  pass: count('Pods with verdict pass.'),
  warn: count('Pods with verdict warn.'),
  fail: count('Pods with verdict fail.'),
  unknown: count('Pods with verdict unknown.'),
  skipped: count('Pods that were not asked.'),
  compared: compared.optional(),
}

const pageFields = {
  continue: z.string().optional().describe('What --continue takes to go on from here; absent at the end.'),
  remaining: z.int().optional().describe('Pods that follow, where the server says so.'),
  consistent: z.boolean().describe('False where a token expired, so that a part of the list is of a newer moment.'),
}

const stopped = z
  .object({
    code: z.string().describe('A stable word for why.'),
    message: z.string().describe('Why, for people.'),
    hint: z.string().optional().describe('One thing to do next.'),
  })
  .describe('Why the run ended early; absent where it did not. What came before stands.')

const fleetFields = {
  complete: z.boolean().describe('False after a limit, a shard or a stop: then no finding on the fleet is made.'),
  findings: z.array(findingSchema).describe('Rules that do not hold on the fleet.'),
}

const fleetSchema = (more: z.ZodRawShape) =>
  z.object({...fleetFields, ...more}).describe('What is said of all pods together.')

const fleet = fleetSchema({})

const apiVersion = z.literal('agentctl/v1').describe('Keys are only added within a version.')

const summary = z.object(summaryFields).describe('Counts of the run.')

const comparedSummary = z.object({...summaryFields, compared}).describe('Counts of the run.')

const metadata = z
  .object({
    generatedAt: z.string().describe('When the report was made, RFC 3339 in UTC.'),
    contexts: z.array(z.string()).describe('Kubeconfig contexts that were asked; empty for files.'),
  })
  .describe('What the report is of.')

/**
 * The whole document of one kind; `compares` where its summary says by what rows were compared, `ofFleet` what it says
 * of the fleet beside findings.
 */
export function documentSchema(
  kind: string,
  item: z.ZodType,
  {compares = false, ofFleet = {}}: {readonly compares?: boolean; readonly ofFleet?: z.ZodRawShape} = {},
) {
  return z
    .object({
      apiVersion,
      kind: z.literal(kind).describe('Kind of the document.'),
      metadata,
      items: z.array(item).describe('One for each selected pod, in list order.'),
      page: z.object(pageFields).describe('How the list goes on.'),
      stopped: stopped.optional(),
      fleet: fleetSchema(ofFleet),
      summary: compares ? comparedSummary : summary,
    })
    .describe(`${kind}: the answer of one run.`)
}

/** One line of ndjson that tells of an item. */
export function lineSchema(kind: string, item: z.ZodObject) {
  return z
    .object({apiVersion, kind: z.literal(kind).describe('Kind of the line.'), ...item.shape})
    .describe(`${kind}: one pod, as a line of ndjson.`)
}

export const pageLineSchema = z
  .object({apiVersion, kind: z.literal('Page').describe('Kind of the line.'), ...pageFields})
  .describe('Page: the line of ndjson after each page of the list.')

/** The last line of ndjson, of every kind; `ofFleet` is what some kinds say of the fleet beside findings. */
export function summaryLineSchema(ofFleet: z.ZodRawShape) {
  return z
    .object({
      apiVersion,
      kind: z.literal('Summary').describe('Kind of the line.'),
      stopped: stopped.optional(),
      fleet: fleetSchema(z.object(ofFleet).partial().shape),
      ...summaryFields,
    })
    .describe('Summary: the last line of ndjson.')
}

export type SummaryWire = z.infer<typeof summary>

const page = z.object(pageFields)

export type PageWire = z.infer<typeof page>

export type StoppedWire = z.infer<typeof stopped>

export type FleetWire = z.infer<typeof fleet>
