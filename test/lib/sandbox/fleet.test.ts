import {X509Certificate} from 'node:crypto'
import {afterEach, expect, test} from '@jest/globals'
import {resourceTypes} from '../../../src/lib/sandbox/api/resource-types.ts'
import {startSandbox} from '../../../src/lib/sandbox/start-sandbox.ts'
import type {Sandbox, SandboxOptions} from '../../../src/lib/sandbox/start-sandbox.ts'
import {ask, forward} from './sandbox-client.ts'
import {readDumpedSecrets} from './sandbox-json.ts'

let sandbox: Sandbox | undefined

afterEach(async () => {
  await sandbox?.close()
  sandbox = undefined
})

async function fleet(options: SandboxOptions): Promise<Sandbox> {
  sandbox = await startSandbox({scenario: 'fleet', ...options})
  return sandbox
}

test('ten thousand pods are listed page by page, each of the size of a real one', async () => {
  const it = await fleet({pods: 10_000})

  const page = await ask(it, '/api/v1/pods?limit=500')

  const list = page.list()
  expect(list.items).toHaveLength(500)
  expect(list.metadata.remainingItemCount).toBe(9500)
  expect(page.text.length / 500).toBeGreaterThan(12_000)
  expect(page.text).not.toContain('slot')
})

test('every pod of a fleet has its own name, uid, address, node and owner', async () => {
  const it = await fleet({pods: 250})

  const {items} = (await ask(it, '/api/v1/pods')).list()

  const distinct = (of: (pod: (typeof items)[number]) => unknown): number => new Set(items.map(of)).size
  expect(distinct((pod) => pod.metadata.name)).toBe(250)
  expect(distinct((pod) => pod.metadata.uid)).toBe(250)
  expect(distinct((pod) => pod.status.podIP)).toBe(250)
  expect(distinct((pod) => pod.spec.nodeName)).toBe(3)
  expect(distinct((pod) => pod.metadata.ownerReferences[0]?.uid)).toBe(13)
  expect(distinct((pod) => pod.metadata.namespace)).toBe(2)
})

test('a filled-in manifest has each value in its place', async () => {
  const it = await fleet({pods: 1})

  const pod = (await ask(it, '/api/v1/pods')).list().items[0]!

  const owner = pod.metadata.ownerReferences[0]!
  expect(pod.metadata).toMatchObject({
    namespace: 'team-00',
    labels: {app: 'app-0', 'service.istio.io/canonical-name': 'app-0'},
    ownerReferences: [{kind: 'ReplicaSet', controller: true}],
  })
  expect(pod.metadata.name.startsWith(`${owner.name}-`)).toBe(true)
  expect(owner.name.endsWith(`-${pod.metadata.labels['pod-template-hash'] ?? '?'}`)).toBe(true)
  expect(pod.spec).toMatchObject({nodeName: 'node-000', serviceAccountName: 'app-0'})
  expect(pod.spec.containers[1]?.env).toContainEqual({name: 'ISTIO_META_WORKLOAD_NAME', value: 'app-0'})
  expect(it.world.pod('team-00', pod.metadata.name).uid).toBe(pod.metadata.uid)
})

test('replicas hold certificates of one identity, each its own, signed by the root, with the end their agents name', async () => {
  const it = await fleet({pods: 2})
  const {items} = (await ask(it, '/api/v1/pods')).list()

  const seen = []
  for (const {metadata} of items) {
    const {answer} = await forward(it, `${metadata.namespace}/${metadata.name}`, [
      [15000, '/config_dump?resource=dynamic_active_secrets'],
      [15020, '/metrics'],
    ])
    const [secret] = readDumpedSecrets(answer(0).body)
    const chain = secret?.secret?.tls_certificate?.certificate_chain.inline_bytes ?? ''
    const pem = Buffer.from(chain, 'base64').toString('utf8')
    const at = pem.lastIndexOf('-----BEGIN')
    const leaf = new X509Certificate(pem.slice(0, at))
    const root = new X509Certificate(pem.slice(at))
    const seconds = Number(/cert_expiry_seconds\{[^}]*\} (\S+)/.exec(answer(1).body)?.[1])
    seen.push({leaf, seconds})

    expect(leaf.verify(root.publicKey)).toBe(true)
    expect(leaf.checkIssued(root)).toBe(true)
    expect(leaf.subjectAltName).toBe('URI:spiffe://cluster.local/ns/team-00/sa/app-0')
    expect(Math.abs(Date.now() + seconds * 1000 - leaf.validToDate.getTime())).toBeLessThan(60_000)
  }

  const [first, second] = seen
  expect(first?.leaf.serialNumber).not.toBe(second?.leaf.serialNumber)
  expect(first?.leaf.fingerprint256).not.toBe(second?.leaf.fingerprint256)
  expect(first?.leaf.validTo).not.toBe(second?.leaf.validTo)
})

const faultsOf = async (seed: number): Promise<readonly unknown[]> => {
  const it = await fleet({pods: 100, faultShare: 0.2, seed})
  const pods = it.world.list(resourceTypes.pods)
  const faults = pods.flatMap(({pod}) => (pod?.fault === undefined ? [] : [[pod.name, pod.fault.type]]))
  await it.close()
  return faults
}

test('the same seed gives the same pods the same faults', async () => {
  const [once, again, other] = [await faultsOf(7), await faultsOf(7), await faultsOf(8)]

  expect(once.length).toBeGreaterThan(8)
  expect(once.length).toBeLessThan(35)
  expect(again).toEqual(once)
  expect(other).not.toEqual(once)
})

test('a fleet is well unless told otherwise', async () => {
  const it = await fleet({pods: 50})

  expect(it.world.list(resourceTypes.pods).filter(({pod}) => pod?.fault !== undefined)).toEqual([])
})

test.each([10_001, -1, 1.5])('a fleet of %d pods is refused', async (pods) => {
  await expect(fleet({pods})).rejects.toThrow(RangeError)
})
