import type {Answer} from '../../domain/answer.ts'
import type {CniSeen} from '../../domain/mesh-seen.ts'
import type {Observation} from '../../domain/observation.ts'
import type {Subject} from '../content-error.ts'
import {explainRefusal, refuseBadStatus} from '../explain-refusal.ts'
import {metricLines} from '../metrics/metric-lines.ts'
import {parseSample} from '../metrics/parse-sample.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'

/** Gauges of istio-cni's node agent (istio `cni/pkg/install`, `cni/pkg/nodeagent`), 1 for yes. */
const GAUGES: ReadonlyMap<string, 'installed' | 'ztunnelConnected'> = new Map([
  ['istio_cni_install_ready', 'installed'],
  ['ztunnel_connected', 'ztunnelConnected'],
])

/** From the metrics of a node's istio-cni: whether its plugin is installed, and whether the node's ztunnel is connected. */
export async function decodeCniMetrics(answer: Answer): Promise<readonly Observation[]> {
  const seen: Omit<CniSeen, 'by'>[] = []
  const {unusable, dated} = await readParts(answer, async (part) => {
    seen.push({type: 'cni', ...(await readGauges({name: 'metrics of istio-cni', part}))})
  })
  const by = spokenBy(answer, dated)
  return [...seen.map((one) => ({...one, by})), ...unusable]
}

async function readGauges(subject: Subject): Promise<Partial<Record<'installed' | 'ztunnelConnected', boolean>>> {
  await refuseBadStatus(subject)
  const gauges: Partial<Record<'installed' | 'ztunnelConnected', boolean>> = {}
  let first: string | undefined
  let series = 0
  for await (const line of metricLines(subject.part.body)) {
    first ??= line
    const sample = parseSample(line)
    if (sample === undefined) continue
    series += 1
    const gauge = GAUGES.get(sample.name)
    if (gauge !== undefined) gauges[gauge] = sample.value > 0
  }
  if (series === 0) throw explainRefusal(subject, first ?? '')
  return gauges
}
