import {Kubectl} from './cluster/kubectl.ts'
import {runCommand} from './run-command.ts'

/** The running mesh, as `inside.ts` tells the tests of it. */
export interface Site {
  readonly kubeconfig: string
  /** The folder with the cluster's keys. */
  readonly pki: string
  readonly kubectl: string
  readonly istioctl: string
  readonly apiServer: string
}

const given = process.env['REAL_SITE']
if (given === undefined) throw new Error('There is no mesh to test on: these tests are run by npm run test:real')

/** What the run has. */
export const site = JSON.parse(given) as Site

/** kubectl as the cluster's admin. */
export const kubectl = new Kubectl(site.kubectl, site.kubeconfig)

/** What a process of agentctl is given of the environment. */
export const agentctlEnv: Readonly<Record<string, string>> = {KUBECONFIG: site.kubeconfig}

/** Runs istioctl, and gives what it wrote to its standard output. */
export async function istioctl(args: readonly string[]): Promise<string> {
  return await runCommand([site.istioctl, ...args], {env: {...process.env, KUBECONFIG: site.kubeconfig}})
}

/** Runs a command in the agent's container of a pod in `shop`, with kubectl. */
export async function execIn(pod: string, command: readonly string[]): Promise<string> {
  return await kubectl.run(['exec', '-n', 'shop', pod, '-c', 'istio-proxy', '--', ...command])
}
