import type {Socket} from 'node:net'

const MAX_HEAD_BYTES = 16 * 1024
const WORDS: Readonly<Record<string, string>> = {
  407: 'the proxy wants a login (407)',
  403: 'the proxy forbids it (403)',
  502: 'the proxy cannot reach it (502)',
  503: 'the proxy cannot reach it (503)',
  504: 'the proxy gave up waiting for it (504)',
}

/**
 * Asks an HTTP proxy for a tunnel to `target` (`host:port`) with CONNECT; afterwards the socket speaks to the target.
 * Throws Error with a text for people where the proxy refuses, or answers with something that is no HTTP.
 */
export async function openTunnel(socket: Socket, target: string, proxy: URL): Promise<void> {
  const login =
    proxy.username === ''
      ? ''
      : `Proxy-Authorization: Basic ${Buffer.from(
          `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`,
        ).toString('base64')}\r\n`
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${login}\r\n`)
  const {head, rest} = await readHead(socket)
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]
  if (status === undefined) throw new Error('what answers as the proxy does not speak HTTP')
  if (!status.startsWith('2')) throw new Error(WORDS[status] ?? `the proxy refused with status ${status}`)
  if (rest.length > 0) socket.unshift(rest)
}

async function readHead(socket: Socket): Promise<{head: string; rest: Buffer}> {
  const {promise, resolve, reject} = Promise.withResolvers<{head: string; rest: Buffer}>()
  let seen = Buffer.alloc(0)
  const onData = (chunk: Buffer): void => {
    seen = Buffer.concat([seen, chunk])
    const end = seen.indexOf('\r\n\r\n')
    if (end >= 0) resolve({head: seen.toString('latin1', 0, end), rest: seen.subarray(end + 4)})
    else if (seen.length > MAX_HEAD_BYTES) reject(new Error('what answers as the proxy does not speak HTTP'))
  }
  const onEnd = (): void => reject(new Error('the proxy closed the connection'))
  socket.on('data', onData)
  socket.once('error', reject)
  socket.once('close', onEnd)
  socket.once('end', onEnd)
  try {
    return await promise
  } finally {
    socket.pause()
    socket.off('data', onData)
    socket.off('error', reject)
    socket.off('close', onEnd)
    socket.off('end', onEnd)
  }
}
