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

const fieldValue = (side: string) =>
  z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe(`What it is at the ${side}; a list for names, usages; absent where the ${side} lacks the certificate.`)

const difference = z
  .object({
    resource_name: z.string().describe('Name of the secret.'),
    reason: z.string().describe('Why they differ, with what only both certificates together tell.'),
    confirmed: z.boolean().describe('As in the row.'),
    agent_source: z.string().optional().describe("Who spoke for the agent's side; absent where it lacks it."),
    proxy_source: z.string().optional().describe("Who spoke for the proxy's side; absent where it lacks it."),
    fields: z
      .array(
        z
          .object({
            field: z
              .string()
              .describe('Name of the field, as in a row; those of the further chain as chain[0].subject.'),
            agent: fieldValue('agent'),
            proxy: fieldValue('proxy'),
          })
          .describe('One field that differs.'),
      )
      .describe('The fields that differ, of those that both sides tell.'),
  })
  .describe('Two certificates that differ, or a root that one side lacks.')

export const secretDiffSchema = z
  .object({
    ...podFields,
    secrets: z.array(row).describe('The secrets of both sides.'),
    detail: z
      .array(difference)
      .optional()
      .describe('The certificates that differ, field by field. Only with --detail.'),
  })
  .describe('One pod.')

/** One pod of `secrets diff`, as it is written. */
export type SecretDiffWire = z.infer<typeof secretDiffSchema>

export type SecretDiffRowWire = z.infer<typeof row>

export type DifferenceWire = z.infer<typeof difference>
