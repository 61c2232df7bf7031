import {runtimeText} from './runtime.ts'

/** `agentctl/1.2.3 linux-x64 node-24.21.0` */
export function versionText(
  name: string,
  version: string,
  process: {
    readonly platform: string
    readonly arch: string
    readonly versions: Readonly<Partial<Record<string, string>>>
  },
): string {
  return `${name}/${version} ${process.platform}-${process.arch} ${runtimeText(process.versions)}`
}
