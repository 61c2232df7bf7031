import type {Answer} from '../domain/answer.ts'
import type {Observation} from '../domain/observation.ts'
import type {Source} from '../domain/question.ts'
import type {DecodeContext} from './decode-context.ts'
import {decodeCerts} from './envoy/decode-certs.ts'
import {decodeConfigDump} from './envoy/decode-config-dump.ts'
import {decodeAgentFiles} from './istio-agent/decode-agent-files.ts'
import {decodeNodeAgent} from './istio-agent/decode-node-agent.ts'
import {decodeReadiness} from './health/decode-readiness.ts'
import {decodeIstiod} from './istiod/decode-istiod.ts'
import {decodeIstiodMetrics} from './istiod/decode-istiod-metrics.ts'
import {decodeSyncz} from './istiod/decode-syncz.ts'
import {decodeCniMetrics} from './istio-cni/decode-cni-metrics.ts'
import {decodeCertificates} from './kubernetes/decode-certificates.ts'
import {decodeDaemonSet} from './kubernetes/decode-daemon-set.ts'
import {decodeRoles} from './kubernetes/decode-roles.ts'
import {decodeSecret} from './kubernetes/decode-secret.ts'
import {decodeAgentMetrics} from './metrics/decode-agent-metrics.ts'
import {decodePublishedRoot} from './published-root/decode-published-root.ts'
import {decodeAgentSds} from './sds/decode-agent-sds.ts'
import {decodeSpeakers} from './speakers/decode-speakers.ts'
import {decodeZtunnel} from './ztunnel/decode-ztunnel.ts'

export type {DecodeContext} from './decode-context.ts'

type Decoder = (answer: Answer, context: DecodeContext) => Promise<readonly Observation[]>

const DECODERS = {
  'envoy-config-dump': decodeConfigDump,
  'envoy-certs': decodeCerts,
  'agent-metrics': decodeAgentMetrics,
  'agent-files': decodeAgentFiles,
  'agent-sds': decodeAgentSds,
  'node-agent-debug': elsewhere(decodeNodeAgent),
  'istiod-config-dump': elsewhere(decodeIstiod),
  'istiod-metrics': elsewhere(decodeIstiodMetrics),
  'ztunnel-config-dump': elsewhere(decodeZtunnel),
  'istiod-syncz': elsewhere(decodeSyncz),
  'cni-metrics': decodeCniMetrics,
  'daemon-set': decodeDaemonSet,
  'published-root': decodePublishedRoot,
  'cert-manager': decodeCertificates,
  'kubernetes-secret': decodeSecret,
  'agent-ready': decodeReadiness,
  'proxy-ready': decodeReadiness,
  'cluster-rbac': decodeRoles,
  // What a debug path answers is shown as it is, and observed by nobody.
  debug: () => Promise.resolve([]),
} satisfies Record<Source, Decoder>

/** A source that other pods may answer: they are found in a list of the API, and then say what they know. */
function elsewhere(decodeSaid: Decoder): Decoder {
  return async (answer, context) =>
    answer.question.forms[answer.form]?.type === 'api'
      ? await decodeSpeakers(answer)
      : await decodeSaid(answer, context)
}

/**
 * What an answer says, in our words. Bad content is never thrown: what cannot be used is an `unusable` observation
 * beside what can. Errors that are no ProbeError are bugs, and propagate.
 */
export async function decode(answer: Answer, context: DecodeContext): Promise<readonly Observation[]> {
  const decoder: Decoder = DECODERS[answer.question.source]
  return decoder(answer, context)
}
