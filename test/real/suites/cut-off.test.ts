import {expect, test} from '@jest/globals'
import {OUTPUTS} from '../../support/built.ts'
import {type Answer, ask, rowOf} from '../agentctl.ts'
import {OUTPUT_CERTS} from '../mesh/pods.ts'
import {podLink} from '../mesh/pod-link.ts'
import {execIn} from '../site.ts'
import {sleep, waitUntil} from '../wait-until.ts'
import {witness} from '../witness.ts'

/** Certificates of this pod live 40 s. */
const POD = 'cut-off-1'
const DIFF = ['secrets', 'diff', POD, '-n', 'shop', '--settle', '0']

test('an agent that its CA cannot be reached from has its certificate end at the right second', async () => {
  const link = await podLink(POD)
  const notAfterOf = async (): Promise<string> =>
    (await witness(await execIn(POD, ['cat', `${OUTPUT_CERTS}/cert-chain.pem`]))).notAfter
  // A fresh one, so that there is time to ask before it ends, however busy the machine is.
  await waitUntil('a fresh certificate', 60_000, async () =>
    Date.parse(await notAfterOf()) - Date.now() > 25_000 ? true : undefined,
  )
  await link.down()
  const answers: Answer[] = []
  const notAfter = await notAfterOf()
  const endMs = Date.parse(notAfter)
  try {
    await sleep(endMs - Date.now() - 6000)
    for (let round = 0; Date.now() < endMs + 4000; round += 1) {
      const [, output] = OUTPUTS[round % OUTPUTS.length]!
      answers.push(await ask(output, DIFF))
    }
  } finally {
    await link.up()
  }

  const told = answers.map((answer) => ({
    at: Date.parse(answer.generatedAt),
    code: answer.code,
    row: rowOf(answer, 'default'),
  }))
  expect(told.map(({row}) => row.not_after)).toEqual(told.map(() => notAfter))
  expect(told.map(({row}) => row.result)).toEqual(told.map(() => 'MATCH'))
  const before = told.filter(({at}) => at <= endMs - 1000)
  // The second of the end belongs to the certificate; what a run says is judged some milliseconds after its beginning.
  const after = told.filter(({at}) => at >= endMs + 1000)
  expect(before.length).toBeGreaterThan(0)
  expect(after.length).toBeGreaterThan(0)
  expect(before.map(({row, code}) => [row.cert_status, code])).toEqual(before.map(() => ['VALID', 0]))
  expect(after.map(({row, code}) => [row.cert_status, code])).toEqual(after.map(() => ['EXPIRED', 1]))
})
