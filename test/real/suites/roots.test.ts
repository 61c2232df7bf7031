import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals'
import {OUTPUTS} from '../../support/built.ts'
import type {Output} from '../agentctl.ts'
import {askRoots, breaking, type RootsAnswer} from '../ask-roots.ts'
import {publishedRoot, secretPem} from '../cluster-pem.ts'
import {MOUNTED_SECRET} from '../mesh/secrets.ts'
import {runCommand} from '../run-command.ts'
import {type Witnessed, witness} from '../witness.ts'

/** Pods that have their roots from istiod: a sidecar, a native one, a gateway, and an agent without a proxy. */
const PODS = ['cart-1', 'native-1', 'ingress-1', 'grpc-1']
/** A pod whose root is another one, of its own. */
const OTHER = 'mounted-1'

let folder: string
let mesh: Witnessed

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'real-roots-'))
  const pem = await publishedRoot()
  await writeFile(join(folder, 'mesh.pem'), pem)
  mesh = await witness(pem)
})

afterAll(async () => await rm(folder, {recursive: true}))

async function roots(output: Output, pods: readonly string[], ...flags: readonly string[]): Promise<RootsAnswer> {
  return await askRoots(output, [...pods, '-n', 'shop', ...flags])
}

/** The end of istiod's own root, in the second that its metric names. */
async function signingEnd(): Promise<string> {
  const text = await runCommand(['curl', '-sS', 'http://127.0.0.1:15014/metrics'])
  const seconds = Number(/^citadel_server_root_cert_expiry_timestamp (\S+)$/mu.exec(text)?.[1])
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

describe.each(OUTPUTS)('%s', (_name, output) => {
  test('finds the one root that is published, that all trust, and that istiod signs under', async () => {
    const {roots: found, blind, code} = await roots(output, PODS)

    expect(found).toMatchObject([
      {
        fingerprint_sha256: mesh.fingerprint,
        not_after: await signingEnd(),
        signing: true,
        trusted_by: PODS.length,
        verifiers: PODS.length,
        leaves: PODS.length,
        published_in: 1,
      },
    ])
    expect(blind).toEqual([])
    expect(code).toBe(0)
  })

  test('lets certificates be signed with the root that all trust, and with no other', async () => {
    const yes = await roots(output, PODS, '--expect', join(folder, 'mesh.pem'))
    const other = await witness(await secretPem(MOUNTED_SECRET, 'root-cert.pem'))
    const no = await roots(output, PODS, '--expect', other.fingerprint)

    expect(yes).toMatchObject({
      code: 0,
      expect: {verdict: 'pass', would_break: [], not_proven: [], proven: PODS.length},
    })
    expect(breaking(no.expect)).toEqual(PODS)
    expect(no.code).toBe(1)
  })

  test('lets no root go that a chain ends in, and one that none does', async () => {
    const no = await roots(output, PODS, '--without', mesh.fingerprint)
    const other = await witness(await secretPem(MOUNTED_SECRET, 'root-cert.pem'))
    const yes = await roots(output, PODS, '--without', other.fingerprint)

    expect(breaking(no.without)).toEqual(PODS)
    expect(no.code).toBe(1)
    expect(yes).toMatchObject({
      code: 0,
      without: {verdict: 'pass', would_break: [], not_proven: [], proven: PODS.length},
    })
  })

  test('finds whose certificates another pod of the same trust domain cannot check', async () => {
    const {roots: found, blind} = await roots(output, [...PODS, OTHER])

    expect(found.map(({signing, published_in, leaves}) => [signing, published_in, leaves])).toEqual([
      [true, 1, PODS.length],
      [false, 0, 1],
    ])
    expect(blind.map(({pod}) => pod).toSorted()).toEqual([...PODS, OTHER].toSorted())
  })

  test('proves nothing of a pod that cannot be read', async () => {
    const answer = await roots(output, ['cart-1', 'silent-1'], '--expect', mesh.fingerprint)

    expect(answer.expect).toMatchObject({
      verdict: 'unknown',
      would_break: [],
      not_proven: [{pod: 'silent-1'}],
      proven: 1,
    })
    expect(answer.code).toBe(3)
  })
})
