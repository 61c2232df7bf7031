import type {Agent, InvalidOption} from '../domain/agent.ts'
import type {Container, Pod} from '../domain/pod.ts'
import {findTakenPorts} from './find-conflicts.ts'
import {checkOption} from './check-option.ts'
import type {Profile} from './profile-schema.ts'
import {readOrigin} from './read-origin.ts'

/** What a pod says to its agent that the agent cannot take: each place once, the first of its faults. */
export function findInvalidOptions(
  pod: Pod,
  container: Container,
  {admin, status, options = []}: Profile,
  where: Pick<Agent, 'admin' | 'statusPort'>,
): readonly InvalidOption[] {
  const ports = [...('from' in admin ? (admin.from ?? []) : []), ...(status?.from ?? [])]
  const wanted = [...options, ...ports.map((from) => ({from, is: 'port' as const}))]
  const found = new Map<string, InvalidOption>()
  for (const {from, is} of wanted) {
    const said = readOrigin(pod, container, from)
    // What Kubernetes puts in for a variable is not known here.
    if (said === undefined || ('value' in said && said.value.includes('$('))) continue
    // What is no JSON may be YAML, which agents take as well: whether it is that, the option as a whole says.
    const isOtherFormat = 'problem' in said && is === 'port' && said.problem.startsWith('cannot be read')
    const fault = 'problem' in said ? {problem: said.problem} : checkOption(said.value, is)
    if (fault !== undefined && !isOtherFormat && !found.has(said.where)) {
      found.set(said.where, {where: said.where, ...fault})
    }
  }
  const taken = findTakenPorts(pod, container, where).map(({port, other}) => ({
    where: `Port ${port} of container ${container.name}`,
    problem: `is declared by container ${other} too`,
  }))
  return [...found.values(), ...taken]
}
