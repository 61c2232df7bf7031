import {expect, test} from '@jest/globals'
import type {Source} from '../../../src/lib/domain/question.ts'
import type {PodItem, ReportEvent, SideReport, Verdict} from '../../../src/lib/domain/report.ts'
import {count, EMPTY_TALLY, exitCodeOf, type ExitPolicy} from '../../../src/lib/cli/tally.ts'
import {pod} from '../../support/pods.ts'

const POLICY: ExitPolicy = {
  failOn: 'fail',
  exitZero: false,
  allowIncomplete: false,
  allowEmpty: false,
  maxUnknown: undefined,
}

function item(verdict: Verdict, incomplete = false, source?: Source): ReportEvent {
  const side: SideReport = {state: 'read', answers: source === undefined ? [] : [{source, route: 'port-forward'}]}
  const about: PodItem = {
    pod: pod('a'),
    verdict,
    incomplete,
    sides: {agent: side, proxy: side},
    failures: [],
    findings: [],
  }
  return {type: 'item', item: about}
}

function exit(events: readonly ReportEvent[], policy: Partial<ExitPolicy> = {}): number {
  return exitCodeOf(events.reduce(count, EMPTY_TALLY), {...POLICY, ...policy})
}

const STOPPED: ReportEvent = {type: 'stopped', code: 'api-unavailable', message: 'gone'}
const INTERRUPTED: ReportEvent = {type: 'stopped', code: 'interrupted', message: 'Interrupted'}

test.each<[string, readonly ReportEvent[], number]>([
  ['all well', [item('pass'), item('pass')], 0],
  ['a warning', [item('pass'), item('warn')], 0],
  ['a failure', [item('pass'), item('fail')], 1],
  ['a pod unknown', [item('pass'), item('unknown')], 3],
  ['a part missing', [item('pass', true)], 3],
  ['a failure wins over an unknown', [item('unknown'), item('fail')], 1],
  ['nothing could be seen', [item('unknown'), item('unknown')], 4],
  ['a proxy answered and nothing could be compared', [item('unknown', true, 'envoy-config-dump')], 3],
  ['published roots are no answer of a pod', [item('unknown', true, 'published-root')], 4],
  ['nothing selected', [], 4],
  ['all skipped', [item('skipped')], 4],
  ['skipped counts for nothing', [item('skipped'), item('pass')], 0],
  ['stopped before anything was seen', [STOPPED], 4],
  ['stopped early', [item('pass'), STOPPED], 3],
  ['interrupted', [item('fail'), INTERRUPTED], 130],
])('%s ends with its code', (_name, events, code) => {
  expect(exit(events)).toBe(code)
})

test.each<[string, readonly ReportEvent[], Partial<ExitPolicy>, number]>([
  ['--fail-on warn', [item('warn')], {failOn: 'warn'}, 1],
  ['--exit-zero turns 1', [item('fail')], {exitZero: true}, 0],
  ['--exit-zero turns 3', [item('pass', true)], {exitZero: true}, 0],
  ['--exit-zero leaves 4', [item('unknown')], {exitZero: true}, 4],
  ['--allow-incomplete turns 3', [item('pass'), item('unknown')], {allowIncomplete: true}, 0],
  ['--allow-incomplete leaves 1', [item('fail'), item('unknown')], {allowIncomplete: true}, 1],
  ['--allow-empty', [item('skipped')], {allowEmpty: true}, 0],
  ['--max-unknown that many', [item('pass'), item('unknown')], {maxUnknown: {count: 1}}, 0],
  ['--max-unknown not more', [item('pass'), item('unknown'), item('unknown')], {maxUnknown: {count: 1}}, 3],
  ['--max-unknown as a share', [item('pass'), item('unknown')], {maxUnknown: {percent: 50}}, 0],
  ['--max-unknown as too small a share', [item('pass'), item('unknown')], {maxUnknown: {percent: 49}}, 3],
])('%s', (_name, events, policy, code) => {
  expect(exit(events, policy)).toBe(code)
})
