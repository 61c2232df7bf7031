import type {Agent} from '../../domain/agent.ts'
import type {Pod} from '../../domain/pod.ts'
import {holdAll} from '../../profiles/match-profile.ts'
import type {Profile} from '../../profiles/profile-schema.ts'
import {readOrigin} from '../../profiles/read-origin.ts'
import {type Asked, isOfAgent, MIB, type SourceSpec} from '../source-spec.ts'

/** Seconds that pilot-agent waits for Envoy's metrics, and again for the application's, before it answers without. */
const SCRAPE_TIMEOUT = {'X-Prometheus-Scrape-Timeout-Seconds': '1'}

/** What agents say of themselves, each in the pod that it serves or in its own. */
export const AGENT_SOURCES = {
  'agent-metrics': {
    sides: ['agent'],
    // Reading stops once the agent's own series are in; Envoy's can be more than 100 MB.
    maxBytes: 512 * MIB,
    asked: 'always',
    reach: 'pod',
    wanted: isOfAgent,
    suits: (asked) => asked.agent.statusPort !== undefined && tellsExpiry(asked),
    forms: ({pod, agent, profile}) =>
      agent.statusPort === undefined
        ? {missing: 'its status port is switched off'}
        : [
            {
              type: 'http',
              port: agent.statusPort,
              paths: ['/stats/prometheus'],
              headers: SCRAPE_TIMEOUT,
              bindsToPod: !answersItselfAlone(pod, agent, profile),
              refusals: [],
            },
          ],
  },
  'agent-files': {
    sides: ['agent'],
    maxBytes: 4 * MIB,
    asked: 'sometimes',
    reach: 'file',
    suits: (asked, {via, purpose}) =>
      asked.agent.certificateDir !== undefined &&
      (asked.agent.dialect === 'none' || (purpose !== 'mesh-roots' && (via === 'exec' || !tellsExpiry(asked)))),
    forms: ({agent: {certificateDir, certificateFiles}}) => {
      if (certificateDir === undefined || certificateFiles === undefined) {
        return {missing: 'it writes and mounts no certificate files (OUTPUT_CERTS is not set)'}
      }
      const {chain, roots} = certificateFiles
      return [{type: 'read-file', paths: [`${certificateDir}/${chain}`, `${certificateDir}/${roots}`]}]
    },
  },
  'agent-sds': {
    sides: ['agent'],
    maxBytes: 8 * MIB,
    asked: 'named',
    optedIn: ({sds = false}) => sds,
    reach: 'socket',
    forms: ({agent, profile: {sds, trust}}) => {
      if (sds === undefined) return {missing: `no SDS socket of ${agent.kind} is known`}
      if ('off' in sds) return {missing: sds.off, ...(sds.instead !== undefined && {hint: sds.instead})}
      if (trust.others?.find(({name}) => name === agent.trustSource)?.ownsSocket === true) {
        return {
          missing: `its SDS socket is not the agent's: ${agent.trustSource} owns it`,
          hint: `Ask ${agent.trustSource} itself what it hands out; what the proxy holds is shown without --sds`,
        }
      }
      return [{type: 'sds', socketPaths: sds.sockets, resourceNames: ['default', 'ROOTCA']}]
    },
  },
  'node-agent-debug': {
    sides: ['agent'],
    maxBytes: 64 * MIB,
    asked: 'sometimes',
    reach: 'loopback',
    wanted: isOfAgent,
    suits: ({pod, profile}) => nodeAgentContainer(pod, profile) !== undefined,
    forms: ({pod, profile}) => {
      const {nodeAgent} = profile
      const container = nodeAgentContainer(pod, profile)
      if (nodeAgent === undefined || container === undefined) return {missing: 'it has no node agent beside it'}
      const said = readOrigin(pod, container, {env: nodeAgent.portEnv})
      const port = said !== undefined && 'value' in said ? Number(said.value) : nodeAgent.port
      if (!Number.isInteger(port) || port < 1 || port > 65_535) return {missing: `its ${nodeAgent.portEnv} is no port`}
      return [{type: 'http', port, paths: [nodeAgent.path], bindsToPod: false, refusals: []}]
    },
  },
} as const satisfies Record<string, SourceSpec>

function tellsExpiry({agent, profile}: Asked): boolean {
  return profile.trust.others?.find(({name}) => name === agent.trustSource)?.tellsExpiry ?? true
}

function answersItselfAlone(pod: Pod, agent: Agent, {status}: Profile): boolean {
  const container = pod.containers.find(({name}) => name === agent.container)
  return status?.loopbackWhen !== undefined && container !== undefined && holdAll(status.loopbackWhen, container.env)
}

function nodeAgentContainer(pod: Pod, {nodeAgent}: Profile): Pod['containers'][number] | undefined {
  return pod.containers.find(({name}) => name === nodeAgent?.container)
}
