/** A program that connects its input and output to a Unix socket. */
export interface SocketProgram {
  readonly name: string
  readonly words: (path: string) => readonly [string, ...string[]]
}

/**
 * The closed list of what may be run to reach a socket, most fitting first. OpenBSD's nc ends with its input only where
 * `-N` says so, and would else stay in the container; others do not know the letter.
 */
export const SOCKET_PROGRAMS: readonly SocketProgram[] = [
  {name: 'nc', words: (path) => ['nc', '-N', '-U', checked(path)]},
  {name: 'nc', words: (path) => ['nc', '-U', checked(path)]},
  {name: 'socat', words: (path) => ['socat', '-', `UNIX-CONNECT:${checked(path)}`]},
]

/** A path must be nothing but a path: in an address of socat a comma or an exclamation mark would be more. */
function checked(path: string): string {
  if (!/^\/[\w\-./]+$/.test(path)) throw new Error(`No path of a socket: ${path}`)
  return path
}
