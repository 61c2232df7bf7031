import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {runCommand} from '../run-command.ts'

/** The node's address on the fleet's bridge, which istiod answers at. */
const FLEET_NODE_IP = '10.246.0.1'

/** Where the emulated kubelet connects from: what comes from here reaches a pod's loopback, as a node's forward does. */
export const KUBELET_ADDRESS = '10.246.0.2'

const BRIDGE = 'fleet0'

/** Makes the bridge that the fleet's pods hang on, and names istiod to them: no DNS runs here. */
export async function openBridge(folder: string): Promise<void> {
  const hosts = join(folder, 'hosts')
  await writeFile(hosts, `${await readFile('/etc/hosts', 'utf8')}\n${FLEET_NODE_IP} istiod.istio-system.svc\n`)
  await runCommand(['mount', '--bind', hosts, '/etc/hosts'])
  await runCommand(['ip', 'link', 'add', BRIDGE, 'type', 'bridge'])
  for (const address of [FLEET_NODE_IP, KUBELET_ADDRESS]) {
    await runCommand(['ip', 'address', 'add', `${address}/16`, 'dev', BRIDGE])
  }
  await runCommand(['ip', 'link', 'set', BRIDGE, 'up'])
}

/** Address of the pod with this number. */
export function podAddress(number: number): string {
  return `10.246.${String(1 + (number >> 8))}.${String(number & 255)}`
}

/** Makes a pod's network namespace. */
export async function openPodNetwork(name: string, number: number): Promise<void> {
  const outside = `fleet-${String(number)}`
  const script = `
ip netns add "$1"
ip link add "$2" type veth peer name eth0 netns "$1"
ip link set "$2" master ${BRIDGE} up
ip -n "$1" link set lo up
ip -n "$1" address add "$3/16" dev eth0
ip -n "$1" link set eth0 up
exec nsenter --net="/run/netns/$1" sh -ec '
echo 1 > /proc/sys/net/ipv4/conf/eth0/route_localnet
echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start
iptables -w -t nat -A PREROUTING -i eth0 -s ${KUBELET_ADDRESS} -p tcp -j DNAT --to-destination 127.0.0.1'
`
  await runCommand(['sh', '-ec', script, 'sh', name, outside, podAddress(number)])
}
