import {z} from 'zod'

const rule = z
  .object({
    name: z.string().describe('Its stable name.'),
    scope: z.enum(['pod', 'node', 'fleet']).describe('What it is held against.'),
    severity: z.enum(['warn', 'fail']).describe('Of most of its findings; some are milder by nature.'),
    summary: z.string().describe('What holds where the rule does.'),
    meaning: z.string().describe('What a finding means.'),
    importance: z.string().describe('Why it matters.'),
    action: z.string().describe('What to do.'),
    sources: z.array(z.string()).describe('Who tells what it is held against; it needs one of them.'),
    flags: z.array(z.string()).describe('Flags of check that change what it says.'),
  })
  .describe('One rule of check.')

/** The rules of `check`, as `check rules` writes them. */
export const ruleListSchema = z.object({
  apiVersion: z.literal('agentctl/v1').describe('Keys are only added within a version.'),
  kind: z.literal('RuleList').describe('Kind of the document.'),
  items: z.array(rule).describe('In the order in which they are told.'),
})

export type RuleListWire = z.infer<typeof ruleListSchema>
