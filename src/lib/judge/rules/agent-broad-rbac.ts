import type {ClusterRoleSeen, PolicyRule} from '../../domain/roles-seen.ts'
import {accountOf, bindsAccount} from '../../domain/service-account.ts'
import {defineRule} from '../define-rule.ts'
import {oneLine} from '../describe-row.ts'
import {missingSource} from '../missing-evidence.ts'
import type {PodRule} from '../rule.ts'

/** Rights of a node agent beyond what it can need. */
export const agentBroadRbac: PodRule = defineRule<PodRule>({
  name: 'agent-broad-rbac',
  scope: 'pod',
  severity: 'warn',
  lasts: true,
  summary: 'Node agents may not read all Secrets or everything',
  meaning: `A ClusterRoleBinding gives the agent's service account, or a group of all accounts, a ClusterRole with
wildcards, or one that reads all resources or all Secrets of the cluster. Only for kinds with an account of their own on
every node; istiod has to read the Secrets of gateways.`,
  importance: 'Who takes over one node has the rights of every agent on it.',
  sources: ['cluster-rbac'],
  action: 'Bind the account to a ClusterRole with the resources that its chart names, and no more',
  judge(seen) {
    const {agent, pod, observations} = seen
    if (agent.hasOwnAccount !== true) return undefined
    const bindings = observations
      .flatMap((one) => (one.type === 'role-bindings' ? one.bindings : []))
      .filter((one) => bindsAccount(one, pod))
    const roles = observations.filter((one) => one.type === 'cluster-role')
    const findings = roles.flatMap((role) => {
      const binding = bindings.find((one) => one.role === role.name)
      const why = broadness(role)
      if (binding === undefined || why === undefined) return []
      const account = accountOf(pod)
      return [
        {
          rule: agentBroadRbac.name,
          severity: agentBroadRbac.severity,
          message: oneLine(
            `service account ${account} ${why}, by ClusterRole ${role.name} (ClusterRoleBinding ${binding.name})`,
          ),
          subject: oneLine(`cluster role ${role.name}`),
          values: {account, role: role.name, binding: binding.name},
          hint: agentBroadRbac.action,
        },
      ]
    })
    if (findings.length > 0) return findings
    const missing = missingSource('cluster-rbac', seen)
    if (missing !== undefined) return missing
    const isKnown = observations.some(({type}) => type === 'role-bindings')
    return isKnown ? [] : {cause: 'scope', reason: 'its rights in the cluster were not asked for'}
  },
})

const READING: readonly string[] = ['get', 'list', 'watch', '*']

/** What is broad in a role, the worst first; undefined where nothing is. */
function broadness({rules}: ClusterRoleSeen): string | undefined {
  if (rules.some((rule) => has(rule.verbs, '*') && isOfAll(rule))) return 'may do everything'
  if (rules.some((rule) => reads(rule) && isOfAll(rule))) return 'may read all resources'
  if (rules.some((rule) => reads(rule) && isOfSecrets(rule))) return 'may read all Secrets'
  const wild = rules.find(({verbs, groups, resources, paths}) => [verbs, groups, resources, paths].some(isWild))
  return wild === undefined ? undefined : `has a wildcard on ${wildText(wild)}`
}

function reads({verbs}: PolicyRule): boolean {
  return verbs.some((verb) => READING.includes(verb))
}

function isOfAll({resources, groups, isOfNamed}: PolicyRule): boolean {
  return !isOfNamed && has(resources, '*') && has(groups, '*')
}

function isOfSecrets({resources, groups, isOfNamed}: PolicyRule): boolean {
  return !isOfNamed && (has(resources, 'secrets') || has(resources, '*')) && (has(groups, '') || has(groups, '*'))
}

function isWild(words: readonly string[]): boolean {
  return has(words, '*')
}

function has(words: readonly string[], word: string): boolean {
  return words.includes(word)
}

function wildText({verbs, resources, groups, paths}: PolicyRule): string {
  if (isWild(paths)) return 'all paths'
  if (isWild(resources)) return `all resources of ${groups.map((group) => group || 'the core group').join(', ')}`
  return `${isWild(verbs) ? 'all verbs' : 'all groups'} of ${resources.join(', ')}`
}
