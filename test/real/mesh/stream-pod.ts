import {IMAGES} from '../parts/images.ts'
import {pod} from './pod.ts'

/** Name of the pod whose programs and ports the stream tests speak with. */
export const STREAM_POD = 'streams-1'

/** Where its servers listen; nothing does at `nothing`. */
export const STREAM_PORTS = {echo: 7001, closing: 7002, large: 7003, resetting: 7004, nothing: 7999} as const

/** What the port `large` sends, and the command that prints the same: 64 MiB that no pattern repeats, eight times. */
export const LARGE_OUTPUT = `cat ${Array.from({length: 8}, () => '/tmp/random').join(' ')}`

/** How many bytes that are. */
export const LARGE_BYTES = 512 * 1024 * 1024

/** How the port `resetting` begins what it never ends. */
export const BEGINNING = 'only the beginning'

const SERVERS = [
  `socat TCP-LISTEN:${STREAM_PORTS.echo},fork,reuseaddr,backlog=300 PIPE`,
  `socat TCP-LISTEN:${STREAM_PORTS.closing},fork,reuseaddr EXEC:true`,
  `socat TCP-LISTEN:${STREAM_PORTS.large},fork,reuseaddr SYSTEM:'${LARGE_OUTPUT}'`,
  `socat TCP-LISTEN:${STREAM_PORTS.resetting},fork,reuseaddr,linger=0 SYSTEM:'echo ${BEGINNING}; sleep 1'`,
]

/** Containers that end when they are told to and are started again: at once the first time, later after a while. */
export const RESTARTING = ['restarting-1', 'restarting-2', 'restarting-3', 'restarting-4'] as const

/** A pod without an agent: a container with servers, and such as are restarted. */
export function streamPod(): object {
  const image = {image: IMAGES.proxySocat, imagePullPolicy: 'Never'}
  const servers = ['head -c 67108864 /dev/urandom >/tmp/random', ...SERVERS.map((server) => `${server} &`), 'wait']
  return pod(STREAM_POD, {'sidecar.istio.io/inject': 'false'}, {}, [
    {
      ...image,
      name: 'servers',
      command: ['sh', '-c', servers.join('\n')],
      readinessProbe: {tcpSocket: {port: STREAM_PORTS.echo}, periodSeconds: 1},
    },
    ...RESTARTING.map((name) => ({
      ...image,
      name,
      command: ['sh', '-c', "trap 'exit 0' TERM; while :; do sleep 0.5; done"],
    })),
  ])
}
