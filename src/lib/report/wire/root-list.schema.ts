import {z} from 'zod'
import {podFields} from './pod-item.schema.ts'
import {certificateStatus, publicKey} from './secret-row.schema.ts'

const fingerprints = (text: string) =>
  z.array(z.string()).describe(`${text}: SHA-256 of the DER of each, lower-case hex.`)

const bundle = z
  .object({
    trust_domain: z
      .string()
      .optional()
      .describe('Whose certificates they are for; absent for those of any trust domain.'),
    resource_name: z.string().describe('Secret that holds them.'),
    source: z.string().describe('Who spoke for it.'),
    roots: fingerprints('The roots'),
    untold: z.string().optional().describe('Why there may be more roots than are told; absent where all are.'),
  })
  .describe('Mesh roots that the pod checks other workloads with.')

const leaf = z
  .object({
    trust_domain: z.string().describe('Trust domain of the identity; empty where it has none.'),
    ends_in: fingerprints('Roots at hand in this pod that its chain ends in'),
  })
  .describe('An identity that the pod shows.')

export const rootListSchema = z
  .object({
    ...podFields,
    trusts: z.array(bundle).describe('The mesh roots that it trusts.'),
    leaves: z.array(leaf).describe('What its own chains end in.'),
    published: fingerprints('Roots that are published for its namespace').optional(),
  })
  .describe('One pod.')

const root = z
  .object({
    trust_domain: z.string().describe('Trust domain; empty where no pod that holds it shows an identity.'),
    subject: z.string().describe('Its name, most specific part first.'),
    fingerprint_sha256: z.string().optional().describe('SHA-256 of the DER, lower-case hex.'),
    serial_number: z.string().describe('Serial number, lower-case hex with an even number of digits.'),
    not_before: z.string().optional().describe('First second of validity, RFC 3339 in UTC.'),
    not_after: z.string().describe('Last second of validity, RFC 3339 in UTC.'),
    seconds_left: z.int().describe('Whole seconds until not_after; negative once it is over.'),
    cert_valid: z.boolean().describe('True where cert_status is VALID, and only there.'),
    cert_status: certificateStatus,
    key: publicKey.optional(),
    trusted_by: z.int().describe('Pods that trust it.'),
    verifiers: z.int().describe('Pods that trust any root for this trust domain.'),
    leaves: z.int().describe('Pods with a chain that ends in it.'),
    published_in: z.int().describe('Namespaces for which it is published.'),
    published_known: z.int().describe('Namespaces of which it is known what is published.'),
    signing: z
      .boolean()
      .describe(
        'Whether a control plane says that it signs under it: by when this one ends, or an issuer that leads to it.',
      ),
    cert: z.string().optional().describe('Its PEM; absent with --no-cert.'),
  })
  .describe('One root of one trust domain, over all pods.')

const podReason = z
  .object({
    context: z.string().optional().describe('Kubeconfig context; absent where one is asked.'),
    namespace: z.string().describe("The pod's namespace."),
    pod: z.string().describe("The pod's name."),
    reason: z.string().describe('Why, for people.'),
  })
  .describe('A pod, and why it counts.')

const answer = z
  .object({
    fingerprint_sha256: z.string().describe('The root that was asked about, as it was given.'),
    verdict: z
      .enum(['pass', 'fail', 'unknown'])
      .describe('fail: somebody would break; unknown: nobody is known to, and of somebody it is not known.'),
    because: z.string().optional().describe('Why it fails whoever the pods are.'),
    would_break: z.array(podReason).describe('Pods that would break.'),
    not_proven: z.array(podReason).describe('Pods of which it is not known.'),
    proven: z.int().describe('Pods that would not break.'),
  })
  .describe('The answer to a question on one root.')

/** What the report on the fleet holds beside what every kind's does. */
export const rootFleetFields = {
  roots: z.array(root).describe('Every mesh root, by trust domain.'),
  expect: answer.optional().describe('Who does not trust the root of --expect.'),
  without: answer.optional().describe('Who would break without the root of --without.'),
  orphans: z.array(podReason).describe('Pods that show a certificate of an issuer whose root nobody holds.'),
  blind: z.array(podReason).describe('Pods that cannot check certificates in use in their own trust domain.'),
}

/** One pod of `secrets roots`, as it is written. */
export type RootListWire = z.infer<typeof rootListSchema>

export type RootWire = z.infer<typeof root>

export type PodReasonWire = z.infer<typeof podReason>

export type RootAnswerWire = z.infer<typeof answer>

const rootFleet = z.object(rootFleetFields)

export type RootFleetWire = z.infer<typeof rootFleet>
