import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {OUTPUTS} from '../../support/built.ts'
import {ask, rowOf} from '../agentctl.ts'
import {execIn, kubectl} from '../site.ts'

/** A pod that no other suite relies on after its Envoy was stopped. */
const POD = 'halted-1'

let envoy: string

beforeAll(async () => {
  const processes = (await execIn(POD, ['ps', '-o', 'pid,args'])).split('\n')
  envoy =
    processes
      .find((line) => line.includes('/envoy -c'))
      ?.trim()
      .split(' ')[0] ?? ''
  await execIn(POD, ['kill', '-STOP', envoy])
})

afterAll(async () => {
  await execIn(POD, ['kill', '-CONT', envoy])
  await kubectl.run(['wait', '-n', 'shop', '--for=condition=Ready', `pod/${POD}`, '--timeout=60s'])
})

describe.each(OUTPUTS)('%s', (_name, output) => {
  test('of a proxy that hangs it says that it did not answer in time, and keeps what the agent said', async () => {
    const startedMs = performance.now()
    const answer = await ask(output, ['secrets', 'diff', POD, '-n', 'shop', '--deadline', '4s'])

    expect(performance.now() - startedMs).toBeLessThan(12_000)
    expect(answer.items[0]).toMatchObject({verdict: 'unknown'})
    expect(answer.items[0]?.failures).toContainEqual(
      expect.objectContaining({source: 'envoy-config-dump', code: 'timeout'}),
    )
    expect(rowOf(answer, 'default')).toMatchObject({agent: 'PRESENT', result: 'NOT_COMPARABLE'})
    expect([3, 4]).toContain(answer.code)
  })
})
