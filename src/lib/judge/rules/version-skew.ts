import type {Finding} from '../../domain/finding.ts'
import type {MeshSeen, VersionGroup} from '../../domain/mesh-facts.ts'
import {defineRule} from '../define-rule.ts'
import {oneLine} from '../describe-row.ts'
import type {FleetRule} from '../fleet-rule.ts'
import {podsText} from '../pods-text.ts'

/** Proxies whose version does not fit that of their control plane. */
export const versionSkew: FleetRule = defineRule<FleetRule>({
  name: 'version-skew',
  scope: 'fleet',
  severity: 'warn',
  summary: "Proxies are of their control plane's minor version or the one before",
  meaning: `Istio supports a control plane that is one minor version ahead of its proxies, and no proxy that is newer than its
control plane. A proxy counts against the istiod that it is connected to, else against all that were seen.`,
  importance: 'Configuration may be sent that the proxy does not understand, or understands otherwise.',
  sources: ['istiod-syncz'],
  action: 'Upgrade the control plane first, then restart the pods: kubectl rollout restart',
  judge({mesh}) {
    const judged = mesh.versions.flatMap((group) => {
      const fit = fitOf(group, mesh)
      return fit === undefined ? [] : [{group, fit}]
    })
    if (judged.length === 0) {
      const what = mesh.versions.length === 0 ? 'no proxy told its version' : 'no control plane told its version'
      return {cause: 'scope', reason: what}
    }
    return judged.flatMap(({group, fit}) => (fit.text === '' ? [] : [finding(group, fit)]))
  },
})

/** How a version fits its control plane's; `text` is empty where it does. */
interface Fit {
  readonly text: string
  readonly controlPlane: string
}

/** Against several control planes the best fit counts: the proxy may be of that one. Undefined where nothing is known. */
function fitOf({agent, controlPlane}: VersionGroup, {controlPlanes}: MeshSeen): Fit | undefined {
  const fits = (controlPlane === undefined ? controlPlanes : [controlPlane]).flatMap((of) => {
    const text = skewText(agent, of)
    return text === undefined ? [] : [{text, controlPlane: of}]
  })
  return fits.find(({text}) => text === '') ?? fits[0]
}

function skewText(agent: string, controlPlane: string): string | undefined {
  const [own, theirs] = [minorOf(agent), minorOf(controlPlane)]
  if (own === undefined || theirs === undefined) return undefined
  if (own.major === theirs.major && theirs.minor - own.minor > 1)
    return `${theirs.minor - own.minor} minor versions behind`
  if (own.major < theirs.major) return 'a major version behind'
  return own.major > theirs.major || own.minor > theirs.minor ? 'newer than' : ''
}

function minorOf(version: string): {readonly major: number; readonly minor: number} | undefined {
  const [, major, minor] = /^v?(\d{1,3})\.(\d{1,4})(?!\d)/.exec(version) ?? []
  return major === undefined || minor === undefined ? undefined : {major: Number(major), minor: Number(minor)}
}

function finding({agent, pods, examples}: VersionGroup, {text, controlPlane}: Fit): Finding {
  return {
    rule: versionSkew.name,
    severity: versionSkew.severity,
    message: oneLine(`${podsText(examples, pods)}: version ${agent}, ${text} the control plane's ${controlPlane}`),
    subject: oneLine(`version ${agent}`),
    values: {version: agent, control_plane: controlPlane, pods},
    hint: versionSkew.action,
  }
}
