import {kubectl} from '../site.ts'
import {runCommand} from '../run-command.ts'

/** The cable between a pod and the rest. What comes through the node (port-forward, exec) does not need it. */
export interface PodLink {
  readonly down: () => Promise<void>
  readonly up: () => Promise<void>
}

/** Finds the node's end of the cable of a pod in `shop`. */
export async function podLink(pod: string): Promise<PodLink> {
  const address = await kubectl.run(['get', 'pod', '-n', 'shop', pod, '-o', 'jsonpath={.status.podIP}'])
  await runCommand(['ping', '-c', '1', '-W', '2', address]).catch(() => undefined)
  const neighbour = await runCommand(['ip', '-o', 'neighbour', 'show', address])
  const mac = /lladdr (\S+)/u.exec(neighbour)?.[1] ?? 'none'
  const device = /dev (veth\w+)/u.exec(
    await runCommand(['bridge', 'fdb', 'show', 'br', 'real0']).then(lineWith(mac)),
  )?.[1]
  if (device === undefined) throw new Error(`${pod} (${address}, ${mac}) has no link on the bridge`)
  const set = async (state: string): Promise<void> => void (await runCommand(['ip', 'link', 'set', device, state]))
  return {down: async () => await set('down'), up: async () => await set('up')}
}

function lineWith(text: string): (lines: string) => string {
  return (lines) => lines.split('\n').find((line) => line.includes(text)) ?? ''
}
