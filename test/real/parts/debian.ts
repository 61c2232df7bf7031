import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {runCommand, tryCommand} from '../run-command.ts'

/** The packages of `debian/packages.txt`. */
async function packageNames(): Promise<readonly string[]> {
  const text = await readFile(join(import.meta.dirname, 'debian', 'packages.txt'), 'utf8')
  return text.trim().split('\n')
}

/** Installs the packages that are missing. Throws where apt-get is missing or cannot. */
export async function installDebianPackages(): Promise<void> {
  const missing: string[] = []
  for (const name of await packageNames()) {
    const {code, stdout} = await tryCommand(['dpkg-query', '-W', '-f', '${db:Status-Status}', name])
    if (code !== 0 || stdout !== 'installed') missing.push(name)
  }
  if (missing.length === 0) return
  process.stderr.write(`Installing ${missing.join(', ')} …\n`)
  const env = {...process.env, DEBIAN_FRONTEND: 'noninteractive'}
  await runCommand(['apt-get', 'update'], {env})
  await runCommand(['apt-get', 'install', '--yes', '--no-install-recommends', ...missing], {env})
}

/** Names and versions as installed: what the images are made of. */
export async function debianVersions(): Promise<string> {
  return await runCommand(['dpkg-query', '-W', ...(await packageNames()), 'libc6'])
}
