/** Node's names of the kinds, and ours. */
const KINDS: Readonly<Record<string, string>> = {URI: 'URI', DNS: 'DNS', 'IP Address': 'IP', email: 'email'}

/**
 * The names in the display text of `X509Certificate.subjectAltName`: `URI:…`, `DNS:…`, `IP:…`, `email:…`, each
 * whole. Node writes a value that could be taken for several as a JSON string (since CVE-2021-44532), so a comma
 * inside a name never begins another one here. Kinds that carry no plain text (`othername`, `DirName`) are named
 * without their value, which the runtimes print differently.
 */
export function parseSubjectAltNames(display: string | undefined): string[] {
  const names: string[] = []
  let rest = display ?? ''
  while (rest !== '') {
    const match = /^([^:"]+):("(?:[^"\\]|\\.)*"|(?!, )[^"](?:(?!, ).)*|)(?:, |$)/su.exec(rest)
    if (match === null) {
      names.push(`unknown:${rest}`)
      break
    }
    const [whole, kind = '', value = ''] = match
    names.push(nameOf(kind, value.startsWith('"') ? unquote(value) : value))
    rest = rest.slice(whole.length)
  }
  return names
}

function nameOf(kind: string, value: string): string {
  const ours = KINDS[kind]
  if (ours === undefined) return kind === 'Registered ID' ? `RID:${value}` : kind
  return `${ours}:${ours === 'IP' ? shortAddress(value) : value}`
}

/** Resolves the escapes that Node writes: of quotes, backslashes, and of code units as `\\uXXXX`. */
function unquote(value: string): string {
  return value
    .slice(1, -1)
    .replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gsu, (_, unit?: string, character?: string) =>
      unit === undefined ? (character ?? '') : String.fromCharCode(Number.parseInt(unit, 16)),
    )
}

/** `FE80:0:0:0:0:0:0:1` as `fe80::1` (RFC 5952); anything that is no IPv6 address as it stands. */
function shortAddress(value: string): string {
  if (!value.includes(':')) return value
  const url = URL.parse(`http://[${value}]/`)
  return url === null ? value : url.hostname.slice(1, -1)
}
