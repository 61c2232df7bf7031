import {load, YAMLException} from 'js-yaml'
import type {InvalidOption} from '../domain/agent.ts'
import type {OptionValue} from './profile-schema.ts'

/** What Go's `time.ParseDuration` takes; a life of no length is none. */
const DURATION = /^\+?(?=.*[1-9])(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/
const NUMBER = /^\+?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

type Fault = Omit<InvalidOption, 'where'>

/** What is wrong with an option's value; undefined where nothing is. */
export function checkOption(value: string, is: OptionValue | 'port'): Fault | undefined {
  return CHECKS[is](value)
}

const CHECKS: Readonly<Record<OptionValue | 'port', (value: string) => Fault | undefined>> = {
  duration: (value) => (DURATION.test(value) ? undefined : isNo('duration such as 24h', value)),
  share: (value) =>
    NUMBER.test(value) && Number(value) <= 1 ? undefined : isNo('share of a lifetime, from 0 to 1', value),
  port: (value) => (/^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? undefined : isNo('port', value)),
  directory: checkDirectory,
  yaml: (value) => (isMapping(value) ? undefined : {problem: 'is neither JSON nor YAML with keys and values'}),
}

function isNo(what: string, value: string): Fault {
  return {problem: `says ${shown(value)}, which is no ${what}`}
}

function checkDirectory(value: string): Fault | undefined {
  if (/\p{Cc}/u.test(value)) return {problem: 'holds a control character'}
  if (value.startsWith('/')) return undefined
  return {problem: `says ${shown(value)}, which depends on where the agent is started`, isTaken: true}
}

/** A configuration's own text is never shown: it may hold what must not be. */
function isMapping(text: string): boolean {
  try {
    const document = load(text)
    // An empty document is no configuration, and no fault.
    return document === undefined || document === null || (typeof document === 'object' && !Array.isArray(document))
  } catch (error) {
    if (error instanceof YAMLException) return false
    throw error
  }
}

function shown(value: string): string {
  return value.length > 40 ? `${value.slice(0, 40)}…` : value
}
