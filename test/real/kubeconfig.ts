import {readFile, writeFile} from 'node:fs/promises'
import {site} from './site.ts'

interface Config {
  readonly contexts: readonly {readonly name: string; readonly context: object}[]
  readonly users: readonly object[]
}

/** Writes a kubeconfig of the cluster with one user more, `own`, who is its current context. */
export async function writeOwnUser(path: string, user: object): Promise<void> {
  const config = JSON.parse(await readFile(site.kubeconfig, 'utf8')) as Config
  const own = {
    ...config,
    contexts: [...config.contexts, {name: 'own', context: {cluster: 'real', user: 'own'}}],
    users: [...config.users, {name: 'own', user}],
    'current-context': 'own',
  }
  await writeFile(path, JSON.stringify(own), {mode: 0o600})
}
