import {connect} from 'node:net'
import type {Dial} from '../../../src/lib/sandbox/streams/port-forward.ts'
import {KUBELET_ADDRESS} from '../fleet/pod-network.ts'

/** Leads a forwarded port to real processes in a network namespace, where it comes out on loopback. */
export function dialProcess(host: string): Dial {
  return async (port, far) =>
    await new Promise((resolve) => {
      const socket = connect({host, port, localAddress: KUBELET_ADDRESS, noDelay: true})
      socket.once('error', (error) => {
        resolve(`failed to connect to localhost:${String(port)} inside namespace: ${error.message}`)
        far.destroy()
      })
      socket.once('connect', () => {
        resolve(undefined)
        far.pipe(socket).pipe(far)
        far.once('close', () => socket.destroy())
      })
    })
}
