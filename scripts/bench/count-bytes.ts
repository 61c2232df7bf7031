import {connect, createServer} from 'node:net'

/** Bytes that went each way. */
export interface Traffic {
  readonly sent: number
  readonly received: number
}

/** A relay before a TCP port, which counts what goes through it: what is encrypted stays so. */
export interface Relay {
  /** What went through since the last time this was asked. */
  readonly take: () => Traffic
  readonly close: () => void
}

/** Listens on `port` of 127.0.0.1, and leads to `target`. */
export async function startRelay(port: number, target: number): Promise<Relay> {
  let sent = 0
  let received = 0
  const server = createServer((near) => {
    const far = connect({host: '127.0.0.1', port: target})
    near.on('data', (chunk: Buffer) => (sent += chunk.length))
    far.on('data', (chunk: Buffer) => (received += chunk.length))
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    take: () => {
      const traffic = {sent, received}
      sent = 0
      received = 0
      return traffic
    },
    close: () => void server.close(),
  }
}
