import {z} from 'zod'
import {podFields} from './pod-item.schema.ts'
import {secretFields, secretType} from './secret-row.schema.ts'

const row = z
  .object({
    resource_name: z.string().describe('Name of the secret.'),
    type: secretType,
    agent: z.enum(['PRESENT', '']).describe('Whether the agent has it.'),
    proxy: z
      .enum(['ACTIVE', 'WARMING', 'UNINITIALIZED', 'UNAVAILABLE', 'STATIC', ''])
      .describe('How the proxy holds it; empty where it does not.'),
    result: z
      .enum(['MATCH', 'MISMATCH', 'ONLY_AGENT', 'ONLY_PROXY', 'PROXY_WARMING', 'PENDING', 'NOT_COMPARABLE'])
      .describe('What the comparison says.'),
    reason: z.string().describe('Why, for people; empty where there is nothing to say.'),
    confirmed: z.boolean().describe('Whether it stood at both readings, or was read from files.'),
    compared_by: z
      .enum(['fingerprint', 'serial', 'expiry', 'published', 'presence', 'none'])
      .describe('By what the two sides were compared.'),
    agent_source: z.string().optional().describe("Who spoke for the agent's side."),
    proxy_source: z.string().optional().describe("Who spoke for the proxy's side."),
    ...secretFields,
  })
  .describe('One secret of one pod, against the other side.')

export const secretDiffSchema = z
  .object({...podFields, secrets: z.array(row).describe('The secrets of both sides.')})
  .describe('One pod.')

/** One pod of `secrets diff`, as it is written. */
export type SecretDiffWire = z.infer<typeof secretDiffSchema>

export type SecretDiffRowWire = z.infer<typeof row>
