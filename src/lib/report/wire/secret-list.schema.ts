import {z} from 'zod'
import {podFields} from './pod-item.schema.ts'
import {chainEntry, secretFields, secretType} from './secret-row.schema.ts'

const signedByNext = z
  .boolean()
  .optional()
  .describe(
    'Whether the next certificate of the chain has signed it; absent for the last and a self-signed one. Only in secrets show.',
  )

const row = z
  .object({
    resource_name: z.string().describe('Name of the secret.'),
    type: secretType,
    side: z.enum(['agent', 'proxy']).describe('Who holds it.'),
    agent_source: z.string().optional().describe("Who spoke for the agent's side."),
    proxy_source: z.string().optional().describe("Who spoke for the proxy's side."),
    ...secretFields,
    chain: z
      .array(
        z.object({...chainEntry.shape, signed_by_next: signedByNext}).describe('A further certificate of the chain.'),
      )
      .describe('The rest of a chain, in order of trust.'),
    signed_by_next: signedByNext,
    chain_end: z
      .enum(['self-signed', 'issuer-not-included'])
      .optional()
      .describe('Where the signatures end that begin with the leaf. Only of a chain, in secrets show.'),
    verified: z
      .boolean()
      .optional()
      .describe(
        'Whether a verifier with the roots of this side takes the chain now: signatures, dates and CA flags up to a ' +
          'root that it trusts. Absent where there is nothing to tell it by; only of a chain, in secrets show.',
      ),
    verified_reason: z.string().optional().describe('Why it is verified, is not, or cannot be told.'),
    trusted_by: z
      .object({
        resource_name: z.string().describe('Name of the secret that holds the root.'),
        subject: z.string().describe('Name of the root.'),
        fingerprint_sha256: z.string().optional().describe('SHA-256 of its DER, lower-case hex.'),
      })
      .optional()
      .describe('The root of this side that the signatures lead to, whether it is valid or not.'),
  })
  .describe('One secret, as one side holds it.')

export const secretListSchema = z
  .object({...podFields, secrets: z.array(row).describe('The secrets of each side.')})
  .describe('One pod.')

/** One pod of `secrets list`, as it is written. */
export type SecretListWire = z.infer<typeof secretListSchema>

export type SecretListRowWire = z.infer<typeof row>
