import {expect, test} from '@jest/globals'
import {OUTPUTS} from '../../support/built.ts'
import {type Answer, ask, rowOf} from '../agentctl.ts'
import {OUTPUT_CERTS} from '../mesh/pods.ts'
import {execIn} from '../site.ts'
import {witness} from '../witness.ts'

/** Certificates of this pod live 30 s, and are renewed about every 15 s. */
const POD = 'rotating-1'
const LIFETIMES = 3

const DIFF = ['secrets', 'diff', POD, '-n', 'shop']
const WAYS: readonly (readonly string[])[] = [
  DIFF,
  [...DIFF, '--source', 'agent-files,envoy-config-dump'],
  [...DIFF, '--sds'],
]

test('over several lifetimes of a certificate no difference is ever confirmed', async () => {
  const seen = new Map<string, string>()
  const wrong: Answer[] = []

  const endMs = performance.now() + LIFETIMES * 30_000
  for (let round = 0; performance.now() < endMs; round += 1) {
    const [, output] = OUTPUTS[round % OUTPUTS.length]!
    const answer = await ask(output, [...WAYS[round % WAYS.length]!, '--settle', '1s'])
    if (answer.code !== 0) wrong.push(answer)
    else seen.set(rowOf(answer, 'default').serial_number, rowOf(answer, 'default').not_after)
  }

  expect(wrong).toEqual([])
  expect(seen.size).toBeGreaterThanOrEqual(2 * LIFETIMES - 1)
  const last = await witness(await execIn(POD, ['cat', `${OUTPUT_CERTS}/cert-chain.pem`]))
  const [serial, notAfter] = [...seen].at(-1)!
  expect([serial === last.serial, notAfter <= last.notAfter]).toContain(true)
})
