import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {OUTPUTS} from '../../support/built.ts'
import {ask, rowOf} from '../agentctl.ts'
import {applySimulatedNamespace, simulatedPod} from '../fleet/simulated-fleet.ts'
import {EMULATED_NODES} from '../kubelet/node-object.ts'
import {istioctl, kubectl} from '../site.ts'

const NAMESPACE = 'emulated'

beforeAll(async () => {
  await applySimulatedNamespace(NAMESPACE)
  await kubectl.apply(EMULATED_NODES.map(({name}) => simulatedPod(NAMESPACE, name, name)))
  await kubectl.run(['wait', '-n', NAMESPACE, '--for=condition=Ready', 'pods', '--all', '--timeout=60s'])
})

afterAll(async () => {
  await kubectl.run(['delete', '-n', NAMESPACE, 'pods', '--all', '--timeout=60s'])
})

describe.each(EMULATED_NODES)('a pod on a node that says of WebSockets $takesWebSockets', ({name: pod}) => {
  test('answers istioctl, over SPDY', async () => {
    const secrets = await istioctl(['proxy-config', 'secret', `${pod}.${NAMESPACE}`])

    expect(secrets).toMatch(/^default +Cert Chain +ACTIVE +true/mu)
    expect(secrets).toMatch(/^ROOTCA +CA +ACTIVE +true/mu)
  })

  test.each(OUTPUTS)('answers %s the same, over WebSocket', async (_name, output) => {
    const secrets = await istioctl(['proxy-config', 'secret', `${pod}.${NAMESPACE}`])
    const answer = await ask(output, ['secrets', 'diff', `${pod}.${NAMESPACE}`])

    expect(answer.items[0]).toMatchObject({verdict: 'pass'})
    expect(secrets).toContain(rowOf(answer, 'default').serial_number)
    expect(rowOf(answer, 'ROOTCA')).toMatchObject({result: 'MATCH', compared_by: 'published'})
  })
})
