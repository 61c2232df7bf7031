import {z} from 'zod'
import {podFields} from './pod-item.schema.ts'

const cause = z
  .enum(['scope', 'forbidden', 'failed'])
  .describe('scope: there is no such evidence, or it was not asked for; forbidden: this user may not read it; failed.')

const outcome = z
  .object({
    rule: z.string().describe("The rule's stable name."),
    result: z.enum(['pass', 'warn', 'fail', 'not-evaluated']).describe('What it says; accepted findings do not count.'),
    cause: cause.optional(),
    reason: z.string().optional().describe('Why it says nothing; absent where it does.'),
  })
  .describe('What one rule says.')

export const checkSchema = z
  .object({
    ...podFields,
    rules: z
      .array(outcome)
      .describe('What each rule says of this pod; those that are not about its kind are left out.'),
  })
  .describe('One pod.')

const coverage = z
  .object({
    rule: z.string().describe("The rule's stable name."),
    evaluated: z.int().describe('Pods of which it said that it holds or does not.'),
    not_evaluated: z
      .array(
        z.object({
          cause,
          pods: z.int().describe('Pods.'),
          example: z.string().describe('The reason of one of them.'),
        }),
      )
      .describe('Pods of which it could not.'),
  })
  .describe('How far one rule could be held against the pods.')

/** What the report on the fleet holds beside what every kind's does. */
export const checkFleetFields = {
  rules: z.array(outcome).describe('What each rule on nodes and on the fleet says.'),
  coverage: z.array(coverage).describe('How far each rule on pods could be held against them.'),
}

/** One pod of `check`, as it is written. */
export type CheckWire = z.infer<typeof checkSchema>

export type OutcomeWire = z.infer<typeof outcome>

const checkFleet = z.object(checkFleetFields)

export type CheckFleetWire = z.infer<typeof checkFleet>
