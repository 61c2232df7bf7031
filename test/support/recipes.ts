import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, join} from 'node:path'
import {loadAll} from 'js-yaml'
import type {PolicyRule} from '../../src/lib/sandbox/api/users.ts'
import {type Finished, OUTPUTS, run} from './built.ts'

/** Where the recipes are. */
export const RECIPES = join(import.meta.dirname, '..', '..', 'docs', 'recipes')

/** The objects of a recipe that is YAML. */
export function objectsOf(name: string): readonly Readonly<Record<string, unknown>>[] {
  return loadAll(readFileSync(join(RECIPES, name), 'utf8')) as Readonly<Record<string, unknown>>[]
}

/** The one object of a kind. Throws where there is not exactly one. */
export function objectOf(name: string, kind: string): unknown {
  const [object, ...others] = objectsOf(name).filter((one) => one['kind'] === kind)
  if (object === undefined || others.length > 0) throw new Error(`${name} has ${others.length + 1} objects ${kind}`)
  return object
}

/** A Role or a ClusterRole. */
export interface RoleObject {
  readonly rules: readonly {
    readonly apiGroups: readonly string[]
    readonly resources: readonly string[]
    readonly resourceNames?: readonly string[]
    readonly verbs: readonly string[]
  }[]
}

/** What a role allows, as the sandbox reads it; in these namespaces only, where some are given. */
export function policyOf({rules}: RoleObject, namespaces?: readonly string[]): readonly PolicyRule[] {
  return rules.map(({apiGroups, resources, resourceNames, verbs}) => ({
    groups: apiGroups,
    resources,
    verbs,
    ...(resourceNames !== undefined && {names: resourceNames}),
    ...(namespaces !== undefined && {namespaces}),
  }))
}

/** A CronJob: what the tests read of it. */
export interface CronJobObject {
  readonly spec: {
    readonly schedule: string
    readonly concurrencyPolicy: string
    readonly jobTemplate: {
      readonly spec: {
        readonly template: {
          readonly metadata: object
          readonly spec: {
            readonly containers: readonly [{readonly command: readonly string[]; readonly args: readonly string[]}]
          }
        }
      }
    }
  }
}

/** The command line of a CronJob. */
export function commandOf({spec}: CronJobObject): readonly string[] {
  const [{command, args}] = spec.jobTemplate.spec.template.spec.containers
  return [...command, ...args]
}

/** A machine as a recipe finds it: agentctl and jq are on the PATH. */
export interface Workbench {
  /** A folder that is empty at first, and the working directory of what runs there. */
  newFolder(): string
  /** Runs lines as a pipeline's runner does: with bash, up to the first that fails. */
  run(lines: string, cwd: string, env?: Readonly<Record<string, string>>): Promise<Finished>
  close(): void
}

/** Sets one up; agentctl is the executable of this build. */
export function openWorkbench(): Workbench {
  const folder = mkdtempSync(join(tmpdir(), 'agentctl-recipes-'))
  const programs = join(folder, 'bin')
  mkdirSync(programs)
  const [, agentctl] = OUTPUTS.at(-1) ?? ['', []]
  const jq = [process.execPath, join(import.meta.dirname, 'jq.ts')]
  for (const [name, command] of Object.entries({agentctl, jq})) {
    const words = command.map((word) => `'${word}'`).join(' ')
    writeFileSync(join(programs, name), `#!/bin/sh\nexec ${words} "$@"\n`, {mode: 0o700})
  }
  const path = [programs, process.env['PATH'] ?? ''].join(delimiter)
  return {
    newFolder: () => mkdtempSync(join(folder, 'run-')),
    run: async (lines, cwd, env = {}) =>
      await run(['bash', '--noprofile', '--norc', '-c'], [`cd '${cwd}' && set -eo pipefail\n${lines}`], {
        ...env,
        PATH: path,
      }),
    close: () => rmSync(folder, {recursive: true, force: true}),
  }
}
