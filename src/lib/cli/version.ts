/** What the process runs on: a compiled executable is Bun, whatever Node version it says it is compatible with. */
function runtimeText(versions: Readonly<Record<string, string | undefined>>): string {
  const {bun, node} = versions
  return bun === undefined ? `node-${node}` : `bun-${bun}`
}

/** `agentctl/1.2.3 linux-x64 node-24.21.0` */
export function versionText(
  name: string,
  version: string,
  process: {
    readonly platform: string
    readonly arch: string
    readonly versions: Readonly<Record<string, string | undefined>>
  },
): string {
  return `${name}/${version} ${process.platform}-${process.arch} ${runtimeText(process.versions)}`
}
