import {BlockList, isIP, isIPv4} from 'node:net'

const SCHEMES = new Set(['http:', 'https:', 'socks5:', 'socks5h:'])

/**
 * The proxy that client-go would choose for a server: the kubeconfig's `proxy-url`, else `HTTPS_PROXY` (for an
 * http server `HTTP_PROXY`) unless `NO_PROXY` exempts the server. Rules of golang.org/x/net/http/httpproxy: loopback
 * and localhost never go through the environment's proxy, upper-case names win over lower-case ones.
 * Throws TypeError with a text for people where the proxy's address cannot be used.
 */
export function chooseProxy(
  server: URL,
  env: Readonly<Record<string, string | undefined>>,
  proxyUrl?: string,
): URL | undefined {
  if (proxyUrl !== undefined && proxyUrl !== '') return parseProxy(proxyUrl, false)
  const variable = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  // A CGI program's HTTP_PROXY comes from the request's own headers (httpoxy), so Go refuses it there.
  if (variable === 'HTTP_PROXY' && env['REQUEST_METHOD']) return undefined
  const text = env[variable] || env[variable.toLowerCase()]
  if (!text || isExempt(server, env['NO_PROXY'] || env['no_proxy'] || '')) return undefined
  return parseProxy(text, true)
}

/** A proxy's address for messages: without its password. */
export function showProxy(proxy: URL): string {
  const user = proxy.username === '' ? '' : `${proxy.username}${proxy.password === '' ? '' : ':***'}@`
  return `${proxy.protocol}//${user}${proxy.host}`
}

function parseProxy(text: string, mayLackScheme: boolean): URL {
  const parsed = URL.parse(text)
  if (parsed !== null && SCHEMES.has(parsed.protocol) && parsed.hostname !== '') return parsed
  const guessed = mayLackScheme && !text.includes('://') ? URL.parse(`http://${text}`) : null
  if (guessed !== null && guessed.hostname !== '') return guessed
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]
  throw new TypeError(
    scheme === undefined || SCHEMES.has(`${scheme.toLowerCase()}:`)
      ? 'the address of the proxy is no URL'
      : `a proxy of the kind ${scheme} is not supported (http, https and socks5 are)`,
  )
}

function isExempt(server: URL, noProxy: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const port = server.port || (server.protocol === 'https:' ? '443' : '80')
  if (host === 'localhost' || isLoopback(host)) return true
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && matches(entry, host, port))
}

function isLoopback(host: string): boolean {
  if (isIPv4(host)) return host.startsWith('127.')
  return host === '::1' || host.startsWith('::ffff:7f')
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const subnet = /^([^/]+)\/(\d{1,3})$/.exec(entry)
  if (subnet?.[1] !== undefined && isIP(subnet[1]) !== 0) return isInSubnet(host, subnet[1], Number(subnet[2]))
  const [name, onlyPort] = splitPort(entry)
  if (name === '' || (onlyPort !== undefined && onlyPort !== port)) return false
  if (isIP(name) !== 0) return isIP(host) !== 0 && isInSubnet(host, name, isIPv4(name) ? 32 : 128)
  const suffix = name.startsWith('*.') ? name.slice(1) : name
  // `.acme.example` means the names below it, `acme.example` itself as well.
  return suffix.startsWith('.') ? host.endsWith(suffix) : host === suffix || host.endsWith(`.${suffix}`)
}

function splitPort(entry: string): [string, string | undefined] {
  const bracketed = /^\[([^\]]*)\](?::(\d+))?$/.exec(entry)
  if (bracketed !== null) return [bracketed[1] ?? '', bracketed[2]]
  const parts = entry.split(':')
  return parts.length === 2 ? [parts[0] ?? '', parts[1]] : [entry, undefined]
}

function isInSubnet(host: string, net: string, prefix: number): boolean {
  if (isIP(host) === 0 || prefix > (isIPv4(net) ? 32 : 128)) return false
  const list = new BlockList()
  list.addSubnet(net, prefix, isIPv4(net) ? 'ipv4' : 'ipv6')
  return list.check(host, isIPv4(host) ? 'ipv4' : 'ipv6')
}
