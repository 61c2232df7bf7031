import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {IMAGES} from '../parts/images.ts'
import {runCommand} from '../run-command.ts'
import {waitUntil} from '../wait-until.ts'
import type {Kubectl} from './kubectl.ts'
import {NODE_IP} from './pki.ts'
import type {Processes} from './processes.ts'

/** Programs and folders of the one node. */
interface NodeParts {
  readonly kubelet: string
  readonly images: string
  readonly pki: string
  readonly folder: string
  readonly logs: string
  readonly processes: Processes
  readonly kubectl: Kubectl
}

/** Name of the one node. No scheduler runs: pods name it. */
export const NODE_NAME = 'real'

/** Starts containerd and a kubelet on it, and waits until the node is ready. */
export async function startNode(parts: NodeParts): Promise<void> {
  await mkdir(join(parts.folder, 'cni'), {recursive: true})
  await runCommand(['ip', 'link', 'add', 'real0', 'type', 'bridge'])
  await runCommand(['ip', 'address', 'add', `${NODE_IP}/24`, 'dev', 'real0'])
  await runCommand(['ip', 'link', 'set', 'real0', 'up'])
  await startContainerd(parts)
  await startKubelet(parts)
  await parts.kubectl.run(['wait', '--for=create', `node/${NODE_NAME}`, '--timeout=60s'])
  await parts.kubectl.run(['wait', '--for=condition=Ready', `node/${NODE_NAME}`, '--timeout=60s'])
}

function socketOf({folder}: NodeParts): string {
  return join(folder, 'containerd.sock')
}

async function startContainerd(parts: NodeParts): Promise<void> {
  const {folder, processes} = parts
  const network = {
    cniVersion: '0.4.0',
    name: 'real',
    plugins: [
      {
        type: 'bridge',
        bridge: 'real0',
        isGateway: true,
        ipam: {
          type: 'host-local',
          dataDir: join(folder, 'addresses'),
          ranges: [[{subnet: '10.245.0.0/24', rangeStart: '10.245.0.10'}]],
        },
      },
    ],
  }
  await writeFile(join(folder, 'cni', '10-real.conflist'), JSON.stringify(network))
  await writeFile(join(folder, 'containerd.toml'), containerdConfig(parts))
  processes.start('containerd', ['containerd', '--config', join(folder, 'containerd.toml')])
  const ctr = ['ctr', '--address', socketOf(parts), '--namespace', 'k8s.io'] as const
  await waitUntil('containerd', 30_000, async () => await runCommand([...ctr, 'version']))
  await runCommand([...ctr, 'images', 'import', parts.images])
}

function containerdConfig(parts: NodeParts): string {
  const {folder} = parts
  return `version = 2
root = "${join(folder, 'root')}"
state = "${join(folder, 'state')}"
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.tracing.processor.v1.otlp", "io.containerd.internal.v1.tracing"]
[grpc]
  address = "${socketOf(parts)}"
[plugins."io.containerd.internal.v1.opt"]
  path = "${join(folder, 'opt')}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${IMAGES.tools}"
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${join(folder, 'cni')}"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
`
}

async function startKubelet(parts: NodeParts): Promise<void> {
  const {kubelet, pki, folder, logs, processes} = parts
  const user = {'client-certificate': join(pki, 'kubelet.crt'), 'client-key': join(pki, 'kubelet.key')}
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'node',
    clusters: [
      {name: 'real', cluster: {server: 'https://127.0.0.1:6443', 'certificate-authority': join(pki, 'ca.crt')}},
    ],
    contexts: [{name: 'node', context: {cluster: 'real', user: 'node'}}],
    users: [{name: 'node', user}],
  }
  const config = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: NODE_IP,
    healthzPort: 0,
    authentication: {
      anonymous: {enabled: false},
      webhook: {enabled: true},
      x509: {clientCAFile: join(pki, 'ca.crt')},
    },
    authorization: {mode: 'Webhook'},
    tlsCertFile: join(pki, 'kubelet-server.crt'),
    tlsPrivateKeyFile: join(pki, 'kubelet-server.key'),
    containerRuntimeEndpoint: `unix://${socketOf(parts)}`,
    cgroupDriver: 'cgroupfs',
    cgroupsPerQOS: false,
    enforceNodeAllocatable: [],
    failCgroupV1: false,
    failSwapOn: false,
    localStorageCapacityIsolation: false,
    evictionHard: {'memory.available': '0%'},
    syncFrequency: '2s',
    nodeStatusUpdateFrequency: '5s',
    podLogsDir: join(logs, 'pods'),
    makeIPTablesUtilChains: false,
  }
  await writeFile(join(folder, 'kubelet.kubeconfig'), JSON.stringify(kubeconfig))
  await writeFile(join(folder, 'kubelet.json'), JSON.stringify(config))
  processes.start('kubelet', [
    kubelet,
    `--config=${join(folder, 'kubelet.json')}`,
    `--kubeconfig=${join(folder, 'kubelet.kubeconfig')}`,
    `--root-dir=${join(folder, 'kubelet')}`,
    `--node-ip=${NODE_IP}`,
    `--hostname-override=${NODE_NAME}`,
  ])
}
