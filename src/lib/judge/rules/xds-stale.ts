import {ruleOnTypes} from '../over-types.ts'

/** A proxy may take so long to answer; what was sent later is on its way. */
const UNDER_WAY_MS = 2000

/** Configuration that was sent and never taken up. */
export const xdsStale = ruleOnTypes(
  {
    name: 'xds-stale',
    severity: 'fail',
    summary: 'Every proxy took up what istiod sent it',
    meaning: `istiod sent configuration that the proxy neither took up nor refused, at two readings apart by --settle. Right
after a push that is normal: what was sent within the last 2 s does not count.`,
    importance: 'The proxy works by older routes, endpoints or listeners: traffic goes to where it no longer should.',
    sources: ['istiod-syncz'],
    action:
      'Look at the load of proxy and istiod, and whether the connection between them stands: agentctl check --rule agent-disconnected',
  },
  ({state, sentMs, neverAcked}, {atMs}) => {
    const ageMs = sentMs === undefined ? undefined : atMs - sentMs
    if (state !== 'STALE' || (ageMs !== undefined && ageMs < UNDER_WAY_MS)) return undefined
    const age = ageMs === undefined ? '' : ` ${ageText(ageMs)} ago`
    const what = neverAcked === true ? 'none of this type was ever taken up' : 'not taken up'
    return {
      text: `sent${age}, and ${what}`,
      ...(ageMs !== undefined && {values: {seconds_since_sent: Math.round(ageMs / 1000)}}),
    }
  },
)

function ageText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
