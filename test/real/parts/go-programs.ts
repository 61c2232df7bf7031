import {readFile, rename} from 'node:fs/promises'
import {join} from 'node:path'
import {runCommand} from '../run-command.ts'
import type {Recipe} from './cache.ts'

/** etcd, kube-apiserver and the kubelet, of the versions in `kubernetes/go.mod`. */
export async function kubernetesRecipe(): Promise<Recipe> {
  const stamp = 'k8s.io/component-base/version'
  return await goRecipe('kubernetes', 'k8s.io/kubernetes', (version) => {
    const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/u.exec(version) ?? []
    // Without these the server calls itself v0.0.0-master.
    return [`${stamp}.gitVersion=${version}`, `${stamp}.gitMajor=${major}`, `${stamp}.gitMinor=${minor}`]
  })
}

/** istioctl, pilot-agent and pilot-discovery, of the version in `istio/go.mod`; and Envoy's bootstrap template. */
export async function istioRecipe(): Promise<Recipe> {
  const stamp = 'istio.io/istio/pkg/version'
  const recipe = await goRecipe('istio', 'istio.io/istio', (version) => {
    const revision = version.split('-').at(-1) ?? ''
    return [`${stamp}.buildVersion=1.31-alpha.${revision}`, `${stamp}.buildGitRevision=${revision}`]
  })
  return {
    ...recipe,
    build: async (folder) => {
      await recipe.build(folder)
      const module = await go('istio', ['list', '-m', '-f', '{{.Dir}}', 'istio.io/istio'])
      await runCommand(['cp', join(module.trim(), 'tools/packaging/common/envoy_bootstrap.json'), folder])
    },
  }
}

async function goRecipe(
  name: string,
  versionOf: string,
  stampsOf: (version: string) => readonly string[],
): Promise<Recipe> {
  const modules = join(import.meta.dirname, name)
  const goMod = await readFile(join(modules, 'go.mod'), 'utf8')
  const version = new RegExp(`\\t${versionOf} (v\\S+)`, 'u').exec(goMod)?.[1] ?? ''
  const flags = ['-s', '-w', ...stampsOf(version).flatMap((stamp) => ['-X', stamp])].join(' ')
  return {
    name,
    inputs: [goMod, await readFile(join(modules, 'go.sum')), flags],
    build: async (folder) => {
      await go(name, ['build', '-buildvcs=false', '-trimpath', '-ldflags', flags, '-o', `${folder}/`, 'tool'])
      // A Go program is named after its folder, and etcd's is server/v3.
      if (name === 'kubernetes') await rename(join(folder, 'server'), join(folder, 'etcd'))
    },
  }
}

async function go(name: string, args: readonly string[]): Promise<string> {
  const env = {...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly'}
  return await runCommand(['nice', 'go', ...args], {cwd: join(import.meta.dirname, name), env})
}
