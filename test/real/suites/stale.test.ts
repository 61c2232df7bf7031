import {beforeAll, describe, expect, test} from '@jest/globals'
import {OUTPUTS} from '../../support/built.ts'
import {type Answer, ask} from '../agentctl.ts'
import {OUTPUT_CERTS} from '../mesh/pods.ts'
import {execIn} from '../site.ts'
import {waitUntil} from '../wait-until.ts'
import {witness} from '../witness.ts'

/** Its Envoy speaks to its agent through a relay; its certificates live 60 s, and are renewed about every 30 s. */
const POD = 'stale-1'

let stuck: string

/** The certificate in the agent's files. */
async function agentSerial(): Promise<string> {
  return (await witness(await execIn(POD, ['cat', `${OUTPUT_CERTS}/cert-chain.pem`]))).serial
}

beforeAll(async () => {
  const processes = (await execIn(POD, ['ps', '-o', 'pid,args'])).split('\n')
  const relay = processes.filter((line) => line.includes('UNIX-LISTEN')).map((line) => line.trim().split(' ')[0] ?? '')
  await execIn(POD, ['kill', '-STOP', ...relay])
  stuck = await agentSerial()
  await waitUntil('a renewal', 60_000, async () => ((await agentSerial()) === stuck ? undefined : true))
}, 90_000)

function stale({items}: Answer): unknown {
  return items[0]?.secrets
    .filter((row) => row.resource_name === 'default')
    .map(({agent, proxy, result, reason, confirmed}) => ({agent, proxy, result, reason, confirmed}))
}

const TWO_ROWS = [
  {agent: '', proxy: 'ACTIVE', result: 'MISMATCH', reason: 'proxy is stale', confirmed: true},
  {agent: 'PRESENT', proxy: '', result: 'MISMATCH', reason: 'proxy is stale', confirmed: true},
]

describe.each(OUTPUTS)('%s', (_name, output) => {
  test.each([
    ['the second that the agent names', []],
    ["the agent's files", ['--source', 'agent-files,envoy-config-dump']],
  ])('a proxy that its agent does not get through to is stale by %s', async (_what, flags) => {
    const answer = await ask(output, ['secrets', 'diff', POD, '-n', 'shop', '--settle', '1s', ...flags])

    expect(stale(answer)).toEqual(expect.arrayContaining(TWO_ROWS))
    const row = answer.items[0]?.secrets.find(({proxy}) => proxy === 'ACTIVE')
    expect(row?.serial_number).toBe(stuck)
    expect(answer.code).toBe(1)
  })
})
