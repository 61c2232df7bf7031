import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {startSandbox, type Sandbox, type SandboxOptions} from '../../../src/lib/sandbox/start-sandbox.ts'
import {OUTPUTS} from '../../support/built.ts'
import {agentctl, type Answer, ask} from '../agentctl.ts'
import {sidecarPod} from '../mesh/pods.ts'
import {kubectl} from '../site.ts'
import {waitUntil} from '../wait-until.ts'

const [, OUTPUT] = OUTPUTS[1]!

/** A sidecar that is like one of the sandbox. */
const TWIN = 'twin-1'

type Env = Readonly<Record<string, string>>

/** A pod, and which kubeconfig leads to it. */
interface Place {
  readonly namespace: string
  readonly pod: string
  readonly env?: Env
}

/** Secrets that both gateways have; the mesh has no cert-manager. */
const COMMON = ['default', 'ROOTCA', 'kubernetes://shop-cert'].flatMap((name) => ['--secret', name])
const SECRETS = [...COMMON, '--no-source', 'cert-manager']

/** One sidecar that is well and one in which nothing listens; and a mesh with a gateway and a pod without an agent. */
const sandboxes: Sandbox[] = []
let folder: string
let places: Readonly<Record<string, readonly [mesh: Place, sandbox: Place]>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'real-sandbox-'))
  await kubectl.apply([sidecarPod({name: TWIN})])
  const fleet = await open('fleet', {scenario: 'fleet', pods: 2})
  const demo = await open('demo', {})
  const {stdout} = await agentctl(OUTPUT, ['agents', 'list', '-n', 'team-00', '-o', 'name'], fleet.env)
  const [well = '', silent = ''] = [...stdout.matchAll(/^pod\/([^.]+)/gmu)].map(([, name]) => name)
  fleet.sandbox.fault(`team-00/${silent}`, {type: 'refuse'})
  const mesh = (pod: string): Place => ({namespace: 'shop', pod})
  places = {
    sidecar: [mesh(TWIN), {namespace: 'team-00', pod: well, env: fleet.env}],
    distroless: [mesh('distroless-1'), {namespace: 'team-00', pod: well, env: fleet.env}],
    'sidecar with tools': [mesh(TWIN), {namespace: 'shop', pod: 'cart-5d8f7c9b6-4kxvq', env: demo.env}],
    silent: [mesh('silent-1'), {namespace: 'team-00', pod: silent, env: fleet.env}],
    gateway: [mesh('ingress-1'), {namespace: 'shop', pod: 'shop-gateway-istio-58d4c6b7f-v9c3k', env: demo.env}],
    plain: [mesh('plain-1'), {namespace: 'shop', pod: 'static-site-5f7b8c6d9-c6mbz', env: demo.env}],
  }
  // By the same answer that is compared.
  await waitUntil(`${TWIN} being ready`, 90_000, async () => {
    const {items} = await ask(OUTPUT, ['agents', 'list', TWIN, '-n', 'shop'])
    return items[0]?.ready === true ? true : undefined
  })
}, 120_000)

afterAll(async () => {
  for (const sandbox of sandboxes) await sandbox.close()
  await rm(folder, {recursive: true})
  await kubectl.run(['delete', 'pod', '-n', 'shop', TWIN])
}, 60_000)

async function open(name: string, options: SandboxOptions): Promise<{readonly sandbox: Sandbox; readonly env: Env}> {
  const sandbox = await startSandbox(options)
  sandboxes.push(sandbox)
  const env = {KUBECONFIG: join(folder, name)}
  await writeFile(env.KUBECONFIG, sandbox.kubeconfig(), {mode: 0o600})
  return {sandbox, env}
}

/** Fields whose values differ by nature: that they are there, and not empty, is compared. */
const VALUES = new Set(
  [
    'context pod node ips serviceAccount createdAt version image subject issuer sans spiffe_id key',
    'serial_number not_before not_after seconds_left fingerprint_sha256 last_updated cert',
  ].flatMap((names) => names.split(' ')),
)

/** What is only the one's or the other's: how the certificate of the gateway was made, and where files are. */
const LEFT_OUT = new Set(['usages', 'certificateDir'])

/** An answer without what differs by nature; of the containers the agent's alone. */
function shapeOf(value: unknown, place: Place, field = ''): unknown {
  if (VALUES.has(field)) return isEmpty(value) ? value : '…'
  if (Array.isArray(value)) {
    const parts = field === 'containers' ? value.filter(isAgent) : value
    const shapes = parts.map((part) => shapeOf(part, place))
    // Rows that are then equal, as those of several roots, are one; Envoy's come in no order.
    const rows = [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape]))]
    return (field === 'secrets' ? rows.toSorted(([a], [b]) => a.localeCompare(b)) : rows).map(([, shape]) => shape)
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([name]) => !LEFT_OUT.has(name))
    return Object.fromEntries(
      entries.toSorted(([a], [b]) => a.localeCompare(b)).map(([name, part]) => [name, shapeOf(part, place, name)]),
    )
  }
  if (typeof value !== 'string') return value
  const own = value
    .replaceAll(place.pod, 'POD')
    .replaceAll(new RegExp(String.raw`\b${place.namespace}\b`, 'gu'), 'NAMESPACE')
  return own.replaceAll(/istiod-[a-z0-9-]+/gu, 'ISTIOD')
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0)
}

function isAgent(container: unknown): boolean {
  return (container as {readonly name?: unknown}).name === 'istio-proxy'
}

async function answerOf([topic, verb, ...flags]: readonly string[], place: Place): Promise<unknown> {
  const args = [topic ?? '', verb ?? '', place.pod, '-n', place.namespace, ...flags]
  const {items, code}: Answer = await ask(OUTPUT, args, place.env)
  return {code, items: shapeOf(items, place)}
}

test.each([
  ['sidecar', ['agents', 'list']],
  ['gateway', ['agents', 'list']],
  ['plain', ['agents', 'list']],
  ['sidecar', ['secrets', 'list']],
  ['sidecar', ['secrets', 'list', '--via', 'exec']],
  ['gateway', ['secrets', 'list', ...SECRETS]],
  ['plain', ['secrets', 'list']],
  ['sidecar', ['secrets', 'diff']],
  ['sidecar with tools', ['secrets', 'diff', '--sds']],
  ['distroless', ['secrets', 'diff', '--sds']],
  ['sidecar', ['secrets', 'diff', '--source', 'envoy-config-dump,envoy-certs,agent-metrics']],
  ['gateway', ['secrets', 'diff', ...SECRETS]],
  ['silent', ['secrets', 'diff', '--deadline', '5s']],
  ['plain', ['secrets', 'diff']],
] as const)('the sandbox answers of a %s what a mesh does: %j', async (kind, command) => {
  const [mesh, simulated] = places[kind]!

  expect(await answerOf(command, simulated)).toEqual(await answerOf(command, mesh))
})
