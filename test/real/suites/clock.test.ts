import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {OUTPUTS} from '../../support/built.ts'
import {type Answer, ask, type Output, rowOf} from '../agentctl.ts'
import {podLink} from '../mesh/pod-link.ts'
import {OUTPUT_CERTS, sidecarPod} from '../mesh/pods.ts'
import {shiftedClock} from '../shifted-clock.ts'
import {agentctlEnv, execIn, kubectl} from '../site.ts'
import {sleep} from '../wait-until.ts'
import {witness} from '../witness.ts'

/** Its certificate lives 40 s, and nothing renews it once its link is down. */
const ENDING = 'ending-1'

/** Asks with agentctl's own clock shifted. */
async function askAt(output: Output, shift: string, pod: string): Promise<Answer> {
  const env = {...agentctlEnv, ...shiftedClock(shift)}
  return await ask(output, ['secrets', 'diff', pod, '-n', 'shop', '--settle', '0'], env)
}

/** Seconds by which clocks are said to be off, and whose: ahead or behind. */
function skewsOf({items}: Answer): readonly {readonly clock: string; readonly seconds: number}[] {
  return (items[0]?.findings ?? []).map(({rule, message}) => {
    const [, clock = '', seconds, where] = /^(.+) is (\d+) s (ahead|behind)/u.exec(message) ?? []
    return {clock, seconds: rule === 'clock-skew' ? Number(seconds) * (where === 'ahead' ? 1 : -1) : Number.NaN}
  })
}

describe.each(OUTPUTS)('%s', (_name, output) => {
  test.each([
    ['+90s', 90],
    ['-90s', -90],
    ['+25h', 90_000],
  ])(
    'with a clock that is off by %s compares all the same, and says that it is ours, and by how much',
    async (shift, skew) => {
      const answer = await askAt(output, shift, 'cart-1')

      expect(rowOf(answer, 'default')).toMatchObject({result: 'MATCH', compared_by: 'expiry', cert_status: 'VALID'})
      expect(answer.items[0]).toMatchObject({verdict: 'warn'})
      const [ours, ...others] = skewsOf(answer)
      expect([ours?.clock, others]).toEqual(['the clock here', []])
      expect(Math.abs((ours?.seconds ?? 0) - skew)).toBeLessThanOrEqual(2)
      expect(answer.code).toBe(0)
    },
  )

  test('with a clock that is off by less than what counts says nothing of it', async () => {
    const answer = await askAt(output, '+3s', 'cart-1')

    expect(skewsOf(answer)).toEqual([])
    expect(answer.items[0]).toMatchObject({verdict: 'pass'})
  })
})

describe('a certificate that ends', () => {
  beforeAll(async () => {
    await kubectl.apply([sidecarPod({name: ENDING, lifetime: '40s', writesFiles: true})])
    await kubectl.run(['wait', '-n', 'shop', '--for=condition=Ready', `pod/${ENDING}`, '--timeout=90s'])
  }, 120_000)

  afterAll(async () => void (await kubectl.run(['delete', 'pod', '-n', 'shop', ENDING])), 60_000)

  test('ends in the second that its own pod shows, whatever the clock here', async () => {
    const link = await podLink(ENDING)
    await link.down()
    const {notAfter} = await witness(await execIn(ENDING, ['cat', `${OUTPUT_CERTS}/cert-chain.pem`]))
    const endMs = Date.parse(notAfter)
    const both = async (shift: string): Promise<readonly unknown[]> =>
      await Promise.all(
        OUTPUTS.map(async ([, output]) => {
          const answer = await askAt(output, shift, ENDING)
          return [rowOf(answer, 'default').cert_status, answer.code]
        }),
      )

    const before = await both('+1h')
    const isBefore = Date.now() < endMs - 1000
    await sleep(endMs + 2000 - Date.now())
    const after = await both('-1h')

    expect(isBefore).toBe(true)
    expect(before).toEqual(OUTPUTS.map(() => ['VALID', 0]))
    expect(after).toEqual(OUTPUTS.map(() => ['EXPIRED', 1]))
  })
})
