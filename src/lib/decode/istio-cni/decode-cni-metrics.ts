import type {Answer} from '../../domain/answer.ts'
import type {CniSeen} from '../../domain/mesh-seen.ts'
import type {Observation} from '../../domain/observation.ts'
import {readValues} from '../metrics/read-values.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'

/** Gauges of istio-cni's node agent, 1 for yes (istio `cni/pkg/install`, `cni/pkg/nodeagent`). */
const INSTALLED = 'istio_cni_install_ready'
const ZTUNNEL_CONNECTED = 'ztunnel_connected'

/** From the metrics of a node's istio-cni: whether its plugin is installed, and whether the node's ztunnel is connected. */
export async function decodeCniMetrics(answer: Answer): Promise<readonly Observation[]> {
  const seen: Omit<CniSeen, 'by'>[] = []
  const {unusable, dated} = await readParts(answer, async (part) => {
    const names = new Set([INSTALLED, ZTUNNEL_CONNECTED])
    const values = await readValues({name: 'metrics of istio-cni', part}, names)
    const [installed, connected] = [values.get(INSTALLED), values.get(ZTUNNEL_CONNECTED)]
    seen.push({
      type: 'cni',
      ...(installed !== undefined && {installed: installed > 0}),
      ...(connected !== undefined && {ztunnelConnected: connected > 0}),
    })
  })
  const by = spokenBy(answer, dated)
  return [...seen.map((one) => ({...one, by})), ...unusable]
}
