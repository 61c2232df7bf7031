/** All that differs between the two outputs: Node, and the executable that Bun compiles. */

declare global {
  // oxlint-disable-next-line no-var -- the form of a global that may be missing
  var Bun: {gc(isSynchronous: boolean): void} | undefined
}

/** A compiled executable carries its script in a virtual folder (Bun: `/$bunfs/`, on Windows `B:/~BUN/`). */
export function isCompiled(script: string | undefined): boolean {
  return /^(\/\$bunfs\/|B:[/\\]~BUN)/.test(script ?? '')
}

/** What the process runs on: Bun, whatever Node version it says it is compatible with. */
export function runtimeText({bun, node}: Readonly<Partial<Record<string, string>>>): string {
  return bun === undefined ? `node-${node}` : `bun-${bun}`
}

/**
 * Frees now what is used no more. Bun's heap grows by what was allocated since it last looked, and it looks rarely: a
 * fleet then takes twice the memory of what is held. Node looks often enough by itself.
 */
export function collectGarbage(): void {
  globalThis.Bun?.gc(true)
}
