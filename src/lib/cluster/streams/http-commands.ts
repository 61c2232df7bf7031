import type {HttpForm} from '../../domain/question.ts'

/** How a program's output tells the answer: a body alone, or head and body. */
export type CommandDialect = 'pilot-agent' | 'curl' | 'wget'

/** A command from the closed list that fetches one path; there is no way to add to it from outside. */
export interface HttpCommand {
  readonly dialect: CommandDialect
  readonly words: readonly string[]
}

/** The one port that `pilot-discovery request` asks (istio/istio `pilot/cmd/pilot-discovery/app/request.go`). */
const DISCOVERY_PORT = 15_014

/** Ports that `pilot-agent request` takes (istio/istio `pilot/cmd/pilot-agent/request`). */
const AGENT_PORTS: readonly number[] = [15000, 15004, 15020, 15021]

/**
 * The commands that may fetch a path inside the container, most fitting first: the agent's own request command, which
 * every proxy image has, then what richer images may hold. `secondsLeft` bounds those that can be bounded.
 */
export function httpCommands(form: HttpForm, path: string, secondsLeft: number): readonly HttpCommand[] {
  if (!path.startsWith('/')) throw new Error(`Not a path: ${path}`)
  const seconds = String(Math.max(1, Math.ceil(secondsLeft)))
  const headers = Object.entries(form.headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  const authority = form.socket === undefined ? `localhost:${form.port}` : 'localhost'
  const url = `http://${authority}${path}`
  const curl: HttpCommand = {
    dialect: 'curl',
    words: [
      'curl',
      // No configuration file, no pattern in the URL, no proxy of the container's environment.
      '-q',
      '-s',
      '-S',
      '-i',
      '-g',
      '--noproxy',
      '*',
      '--max-time',
      seconds,
      ...headers.flatMap((header) => ['-H', header]),
      ...(form.socket === undefined ? [] : ['--unix-socket', form.socket]),
      url,
    ],
  }
  if (form.socket !== undefined) return [curl]
  const wget: HttpCommand = {
    dialect: 'wget',
    words: ['wget', '-qO-', '-T', seconds, ...headers.flatMap((header) => ['--header', header]), url],
  }
  if (form.port === DISCOVERY_PORT) {
    // It prints as the agent's does, for both are one command.
    return [{dialect: 'pilot-agent', words: ['pilot-discovery', 'request', 'GET', path]}, curl, wget]
  }
  if (!AGENT_PORTS.includes(form.port)) return [curl, wget]
  // Agents older than the flag know the default port alone.
  const port = form.port === 15000 ? [] : ['--debug-port', String(form.port)]
  return [{dialect: 'pilot-agent', words: ['pilot-agent', 'request', ...port, 'GET', path]}, curl, wget]
}
