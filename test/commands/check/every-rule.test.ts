import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {RULES} from '../../../src/lib/judge/catalogue.ts'
import type {SandboxOptions} from '../../../src/lib/sandbox/start-sandbox.ts'
import {type OpenSandbox, openSandbox} from '../../support/open-sandbox.ts'

/** The contract: names are stable, and none goes or comes unseen. */
const NAMES = [
  'agent-broad-rbac',
  'agent-config-invalid',
  'agent-disconnected',
  'agent-not-ready',
  'agent-stale',
  'cert-expired',
  'cert-expiring',
  'cert-not-yet-valid',
  'cert-unreadable',
  'chain-broken',
  'chain-untrusted',
  'clock-skew',
  'cni-not-ready',
  'csr-failing',
  'identity-mismatch',
  'key-in-certificate',
  'node-without-agent',
  'not-compared',
  'proxy-not-ready',
  'proxy-stale',
  'renewal-failing',
  'root-divergent',
  'root-missing',
  'rotation-overdue',
  'secret-missing',
  'secret-rejected',
  'secret-unavailable',
  'secret-uninitialized',
  'secret-warming',
  'trust-domain-mismatch',
  'version-skew',
  'weak-key',
  'xds-rejected',
  'xds-stale',
  'ztunnel-disconnected',
]

const SCENARIOS = ['demo', 'zoo', 'strained', 'health', 'checks', 'odd'] as const

interface Outcome {
  readonly rule: string
  readonly result: string
}

interface Doc {
  readonly items: readonly {readonly rules: readonly Outcome[]}[]
  readonly fleet: {readonly rules: readonly Outcome[]}
}

/** Every result of every rule, on pods and on the fleet, over all scenarios. */
const results = new Map<string, Set<string>>()
const open: OpenSandbox[] = []

beforeAll(async () => {
  for (const scenario of SCENARIOS) {
    const options: SandboxOptions = {scenario}
    const sandbox = await openSandbox(options)
    open.push(sandbox)
    const {stdout} = await sandbox.run('check -A --settle 0 -o json')
    const {items, fleet} = JSON.parse(stdout) as Doc
    for (const {rule, result} of [...items.flatMap(({rules}) => rules), ...fleet.rules])
      results.set(rule, (results.get(rule) ?? new Set()).add(result))
  }
}, 120_000)

afterAll(async () => {
  for (const sandbox of open) await sandbox.close()
})

test('the rules are these', () => {
  expect(RULES.map(({name}) => name).toSorted()).toEqual(NAMES)
})

test.each(NAMES)('%s holds on some pod, node or fleet of the sandbox, and does not on another', (rule) => {
  const seen = results.get(rule) ?? new Set()

  expect([seen.has('pass'), seen.has('fail') || seen.has('warn')]).toEqual([true, true])
})

test.each(RULES.map(({name, ...texts}) => [name, texts] as const))(
  '%s says what it means, why, and what to do',
  (_, rule) => {
    for (const text of [rule.summary, rule.meaning, rule.importance, rule.action]) {
      expect(text).toMatch(/^\S/)
      expect(text).not.toMatch(/\s{2}|\n/)
    }
  },
)
