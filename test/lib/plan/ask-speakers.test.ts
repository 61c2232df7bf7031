import {expect, test} from '@jest/globals'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {Plan, Wants} from '../../../src/lib/plan/plan.ts'
import {planQuestions, sharedKey} from '../../../src/lib/plan/plan-questions.ts'
import {builtinProfiles} from '../../../src/lib/profiles/builtin.generated.ts'
import {recognise} from '../../../src/lib/profiles/recognise.ts'
import {meshPod} from '../../support/mesh-pods.ts'
import {BOTH} from '../../support/wants.ts'

const IN_MESH: Wants = {...BOTH, istioNamespace: 'mesh'}

/** A sidecar that gets its certificates over the socket that its node shares. */
const OLD_SIDECAR = meshPod(
  {mounts: [{name: 'sds-uds-path', path: '/var/run/sds'}]},
  {node: 'node-a', volumes: {'sds-uds-path': 'hostPath'}},
)

const FOUND: Observation = {
  type: 'speakers',
  by: {source: 'node-agent-debug', route: 'api'},
  pods: [{namespace: 'mesh', name: 'istio-nodeagent-x8k2m'}],
}

function plan(round: number, observations: readonly Observation[] = [], wants: Partial<Wants> = {}): Plan {
  const {agent} = recognise(OLD_SIDECAR, builtinProfiles, {}, {nowMs: 0, settleMs: 0})
  return planQuestions({pod: OLD_SIDECAR, agent: agent!, wants: {...IN_MESH, ...wants}, observations, round})
}

test('the node agents of a sidecar that shares its socket are looked for on its own node', () => {
  const {questions} = plan(0)

  const [lookup] = questions.filter(({source}) => source === 'node-agent-debug')
  expect(lookup?.forms).toEqual([
    {
      type: 'api',
      path: '/api/v1/namespaces/mesh/pods?labelSelector=app%3Dnodeagent&fieldSelector=status.phase%3DRunning%2Cspec.nodeName%3Dnode-a',
    },
  ])
  // Such an agent says nothing of a certificate in its metrics.
  expect(questions.map(({source}) => source)).not.toContain('agent-metrics')
})

test('what was found is asked in the next round, at that pod, and then nothing more', () => {
  const {questions} = plan(1, [FOUND])

  expect(questions).toEqual([
    expect.objectContaining({
      source: 'node-agent-debug',
      side: 'agent',
      at: {namespace: 'mesh', name: 'istio-nodeagent-x8k2m'},
      container: 'nodeagent',
      routes: ['port-forward', 'exec'],
    }),
  ])
  expect(plan(2, [FOUND]).questions).toEqual([])
})

test('all pods of a node share the answer of its node agent, but not with another cluster', () => {
  const [question] = plan(1, [FOUND]).questions
  const elsewhere = {...OLD_SIDECAR, context: 'prod'}

  expect(sharedKey(OLD_SIDECAR, question!)).toBe(sharedKey({...OLD_SIDECAR, name: 'other'}, question!))
  expect(sharedKey(OLD_SIDECAR, question!)).not.toBe(sharedKey(elsewhere, question!))
})

test.each<[string, Partial<Wants>]>([
  ['--no-source node-agent-debug', {exclude: ['node-agent-debug']}],
  ['--source agent-files', {sources: ['agent-files']}],
  ['only the proxy is wanted', {sides: ['proxy']}],
])('nobody is looked for where %s', (_name, wants) => {
  const sources = plan(0, [], wants).questions.map(({source}) => source)

  expect(sources).not.toContain('node-agent-debug')
})
