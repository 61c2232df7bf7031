import {randomBytes} from 'node:crypto'
import {startApiServer} from './api/api-server.ts'
import {newSwitches} from './api/switches.ts'
import type {Switches} from './api/switches.ts'
import {sandboxUsers} from './api/users.ts'
import type {SandboxUser, SandboxUserName} from './api/users.ts'
import {newCounters} from './counters.ts'
import type {Counters} from './counters.ts'
import type {Fault} from './fault.ts'
import {writeKubeconfig} from './kubeconfig.ts'
import {makeCertificateAuthority} from './pki/certificate-authority.ts'
import {buildChecks} from './scenario/checks-scenario.ts'
import {buildDemo} from './scenario/demo-scenario.ts'
import {buildFleet} from './scenario/fleet-scenario.ts'
import {buildHealth} from './scenario/health-scenario.ts'
import {buildOdd} from './scenario/odd-scenario.ts'
import {buildRotation, type RotationStage} from './scenario/rotation-scenario.ts'
import {buildStrained} from './scenario/strained-scenario.ts'
import {buildZoo} from './scenario/zoo-scenario.ts'
import {makeMesh} from './scenario/mesh.ts'
import {makePodHttpServer} from './streams/pod-http-server.ts'
import {World} from './world.ts'

export interface SandboxOptions {
  /**
   * `demo`: a small mesh in which each thing is wrong once; `zoo`: the demo with the rarer kinds of agents;
   * `fleet`: as many pods as wanted, all well; `rotation`: a mesh that changes its root; `strained`: a mesh whose control
   * plane and nodes do not reach all of its proxies; `health`: agents and proxies that are ill in one way each;
   * `checks`: for each rule on certificates a pod that breaks it; `odd`: what hardly ever goes wrong.
   */
  readonly scenario?: 'demo' | 'zoo' | 'fleet' | 'rotation' | 'strained' | 'health' | 'checks' | 'odd'
  /** How far the change of roots is; `both-published` if absent. */
  readonly stage?: RotationStage
  /** Pods of a fleet; 200 if absent, 10,000 at most. */
  readonly pods?: number
  /** Share of a fleet's pods that get a fault, from 0 to 1; none if absent. */
  readonly faultShare?: number
  /** Decides which pods of a fleet get which fault. */
  readonly seed?: number
  /** Faults from the start, by `namespace/name`. */
  readonly faults?: Readonly<Record<string, Fault>>
  /** The sandbox's clock, in ms since 1970. */
  readonly nowMs?: () => number
  /** How long a list's token lives, in ms; 5 minutes if absent, as on a real server. */
  readonly tokenLifetimeMs?: number
  /** Delay of each API answer, in ms. */
  readonly latencyMs?: number
}

/** A running sandbox. */
export interface Sandbox {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string
  /** The CA of the server's certificate. */
  readonly caPem: string
  /** Bearer tokens by user. */
  readonly tokens: Readonly<Record<SandboxUserName, string>>
  /** A client certificate of the admin, as another way to log in. */
  readonly clientCertificate: {readonly certificatePem: string; readonly keyPem: string}
  /** A kubeconfig as YAML; logs in as `admin` by token unless told otherwise. */
  kubeconfig(login?: SandboxUserName | 'client-certificate', namespace?: string): string
  /** Lets one user more in, and gives a kubeconfig that logs in as that one; `namespace` is its context's. */
  admit(user: SandboxUser, namespace?: string): string
  /** The private key, in PEM, that agents serve over SDS: for who looks whether it stayed anywhere. */
  servedKeyPem(): Promise<string>
  /** The same of the key that stands in Secrets. */
  secretKeyPem(): Promise<string>
  /** Switches a pod's fault on, or off. Throws where there is no such pod. */
  fault(pod: string, fault: Fault | undefined): void
  /** What is out of order with the API server itself. */
  readonly switches: Switches
  readonly counters: Counters
  readonly world: World
  close(): Promise<void>
}

const fiveMinutesMs = 300_000
const dayMs = 86_400_000

