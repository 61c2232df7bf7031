import {createHash} from 'node:crypto'
import {createReadStream} from 'node:fs'
import {chmod, cp, mkdir, readFile, realpath, rename, rm, symlink, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {runCommand} from '../run-command.ts'
import type {Recipe} from './cache.ts'

/** The images, by what is in them. */
export const IMAGES = {
  /** A shell and its tools, as an application; also what holds a pod's namespaces. */
  tools: 'real.test/tools:1',
  /** pilot-agent and Envoy with a shell and `nc -U`, as Istio's own image. */
  proxy: 'real.test/proxy:1',
  /** The same with `socat` instead of `nc`. */
  proxySocat: 'real.test/proxy-socat:1',
  /** The same with nothing else, as Istio's distroless image. */
  proxyDistroless: 'real.test/proxy-distroless:1',
  istiod: 'real.test/istiod:1',
} as const

/** What the images are made of. */
interface Ingredients {
  readonly envoy: string
  readonly istio: string
  /** Versions of the Debian packages whose programs go in. */
  readonly versions: string
}

/** An archive of all images, as `docker save` writes it; layers that images share are in it once. */
export async function imagesRecipe({envoy, istio, versions}: Ingredients): Promise<Recipe> {
  return {
    name: 'images',
    inputs: [envoy, istio, versions, await readFile(import.meta.filename)],
    build: async (folder) => {
      const archive = new Archive(folder)
      const shell = await archive.layer('shell', async (root) => {
        await addTree(root)
        await addShell(root)
      })
      const proxy = await archive.layer('proxy', async (root) => {
        await addTree(root)
        await addProgram(root, join(envoy, 'envoy'))
        await addProgram(root, join(istio, 'pilot-agent'))
        await cp(join(istio, 'envoy_bootstrap.json'), join(root, 'var/lib/istio/envoy/envoy_bootstrap_tmpl.json'))
        await script(root, 'envoy-behind-relay', RELAY)
      })
      const netcat = await archive.layer('netcat', async (root) => await addProgram(root, '/bin/nc.openbsd', 'nc'))
      const socat = await archive.layer('socat', async (root) => await addProgram(root, '/usr/bin/socat'))
      const istiod = await archive.layer('istiod', async (root) => {
        await addTree(root)
        await addProgram(root, join(istio, 'pilot-discovery'))
      })
      await archive.image(IMAGES.tools, [shell], {Cmd: ['/bin/sleep', 'infinity']})
      const agent = {Entrypoint: ['/usr/local/bin/pilot-agent'], User: '1337'}
      await archive.image(IMAGES.proxy, [proxy, shell, netcat, socat], agent)
      await archive.image(IMAGES.proxySocat, [proxy, shell, socat], agent)
      await archive.image(IMAGES.proxyDistroless, [proxy], agent)
      await archive.image(IMAGES.istiod, [istiod], {Entrypoint: ['/usr/local/bin/pilot-discovery']})
      await archive.finish()
    },
  }
}

/** Envoy with its agent's SDS socket behind a relay: while the relay is stopped, nothing new comes through. */
const RELAY = `#!/bin/sh
folder=/var/run/secrets/workload-spiffe-uds
mv $folder/socket $folder/agent
socat UNIX-LISTEN:$folder/socket,fork UNIX-CONNECT:$folder/agent &
exec /usr/local/bin/envoy "$@"
`

const FOLDERS = [
  'bin',
  'dev',
  'etc/istio/proxy',
  'lib',
  'lib64',
  'proc',
  'root',
  'sys',
  'usr/local/bin',
  'var/run',
  'var/lib/istio/envoy',
]

async function addTree(root: string): Promise<void> {
  for (const folder of FOLDERS) await mkdir(join(root, folder), {recursive: true})
  await mkdir(join(root, 'tmp'))
  await chmod(join(root, 'tmp'), 0o1777)
  // The agent runs as 1337, and writes what it starts Envoy with.
  await chmod(join(root, 'etc/istio/proxy'), 0o777)
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nistio-proxy:x:1337:1337::/:/bin/sh\n')
  await writeFile(join(root, 'etc/group'), 'root:x:0:\nistio-proxy:x:1337:\n')
  await writeFile(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n')
}

async function addShell(root: string): Promise<void> {
  await cp('/bin/busybox', join(root, 'bin/busybox'))
  for (const name of (await runCommand(['/bin/busybox', '--list'])).trim().split('\n')) {
    // Its nc knows no Unix sockets: where there is one, it is Debian's.
    if (name !== 'busybox' && name !== 'nc') await symlink('/bin/busybox', join(root, 'bin', name))
  }
}

/** Adds a program, and the libraries that it is linked with. */
async function addProgram(root: string, path: string, name = path.split('/').at(-1) ?? ''): Promise<void> {
  await mkdir(join(root, 'usr/local/bin'), {recursive: true})
  await cp(await realpath(path), join(root, 'usr/local/bin', name))
  await chmod(join(root, 'usr/local/bin', name), 0o755)
  const linked = await runCommand(['sh', '-c', 'ldd "$1" 2>/dev/null || true', 'sh', path])
  for (const [, library = ''] of linked.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gmu)) {
    await mkdir(join(root, dirname(library)), {recursive: true})
    await cp(await realpath(library), join(root, library))
  }
}

async function script(root: string, name: string, text: string): Promise<void> {
  await writeFile(join(root, 'usr/local/bin', name), text, {mode: 0o755})
}

interface Manifest {
  readonly Config: string
  readonly RepoTags: readonly string[]
  readonly Layers: readonly string[]
}

/** An archive of images while it is being made. */
class Archive {
  readonly #folder: string
  readonly #content: string
  readonly #manifests: Manifest[] = []

  constructor(folder: string) {
    this.#folder = folder
    this.#content = join(folder, 'content')
  }

  /** Packs what `fill` puts into an empty folder, and gives the layer's digest. */
  async layer(name: string, fill: (root: string) => Promise<void>): Promise<string> {
    const root = join(this.#folder, name)
    const packed = join(this.#folder, `${name}.tar`)
    await mkdir(this.#content, {recursive: true})
    await mkdir(root)
    await fill(root)
    const stable = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
    await runCommand(['tar', ...stable, '-C', root, '-cf', packed, '.'])
    await rm(root, {recursive: true})
    const digest = await digestOf(packed)
    await rename(packed, join(this.#content, `${digest}.tar`))
    return digest
  }

  async image(tag: string, layers: readonly string[], config: Readonly<Record<string, unknown>>): Promise<void> {
    const text = JSON.stringify({
      architecture: 'amd64',
      os: 'linux',
      config: {Env: ['PATH=/usr/local/bin:/bin'], ...config},
      rootfs: {type: 'layers', diff_ids: layers.map((digest) => `sha256:${digest}`)},
    })
    const name = `${createHash('sha256').update(text).digest('hex')}.json`
    await writeFile(join(this.#content, name), text)
    this.#manifests.push({Config: name, RepoTags: [tag], Layers: layers.map((digest) => `${digest}.tar`)})
  }

  async finish(): Promise<void> {
    await writeFile(join(this.#content, 'manifest.json'), JSON.stringify(this.#manifests))
    await runCommand(['tar', '-C', this.#content, '-cf', join(this.#folder, 'images.tar'), '.'])
    await rm(this.#content, {recursive: true})
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
