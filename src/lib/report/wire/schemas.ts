import {z} from 'zod'
import {agentSchema} from './agent.schema.ts'
import {checkFleetFields, checkSchema} from './check.schema.ts'
import {documentSchema, lineSchema, pageLineSchema, summaryLineSchema} from './document.schema.ts'
import {rootFleetFields, rootListSchema} from './root-list.schema.ts'
import {ruleListSchema} from './rule-list.schema.ts'
import {secretDiffSchema} from './secret-diff.schema.ts'
import {secretListSchema} from './secret-list.schema.ts'

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  AgentList: documentSchema('AgentList', agentSchema),
  Agent: lineSchema('Agent', agentSchema),
  SecretList: documentSchema('SecretList', secretListSchema),
  Secret: lineSchema('Secret', secretListSchema),
  SecretDiffList: documentSchema('SecretDiffList', secretDiffSchema, {compares: true}),
  SecretDiff: lineSchema('SecretDiff', secretDiffSchema),
  RootList: documentSchema('RootList', rootListSchema, {ofFleet: rootFleetFields}),
  Root: lineSchema('Root', rootListSchema),
  CheckReport: documentSchema('CheckReport', checkSchema, {ofFleet: checkFleetFields}),
  Check: lineSchema('Check', checkSchema),
  RuleList: ruleListSchema,
  Page: pageLineSchema,
  Summary: summaryLineSchema({...rootFleetFields, ...checkFleetFields}),
}

/**
 * JSON Schemas (draft 2020-12) of all that is written as JSON, by kind. Not for run time: the only part of the project
 * that loads the schema library besides tests is the script that writes `schemas/`.
 */
export function jsonSchemas(): ReadonlyMap<string, object> {
  return new Map(
    Object.entries(SCHEMAS).map(([kind, schema]) => {
      // As input: unknown keys are let through, since keys are added within a version.
      const {$schema, ...rest} = z.toJSONSchema(schema, {target: 'draft-2020-12', io: 'input', override: dropBounds})
      return [kind, {$schema, $id: `urn:agentctl:v1:${kind}`, title: kind, ...rest}]
    }),
  )
}

/** The library writes the bounds of a double's whole numbers at each integer: noise for a reader. */
function dropBounds({jsonSchema}: {jsonSchema: z.core.JSONSchema.BaseSchema}): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
