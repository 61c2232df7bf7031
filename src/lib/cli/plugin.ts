import type {Command} from '@oclif/core/command'
import type {Plugin, PJSON} from '@oclif/core/interfaces'
import type {Io} from './io.ts'

/** A command as the manifest knows it, and how its module is loaded. */
export interface CommandEntry {
  readonly manifest: Command.Cached
  readonly load: () => Promise<{readonly default: Command.Class}>
}

/** Our one plugin: everything oclif would look for on disk is in memory, in the bundle as in the executable. */
export interface MemoryPlugin extends Plugin {
  /** What commands of this plugin read and write. */
  readonly io: Io
}

/** Tells our plugin from what oclif thinks a plugin is. */
export function isMemoryPlugin(plugin: Plugin): plugin is MemoryPlugin {
  return 'io' in plugin
}

/** Makes the plugin from the generated command table. */
export function createPlugin(commands: readonly CommandEntry[], pjson: PJSON, io: Io): MemoryPlugin {
  const loadables = commands.map(({manifest, load}): Command.Loadable => {
    return {
      ...manifest,
      pluginName: pjson.name,
      pluginType: 'core',
      load: async () => await loadClass(manifest.id, load),
    }
  })
  return {
    _base: 'agentctl',
    alias: pjson.name,
    commandIDs: loadables.map(({id}) => id),
    commands: loadables,
    commandsDir: undefined,
    findCommand: findIn(loadables),
    hasManifest: true,
    hooks: {},
    isRoot: true,
    load: async () => undefined,
    moduleType: 'module',
    name: pjson.name,
    options: {root: '.'},
    pjson,
    root: '.',
    topics: Object.entries(pjson.oclif.topics ?? {}).map(([name, topic]) => ({...topic, name})),
    type: 'core',
    valid: true,
    version: pjson.version,
    io,
  }
}

function findIn(loadables: readonly Command.Loadable[]): Plugin['findCommand'] {
  async function find(id: string): Promise<Command.Class> {
    const found = loadables.find((command) => command.id === id)
    if (found === undefined) throw new Error(`No command ${id}`)
    return await found.load()
  }
  return find
}

async function loadClass(id: string, load: CommandEntry['load']): Promise<Command.Class> {
  const {default: command} = await load()
  command.id = id
  return command
}
