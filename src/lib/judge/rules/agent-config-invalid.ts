import {defineRule} from '../define-rule.ts'
import {oneLine} from '../describe-row.ts'
import type {PodRule} from '../rule.ts'

/** An option of a pod that its agent cannot take. */
export const agentConfigInvalid: PodRule = defineRule<PodRule>({
  name: 'agent-config-invalid',
  scope: 'pod',
  severity: 'fail',
  lasts: true,
  summary: 'Agents can take the options that their pods give them',
  meaning: `An annotation or variable of the pod has a value that the agent cannot take: a port that is none or that
another container has, a duration or share that cannot be read, a configuration that is no YAML. A warning for a relative
directory.`,
  importance: 'The agent does not start, or goes on with its default in place of what was meant.',
  action: "Mend the annotation or variable in the workload's pod template, or in the injection configuration",
  judge({agent: {invalidOptions, capturedAs}}) {
    if (capturedAs !== undefined) return undefined
    if (invalidOptions === undefined) return {cause: 'scope', reason: "the pod's spec is not known"}
    return invalidOptions.map(({where, problem, isTaken}) => ({
      rule: agentConfigInvalid.name,
      severity: isTaken === true ? 'warn' : agentConfigInvalid.severity,
      message: oneLine(`${where} ${problem}`),
      subject: oneLine(where),
      values: {option: where},
      hint: agentConfigInvalid.action,
    }))
  },
})
