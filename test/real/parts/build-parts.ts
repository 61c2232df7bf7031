import {join} from 'node:path'
import {unpackKubectl} from '../../support/unpack-kubectl.ts'
import {cached, cacheFolder} from './cache.ts'
import {debianVersions} from './debian.ts'
import {envoyRecipe} from './envoy.ts'
import {istioRecipe, kubernetesRecipe} from './go-programs.ts'
import {imagesRecipe} from './images.ts'

/** Where the programs are that the tests run. */
export interface Parts {
  readonly etcd: string
  readonly apiServer: string
  readonly kubelet: string
  readonly kubectl: string
  readonly istioctl: string
  readonly pilotAgent: string
  readonly envoy: string
  /** Template of Envoy's bootstrap, which the agent fills in. */
  readonly bootstrap: string
  /** An archive of all container images. */
  readonly images: string
}

/** Builds what is not in the cache yet: minutes at first, nothing later. */
export async function buildParts(env: NodeJS.ProcessEnv): Promise<Parts> {
  const cache = cacheFolder(env)
  const envoy = await cached(cache, await envoyRecipe())
  const istio = await cached(cache, await istioRecipe())
  const kubernetes = await cached(cache, await kubernetesRecipe())
  const images = await cached(cache, await imagesRecipe({envoy, istio, versions: await debianVersions()}))
  return {
    etcd: join(kubernetes, 'etcd'),
    apiServer: join(kubernetes, 'kube-apiserver'),
    kubelet: join(kubernetes, 'kubelet'),
    kubectl: await unpackKubectl(),
    istioctl: join(istio, 'istioctl'),
    pilotAgent: join(istio, 'pilot-agent'),
    envoy: join(envoy, 'envoy'),
    bootstrap: join(istio, 'envoy_bootstrap.json'),
    images: join(images, 'images.tar'),
  }
}
