import {isOfAgent, isOfCheck, MIB, type SourceSpec} from '../source-spec.ts'

/** What the control plane says. No pod answers it for itself: `elsewhere` of its kind says who does. */
export const CONTROL_PLANE_SOURCES = {
  'istiod-config-dump': {
    sides: ['agent'],
    // An istiod that is older than `types=` sends all of the proxy's configuration.
    maxBytes: 1024 * MIB,
    asked: 'sometimes',
    reach: 'loopback',
    wanted: isOfAgent,
  },
  'istiod-metrics': {
    sides: ['agent'],
    maxBytes: 64 * MIB,
    asked: 'sometimes',
    reach: 'pod',
    wanted: (purpose) => purpose === 'mesh-roots',
  },
  'istiod-syncz': {
    sides: ['agent'],
    // 2 KB a proxy.
    maxBytes: 1024 * MIB,
    asked: 'sometimes',
    reach: 'pod',
    wanted: isOfCheck,
  },
} as const satisfies Record<string, SourceSpec>
