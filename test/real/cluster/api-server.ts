import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {waitUntil} from '../wait-until.ts'
import {ETCD_URL} from './etcd.ts'
import type {Kubectl} from './kubectl.ts'
import type {Processes} from './processes.ts'

/** Programs and folders of the control plane. */
interface ControlPlane {
  readonly etcd: string
  readonly apiServer: string
  readonly pki: string
  readonly data: string
  readonly processes: Processes
}

const PEER = 'http://127.0.0.1:2380'

/** An API server of the cluster. */
interface Server {
  readonly port: number
  readonly gates: readonly string[]
}

/**
 * Two API servers on one etcd. The first hands an exec's or a port-forward's WebSocket through to the kubelet; the
 * second translates it to SPDY, as all before 1.36 do. A third is started and ended by the suite that needs it.
 */
const SERVERS = {
  real: {port: 6443, gates: []},
  translating: {port: 6444, gates: ['ExtendWebSocketsToKubelet=false']},
  restarting: {port: 6445, gates: []},
} as const satisfies Record<string, Server>

/** Users that are known by a token: it is their name with `-token`. What they may do, the tests say. */
const USERS = [
  'nobody',
  'lister',
  'getter',
  'creator',
  'forwarder',
  'proxier',
  'execGetter',
  'execCreator',
  'executor',
  'reader',
] as const

/** Starts etcd and the API server. */
export async function startControlPlane({etcd, apiServer, pki, data, processes}: ControlPlane): Promise<void> {
  await writeFile(tokensFile(pki), USERS.map((user) => `${user}-token,${user},${user}\n`).join(''))
  const urls = ['listen-client-urls', 'advertise-client-urls'].map((flag) => `--${flag}=${ETCD_URL}`)
  const peers = ['listen-peer-urls', 'initial-advertise-peer-urls'].map((flag) => `--${flag}=${PEER}`)
  const member = ['--name=real', `--initial-cluster=real=${PEER}`, '--unsafe-no-fsync', '--log-level=warn']
  processes.start('etcd', [etcd, `--data-dir=${data}`, ...urls, ...peers, ...member])
  for (const name of ['real', 'translating'] as const) {
    processes.start(`kube-apiserver-${name}`, apiServerCommand(apiServer, pki, name))
  }
}

/** How an API server is started. */
export function apiServerCommand(
  program: string,
  pki: string,
  name: keyof typeof SERVERS,
): readonly [string, ...string[]] {
  return [program, ...serverFlags(SERVERS[name], pki)]
}

function tokensFile(pki: string): string {
  return join(pki, 'tokens.csv')
}

function serverFlags({port, gates}: Server, pki: string): readonly string[] {
  const file = (name: string): string => join(pki, name)
  return [
    `--etcd-servers=${ETCD_URL}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${String(port)}`,
    '--endpoint-reconciler-type=none',
    `--tls-cert-file=${file('apiserver.crt')}`,
    `--tls-private-key-file=${file('apiserver.key')}`,
    `--client-ca-file=${file('ca.crt')}`,
    `--token-auth-file=${tokensFile(pki)}`,
    '--authorization-mode=Node,RBAC',
    `--kubelet-certificate-authority=${file('ca.crt')}`,
    `--kubelet-client-certificate=${file('apiserver-kubelet-client.crt')}`,
    `--kubelet-client-key=${file('apiserver-kubelet-client.key')}`,
    '--kubelet-preferred-address-types=InternalIP',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file('sa.pub')}`,
    `--service-account-signing-key-file=${file('sa.key')}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    // Nobody makes service accounts here: there is no controller manager.
    '--disable-admission-plugins=ServiceAccount',
    '--allow-privileged=true',
    // Else pages of a compacted revision are served from snapshots, and there is no 410.
    `--feature-gates=${['ListFromCacheSnapshot=false', ...gates].join(',')}`,
  ]
}

/**
 * Writes a kubeconfig whose contexts are `admin` (by certificate), each of `USERS` (by token), and `translated` and
 * `restarting`: admin at the other servers.
 */
export async function writeKubeconfig(path: string, pki: string): Promise<void> {
  const base64 = async (name: string): Promise<string> => (await readFile(join(pki, name))).toString('base64')
  const ca = await base64('ca.crt')
  const users = [
    {
      name: 'admin',
      user: {'client-certificate-data': await base64('admin.crt'), 'client-key-data': await base64('admin.key')},
    },
    ...USERS.map((name) => ({name, user: {token: `${name}-token`}})),
  ]
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'admin',
    clusters: Object.entries(SERVERS).map(([name, {port}]) => ({
      name,
      cluster: {server: `https://127.0.0.1:${String(port)}`, 'certificate-authority-data': ca},
    })),
    contexts: [
      ...users.map(({name}) => ({name, context: {cluster: 'real', user: name}})),
      {name: 'translated', context: {cluster: 'translating', user: 'admin'}},
      {name: 'restarting', context: {cluster: 'restarting', user: 'admin'}},
    ],
    users,
  }
  await writeFile(path, JSON.stringify(config, undefined, 2), {mode: 0o600})
}

/** Waits until the API server says that it is ready. */
export async function awaitReady(kubectl: Kubectl): Promise<void> {
  for (const context of ['admin', 'translated']) {
    const ready = ['get', '--raw', '/readyz', '--context', context]
    await waitUntil('the API server', 60_000, async () => await kubectl.run(ready))
  }
}
