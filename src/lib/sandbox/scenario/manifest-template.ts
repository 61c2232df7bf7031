import {rfc3339, uidOf} from './object-values.ts'
import {podManifest} from './pod-manifest.ts'
import type {PodIdentity, PodPlan} from './pod-manifest.ts'

/**
 * Writes manifests of pods that differ in their identity alone, by filling the values into the text of one example:
 * a hundred times cheaper than building each. The example's values must occur nowhere but as themselves.
 */
export function manifestTemplate(example: PodPlan): (plan: PodPlan) => string {
  const text = JSON.stringify(podManifest(example))
  const marks = valuesOf(example.identity)
  const words = marks
    .toSorted((a, b) => b.length - a.length)
    .map((mark) => mark.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pieces = text.split(new RegExp(`(${words.join('|')})`)).map((piece) => {
    const index = marks.indexOf(piece)
    return index < 0 ? piece : index
  })
  return (plan) => {
    const values = valuesOf(plan.identity)
    return pieces.map((piece) => (typeof piece === 'number' ? (values[piece] ?? '') : piece)).join('')
  }
}

/** All that differs, in a fixed order. Names of Kubernetes need no escaping in JSON. */
function valuesOf(identity: PodIdentity): readonly string[] {
  return [
    identity.name,
    identity.namespace,
    identity.serviceAccount,
    identity.address,
    identity.node?.name ?? '',
    identity.node?.address ?? '',
    identity.owner?.name ?? '',
    identity.owner?.uid ?? '',
    identity.labels['pod-template-hash'] ?? '',
    rfc3339(identity.createdMs),
    uidOf('Pod', identity.namespace, identity.name),
  ]
}
