import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Kubectl} from '../cluster/kubectl.ts'
import {runCommand} from '../run-command.ts'
import {waitUntil} from '../wait-until.ts'
import {startIstiod} from './start-istio.ts'

/** A CA of one's own that istiod signs with: an intermediate below a root. All PEM. */
export interface PluggedCa {
  readonly root: string
  readonly intermediate: string
  readonly intermediateKey: string
}

/** Makes a root that lives `days`, and below it an intermediate that lives half of them. */
export async function makeCa(name: string, days: number): Promise<PluggedCa> {
  const folder = await mkdtemp(join(tmpdir(), 'real-ca-'))
  const openssl = async (...args: readonly string[]): Promise<unknown> =>
    await runCommand(['openssl', ...args], {cwd: folder})
  const read = async (file: string): Promise<string> => await readFile(join(folder, file), 'utf8')
  const key = (file: string): readonly string[] => ['-newkey', 'rsa:2048', '-nodes', '-keyout', file]
  const extensions = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => ['-addext', line])
  const signs = extensions('keyUsage=critical,keyCertSign,cRLSign')
  const below = extensions('basicConstraints=critical,CA:TRUE,pathlen:0')
  try {
    await openssl(
      'req',
      '-x509',
      ...key('root.key'),
      '-subj',
      `/O=${name}/CN=root`,
      '-days',
      `${days}`,
      ...signs,
      '-out',
      'root',
    )
    const request = ['req', ...key('key'), '-subj', `/O=${name}/CN=intermediate`, ...signs, ...below]
    await openssl(
      ...request,
      '-x509',
      '-CA',
      'root',
      '-CAkey',
      'root.key',
      '-days',
      `${Math.floor(days / 2)}`,
      '-out',
      'intermediate',
    )
    return {root: await read('root'), intermediate: await read('intermediate'), intermediateKey: await read('key')}
  } finally {
    await rm(folder, {recursive: true})
  }
}

/** Has istiod sign with a CA and publish these roots: it is started anew, and has published them when this is over. */
export async function plugIn(
  kubectl: Kubectl,
  kubeconfig: string,
  {intermediate, intermediateKey}: PluggedCa,
  roots: string,
): Promise<void> {
  const stringData = {
    'ca-cert.pem': intermediate,
    'ca-key.pem': intermediateKey,
    'cert-chain.pem': intermediate,
    'root-cert.pem': roots,
  }
  const metadata = {name: 'cacerts', namespace: 'istio-system'}
  await kubectl.apply([{apiVersion: 'v1', kind: 'Secret', metadata, stringData}])
  await kubectl.run(['delete', 'pod', '-n', 'istio-system', 'istiod-1', '--wait'])
  await startIstiod(kubectl, kubeconfig)
  const places: readonly (readonly string[])[] = [
    ['configmap', '-n', 'shop', 'istio-ca-root-cert', '-o', String.raw`go-template={{index .data "root-cert.pem"}}`],
    ['mutatingwebhookconfiguration', 'istio-sidecar-injector', '-o', CA_BUNDLE],
  ]
  for (const place of places) {
    await waitUntil(`istiod's roots in ${place[0] ?? ''}`, 60_000, async () => {
      const found = await kubectl.run(['get', ...place])
      return found.trim() === roots.trim() ? true : undefined
    })
  }
}

const CA_BUNDLE = 'go-template={{(index .webhooks 0).clientConfig.caBundle | base64decode}}'
