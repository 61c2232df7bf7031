import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {OUTPUTS} from '../../support/built.ts'
import {ask} from '../agentctl.ts'
import {OUTPUT_CERTS} from '../mesh/pods.ts'
import {tryCommand} from '../run-command.ts'
import {execIn, istioctl} from '../site.ts'
import {type Witnessed, witness} from '../witness.ts'

let folder: string
let leaf: string
let witnessed: Witnessed

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'real-edges-'))
  const pem = await execIn('cart-1', ['cat', `${OUTPUT_CERTS}/cert-chain.pem`])
  witnessed = await witness(pem)
  leaf = join(folder, 'leaf.pem')
  // The root behind it began later than it.
  await writeFile(leaf, pem.split(/(?<=-----END CERTIFICATE-----\n)/u)[0] ?? '')
  await writeFile(join(folder, 'cart-1.json'), await istioctl(['proxy-config', 'secret', 'cart-1.shop', '-o', 'json']))
})

afterAll(async () => await rm(folder, {recursive: true}))

/** Whether openssl takes the certificate for valid at a moment. */
async function isValidAt(ms: number): Promise<boolean> {
  const at = ['-attime', String(ms / 1000)]
  return (await tryCommand(['openssl', 'verify', '-partial_chain', '-trusted', leaf, ...at, leaf])).code === 0
}

describe.each(OUTPUTS)('%s', (_name, output) => {
  test('takes both edges of its validity for part of it, and a second beyond for none', async () => {
    const [beginMs, endMs] = [Date.parse(witnessed.notBefore), Date.parse(witnessed.notAfter)]
    const statusAt = async (ms: number): Promise<unknown> => {
      const now = new Date(ms).toISOString()
      const answer = await ask(output, ['secrets', 'list', '-f', join(folder, 'cart-1.json'), '--now', now])
      return answer.items[0]?.secrets.find((row) => row.resource_name === 'default')?.cert_status
    }

    const statuses = await Promise.all([beginMs - 1000, beginMs, endMs, endMs + 1000].map(statusAt))

    expect(statuses).toEqual(['NOT_YET_VALID', 'VALID', 'VALID', 'EXPIRED'])
    // RFC 5280 counts the last second in, which openssl does not.
    const asOpenssl = await Promise.all([beginMs - 1000, beginMs, endMs - 1000, endMs + 1000].map(isValidAt))
    expect(asOpenssl).toEqual([false, true, true, false])
  })
})
