import {mkdir, symlink, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {Api} from '../cluster/api.ts'
import {NODE_IP} from '../cluster/pki.ts'
import type {Processes} from '../cluster/processes.ts'
import type {ContainerSpec, PodObject} from '../kubelet/pod-object.ts'
import {runCommand} from '../run-command.ts'

/** The programs of a data plane, and the template of Envoy's configuration. */
interface Programs {
  readonly envoy: string
  readonly pilotAgent: string
  readonly bootstrap: string
}

/** Programs and folders of the data planes. */
export interface DataPlaneParts extends Programs {
  readonly folder: string
  readonly processes: Processes
  readonly api: Api
}

/** Programs that other users may run: the cache they come from is this user's alone. */
export async function exposePrograms(parts: Programs, folder: string): Promise<Programs> {
  await mkdir(folder)
  const expose = async (name: string, path: string): Promise<string> => {
    const exposed = join(folder, name)
    await writeFile(exposed, '')
    await runCommand(['mount', '--bind', path, exposed])
    return exposed
  }
  return {
    envoy: await expose('envoy', parts.envoy),
    pilotAgent: await expose('pilot-agent', parts.pilotAgent),
    bootstrap: await expose('envoy_bootstrap.json', parts.bootstrap),
  }
}

/** Folders that the agent expects where it runs. */
const FOLDERS = [
  'etc/istio/proxy',
  'etc/istio/pod',
  'etc/istio/config',
  'var/lib/istio/data',
  'var/lib/istio/envoy',
  'var/run/secrets/credential-uds',
  'var/run/secrets/istio',
  'var/run/secrets/tokens',
  'var/run/secrets/workload-spiffe-credentials',
  'var/run/secrets/workload-spiffe-uds',
]

/** Users of the data planes are numbered from here: Linux lets each user watch files 128 times (inotify), not more. */
const FIRST_USER = 20_000

/**
 * Runs the container `istio-proxy` of an injected pod as processes in the pod's network namespace: a real agent and a
 * real Envoy, as the pod's spec has them. `number` is the pod's own.
 */
export async function startDataPlane(pod: PodObject, number: number, parts: DataPlaneParts): Promise<void> {
  const {namespace, name} = pod.metadata
  const folder = join(parts.folder, `${namespace}.${name}`)
  for (const path of FOLDERS) await mkdir(join(folder, path), {recursive: true})
  const file = async (path: string, text: string): Promise<void> => await writeFile(join(folder, path), text)
  await symlink(parts.bootstrap, join(folder, 'var/lib/istio/envoy/envoy_bootstrap_tmpl.json'))
  await file('var/run/secrets/tokens/istio-token', await tokenOf(pod, parts.api))
  await file('var/run/secrets/istio/root-cert.pem', await rootOf(namespace, parts.api))
  await file('etc/istio/pod/labels', quoted(pod.metadata.labels))
  await file('etc/istio/pod/annotations', quoted(pod.metadata.annotations))
  const container = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].find(
    (candidate) => candidate.name === 'istio-proxy',
  )
  if (container === undefined) throw new Error(`${namespace}/${name} was not injected`)
  const env = environmentOf(container, pod)
  const config = JSON.parse(env['PROXY_CONFIG'] ?? '{}') as object
  const own = {PROXY_CONFIG: JSON.stringify({...config, binaryPath: parts.envoy, concurrency: 1})}
  const args = (container.args ?? []).map((arg) =>
    arg.replaceAll(/\$\(([^)]+)\)/gu, (whole, variable: string) => env[variable] ?? whole),
  )
  const user = String(FIRST_USER + number)
  await runCommand(['chown', '-R', `${user}:${user}`, folder])
  const network = ['nsenter', `--net=/run/netns/${name}`, `--wd=${folder}`, '--'] as const
  const enter = [
    ...network,
    'setpriv',
    `--reuid=${user}`,
    `--regid=${user}`,
    '--clear-groups',
    parts.pilotAgent,
  ] as const
  parts.processes.start(`${namespace}.${name}`, [...enter, ...args], {
    PATH: process.env['PATH'],
    HOME: folder,
    ...env,
    ...own,
  })
}

function environmentOf({env = []}: ContainerSpec, pod: PodObject): Record<string, string> {
  return Object.fromEntries(
    env.map(({name, value, valueFrom}): [string, string] => {
      if (valueFrom?.fieldRef !== undefined) return [name, fieldOf(pod, valueFrom.fieldRef.fieldPath)]
      if (valueFrom?.resourceFieldRef !== undefined) return [name, RESOURCES[valueFrom.resourceFieldRef.resource] ?? '']
      return [name, value ?? '']
    }),
  )
}

const RESOURCES: Readonly<Record<string, string>> = {'limits.cpu': '2', 'limits.memory': String(1 << 30)}

function fieldOf({metadata, spec, status}: PodObject, path: string): string {
  const fields: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'spec.serviceAccountName': spec.serviceAccountName,
    'spec.nodeName': spec.nodeName,
    'status.podIP': status.podIP,
    'status.hostIP': NODE_IP,
  }
  return fields[path] ?? ''
}

async function tokenOf({metadata, spec}: PodObject, api: Api): Promise<string> {
  const {name, namespace, uid} = metadata
  const boundObjectRef = {apiVersion: 'v1', kind: 'Pod', name, uid}
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${spec.serviceAccountName}/token`
  const asked = {spec: {audiences: ['istio-ca'], expirationSeconds: 43_200, boundObjectRef}}
  const answer = (await api.send('POST', path, asked)) as {readonly status: {readonly token: string}}
  return answer.status.token
}

async function rootOf(namespace: string, api: Api): Promise<string> {
  const answer = await api.send('GET', `/api/v1/namespaces/${namespace}/configmaps/istio-ca-root-cert`)
  return (answer as {readonly data: Readonly<Record<string, string>>}).data['root-cert.pem'] ?? ''
}

/** The form of a downward API file. */
function quoted(values: Readonly<Record<string, string>> = {}): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
    .join('')
}