/** Starts an embedded Kubernetes API with simulated agents behind it, on a free port of 127.0.0.1. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    scenario = 'demo',
    stage = 'both-published',
    pods = 200,
    faultShare = 0,
    seed = 1,
    faults = {},
    nowMs = Date.now,
  } = options
  const counters = newCounters()
  const world = new World()
  const mesh = await makeMesh(world, nowMs, counters)
  const scenarios: Readonly<Record<NonNullable<SandboxOptions['scenario']>, () => Promise<void> | void>> = {
    demo: async () => await buildDemo(mesh),
    zoo: async () => await buildZoo(mesh),
    fleet: () => buildFleet(mesh, {pods, faultShare, seed}),
    rotation: async () => await buildRotation(mesh, stage),
    strained: () => buildStrained(mesh),
    health: () => buildHealth(mesh),
    checks: async () => await buildChecks(mesh),
    odd: () => buildOdd(mesh),
  }
  await scenarios[scenario]()

  const fault = (pod: string, value: Fault | undefined): void => {
    const [namespace = '', name = ''] = pod.split('/')
    const target = world.pod(namespace, name)
    if (value === undefined) delete target.fault
    else target.fault = value
  }
  // Before anything listens: a pod that there is not ends it here.
  for (const [pod, value] of Object.entries(faults)) fault(pod, value)

  // TLS is checked by the client's own clock, which may not be the sandbox's.
  const realMs = Date.now()
  const dates = {notBeforeMs: realMs - dayMs, notAfterMs: realMs + 365 * dayMs}
  const authority = await makeCertificateAuthority('CN=sandbox', dates.notBeforeMs, dates.notAfterMs)
  const server = await authority.issueWithKey({
    ...dates,
    subject: 'CN=kube-apiserver',
    dnsNames: ['localhost', 'kubernetes.default.svc'],
    addresses: ['127.0.0.1'],
  })
  const client = await authority.issueWithKey({...dates, subject: `CN=${sandboxUsers.admin.name},O=system:masters`})
  const tokens = makeTokens()
  const known = new Map(userNames.map((name): [string, SandboxUser] => [tokens[name], sandboxUsers[name]]))
  const switches = newSwitches(options.tokenLifetimeMs ?? fiveMinutesMs, options.latencyMs ?? 0)
  const api = await startApiServer(
    {certificatePem: server.certificate.pem, keyPem: server.keyPem, clientCaPem: authority.root.pem},
    {
      world,
      switches,
      counters,
      nowMs,
      podHttp: makePodHttpServer(nowMs, counters),
      tokens: known,
    },
  )
  const url = `https://127.0.0.1:${String(api.port)}`
  const caPem = authority.root.pem
  const clientCertificate = {certificatePem: client.certificate.pem, keyPem: client.keyPem}
  return {
    url,
    caPem,
    tokens,
    clientCertificate,
    kubeconfig: (login = 'admin', namespace) =>
      writeKubeconfig(
        url,
        caPem,
        login === 'client-certificate' ? clientCertificate : {token: tokens[login]},
        namespace,
      ),
    admit: (user, namespace) => {
      const token = newToken(user.name)
      known.set(token, user)
      return writeKubeconfig(url, caPem, {token}, namespace)
    },
    servedKeyPem: async () => await mesh.authority.leafKeyPem(),
    secretKeyPem: async () => await mesh.publicAuthority.leafKeyPem(),
    fault,
    switches,
    counters,
    world,
    close: async () => {
      await api.close()
    },
  }
}

const userNames = [
  'admin',
  'reader',
  'viewer',
  'getter',
  'creator',
  'execer',
  'proxier',
  'shopkeeper',
  'partial',
  'nobody',
] as const satisfies readonly SandboxUserName[]

function makeTokens(): Readonly<Record<SandboxUserName, string>> {
  return {
    admin: newToken('admin'),
    reader: newToken('reader'),
    viewer: newToken('viewer'),
    getter: newToken('getter'),
    creator: newToken('creator'),
    execer: newToken('execer'),
    proxier: newToken('proxier'),
    shopkeeper: newToken('shopkeeper'),
    partial: newToken('partial'),
    nobody: newToken('nobody'),
  }
}

function newToken(name: string): string {
  return `${name}-${randomBytes(16).toString('hex')}`
}
