import type {Side} from '../../domain/question.ts'
import {type Asked, type Forms, isOfCheck, MIB, type SourceSpec} from '../source-spec.ts'
import {adminForms} from './proxy-sources.ts'

/** How agents and proxies fare, by their own endpoints; what they are is told by the kind. */
export const HEALTH_SOURCES = {
  'agent-ready': {
    sides: ['agent'],
    maxBytes: MIB,
    asked: 'always',
    reach: 'pod',
    wanted: isOfCheck,
    suits: ({agent, profile}) => agent.statusPort !== undefined || !isAtStatusPort('agent', profile),
    forms: (asked) => healthForms('agent', asked),
  },
  'proxy-ready': {
    sides: ['proxy'],
    maxBytes: MIB,
    asked: 'always',
    reach: 'admin',
    wanted: isOfCheck,
    forms: (asked) => healthForms('proxy', asked),
  },
} as const satisfies Record<string, SourceSpec>

/** A status port that the pod switches off is no fault of the agent's. */
function isAtStatusPort(side: Side, {health = []}: Asked['profile']): boolean {
  return health.some((one) => one.side === side && one.port === 'status')
}

function healthForms(side: Side, {agent, profile}: Asked): Forms {
  const endpoint = profile.health?.find((one) => one.side === side)
  if (endpoint === undefined) return {missing: `no endpoint of ${agent.kind} says whether its ${side} is ready`}
  if (endpoint.port === 'admin') return adminForms(agent, [endpoint.path])
  const port = endpoint.port === 'status' ? agent.statusPort : endpoint.port
  if (port === undefined) return {missing: 'its status port is switched off'}
  return [{type: 'http', port, paths: [endpoint.path], bindsToPod: endpoint.binds === 'pod', refusals: []}]
}
