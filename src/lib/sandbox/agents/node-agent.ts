import {splitPath, textAnswer} from './pod-port.ts'
import type {PodPort} from './pod-port.ts'

/** What a legacy node agent (Istio 1.3 to 1.5) has handed to one proxy under one name. */
export interface NodeAgentClient {
  /** Envoy node id of the proxy. */
  readonly proxy: string
  readonly resourceName: string
  readonly holds: 'certificate' | 'roots'
  readonly pem: () => Promise<string>
  readonly createdMs: number
  /** Go's zero time where it has none, as for roots. */
  readonly expiresMs?: number
}

/** The debug server of a legacy node agent, on loopback (istio 1.5 `security/pkg/nodeagent/sds/server.go`). */
export function nodeAgentDebug(clients: () => readonly NodeAgentClient[]): PodPort {
  return {
    bindsToPod: false,
    async answer(request) {
      const {pathname} = splitPath(request.path)
      if (pathname !== '/debug/sds/workload' && pathname !== '/debug/sds/gateway') {
        return textAnswer(404, '404 page not found\n')
      }
      const entries = await Promise.all(
        clients().map(async ({proxy, resourceName, holds, pem, createdMs, expiresMs}, index) => ({
          connection_id: `${proxy}-${String(index + 1)}`,
          proxy,
          resource_name: resourceName,
          certificate_chain: holds === 'certificate' ? await pem() : '',
          root_cert: holds === 'roots' ? await pem() : '',
          created_time: goTime(createdMs),
          expire_time: expiresMs === undefined ? '0001-01-01T00:00:00Z' : goTime(expiresMs),
        })),
      )
      // Go's MarshalIndent with a leading space and tabs: odd, but still plain JSON.
      const text = JSON.stringify({clients: entries}, undefined, '\t').replaceAll('\n', '\n ')
      return textAnswer(200, text, 'application/json')
    },
  }
}

function goTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')
}
