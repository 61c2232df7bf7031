import {z} from 'zod'
import {podFields} from './pod-item.schema.ts'
import {secretFields, secretType} from './secret-row.schema.ts'

const row = z
  .object({
    resource_name: z.string().describe('Name of the secret.'),
    type: secretType,
    side: z.enum(['agent', 'proxy']).describe('Who holds it.'),
    agent_source: z.string().optional().describe("Who spoke for the agent's side."),
    proxy_source: z.string().optional().describe("Who spoke for the proxy's side."),
    ...secretFields,
  })
  .describe('One secret, as one side holds it.')

export const secretListSchema = z
  .object({...podFields, secrets: z.array(row).describe('The secrets of each side.')})
  .describe('One pod.')

/** One pod of `secrets list`, as it is written. */
export type SecretListWire = z.infer<typeof secretListSchema>

export type SecretListRowWire = z.infer<typeof row>
