import {expect, test} from '@jest/globals'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {RoleBinding} from '../../../src/lib/domain/roles-seen.ts'
import {wordsOf} from '../../../src/lib/domain/question.ts'
import type {Wants} from '../../../src/lib/plan/plan.ts'
import {permissions} from '../../../src/lib/plan/permissions.ts'
import {planQuestions} from '../../../src/lib/plan/plan-questions.ts'
import {builtinProfiles} from '../../../src/lib/profiles/builtin.generated.ts'
import {recognise} from '../../../src/lib/profiles/recognise.ts'
import {meshPod} from '../../support/mesh-pods.ts'
import {BOTH} from '../../support/wants.ts'

const WANTS: Wants = {...BOTH, purpose: 'check'}
const ZTUNNEL = meshPod({}, {labels: {app: 'ztunnel'}, namespace: 'istio-system', serviceAccount: 'ztunnel'})
const API = '/apis/rbac.authorization.k8s.io/v1'

function bound(role: string, to: Partial<RoleBinding> = {accounts: ['istio-system/ztunnel']}): RoleBinding {
  return {name: `${role}-binding`, role, accounts: [], groups: [], ...to}
}

function page(bindings: readonly RoleBinding[], next?: string): Observation {
  return {
    type: 'role-bindings',
    by: {source: 'cluster-rbac', route: 'api'},
    bindings,
    ...(next !== undefined && {next}),
  }
}

function ask(observations: readonly Observation[], round: number) {
  const {agent} = recognise(ZTUNNEL, builtinProfiles, {}, {nowMs: 0, settleMs: 0})
  const {questions, failures} = planQuestions({pod: ZTUNNEL, agent: agent!, wants: WANTS, observations, round})
  const ours = questions.filter(({source}) => source === 'cluster-rbac')
  return {
    paths: ours.flatMap(({forms: [form]}) => wordsOf(form)).map((path) => path.replace(API, '')),
    failures: failures.map(({code}) => code),
  }
}

test('looks up the roles of the account and of the groups that it is in, and of nobody else', () => {
  const bindings = [
    bound('own'),
    bound('everybody', {groups: ['system:serviceaccounts']}),
    bound('namespace', {groups: ['system:serviceaccounts:istio-system']}),
    bound('other', {accounts: ['shop/ztunnel', 'istio-system/istiod'], groups: ['system:serviceaccounts:shop']}),
  ]

  expect(ask([page(bindings)], 1).paths).toEqual([
    '/clusterroles/own',
    '/clusterroles/everybody',
    '/clusterroles/namespace',
  ])
})

test('goes on with the next page, and asks for no role twice', () => {
  const first = page([bound('own')], 'token')
  const second = page([bound('own'), bound('more')])

  expect(ask([first], 1).paths).toEqual(['/clusterroles/own', '/clusterrolebindings?limit=1000&continue=token'])
  expect(ask([first, second], 2).paths).toEqual(['/clusterroles/more'])
  expect(ask([first, second], 3).paths).toEqual([])
})

test('a page that could not be had is not asked for again, and there is an end to pages', () => {
  const pages = [1, 2, 3, 4].map((number) => page([], String(number)))

  expect(ask([pages[0]!], 2)).toEqual({paths: [], failures: []})
  expect(ask(pages, 4)).toEqual({paths: [], failures: ['too-large']})
})

test('the rights to it are named, as what only some pods need', () => {
  const rights = permissions(WANTS).filter(({group}) => group === 'rbac.authorization.k8s.io')

  expect(rights.map(({verb, resource, isAlwaysNeeded}) => ({verb, resource, isAlwaysNeeded}))).toEqual([
    {verb: 'list', resource: 'clusterrolebindings', isAlwaysNeeded: false},
    {verb: 'get', resource: 'clusterroles', isAlwaysNeeded: false},
  ])
  expect(permissions({...WANTS, purpose: 'diff'}).filter(({group}) => group === rights[0]?.group)).toEqual([])
})
