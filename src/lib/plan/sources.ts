import type {Source} from '../domain/question.ts'
import type {SourceSpec} from './source-spec.ts'
import {AGENT_SOURCES} from './sources/agent-sources.ts'
import {API_SOURCES} from './sources/api-sources.ts'
import {CONTROL_PLANE_SOURCES} from './sources/control-plane-sources.ts'
import {NODE_SOURCES} from './sources/node-sources.ts'
import {HEALTH_SOURCES} from './sources/health-sources.ts'
import {PROXY_SOURCES} from './sources/proxy-sources.ts'

/** The closed list of what can be asked of a pod, beside what `debug get` allows. */
export const SOURCES: Readonly<Record<Exclude<Source, 'debug'>, SourceSpec>> = {
  ...PROXY_SOURCES,
  ...AGENT_SOURCES,
  ...HEALTH_SOURCES,
  ...API_SOURCES,
  ...CONTROL_PLANE_SOURCES,
  ...NODE_SOURCES,
}
