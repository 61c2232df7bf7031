import type {FleetReport, RootsItem} from '../../domain/report.ts'
import type {FleetRoot, PodReason, RootAnswer, RootHeld} from '../../domain/roots.ts'
import type {Certificate} from '../../domain/certificate.ts'
import {dropAbsent} from '../drop-absent.ts'
import {rfc3339} from '../time-text.ts'
import type {WireOptions} from '../view.ts'
import type {PodReasonWire, RootAnswerWire, RootFleetWire, RootListWire, RootWire} from './root-list.schema.ts'
import {writePodItem} from './write-pod-item.ts'
import {writeKey} from './write-secret.ts'

/** One pod of `secrets roots`, as it is written. */
export function writeRootList(item: RootsItem, options: WireOptions): RootListWire {
  const {bundles, leaves, published} = item.roots
  return dropAbsent<RootListWire>({
    ...writePodItem(item, options),
    trusts: bundles.map(({trustDomain, name, source, roots, untold}) =>
      dropAbsent({
        trust_domain: trustDomain,
        resource_name: name,
        source,
        roots: fingerprints(roots.map(({certificate}: RootHeld) => certificate)),
        untold,
      }),
    ),
    leaves: leaves.map(({trustDomain, endsIn}) => ({trust_domain: trustDomain, ends_in: fingerprints(endsIn)})),
    published: published && fingerprints(published),
  })
}

/** What `secrets roots` says of the fleet, as it is written. */
export function writeRootFleet({roots}: FleetReport, {cert}: WireOptions): RootFleetWire {
  const answerTo = (question: RootAnswer['question']): RootAnswerWire | undefined => {
    const found = roots?.answers.find((answer) => answer.question === question)
    return found && writeAnswer(found)
  }
  return dropAbsent<RootFleetWire>({
    roots: (roots?.roots ?? []).map((root) => writeRoot(root, cert)),
    expect: answerTo('expect'),
    without: answerTo('without'),
    orphans: (roots?.orphans ?? []).map(writeReason),
    blind: (roots?.blind ?? []).map(writeReason),
  })
}

/** One root of one trust domain, as it is written. */
export function writeRoot(root: FleetRoot, withCert: boolean): RootWire {
  const {certificate, published} = root
  const {notBeforeMs} = certificate
  return dropAbsent<RootWire>({
    trust_domain: root.trustDomain,
    subject: certificate.subject,
    fingerprint_sha256: certificate.fingerprint,
    serial_number: certificate.serial ?? '',
    not_before: notBeforeMs === undefined ? undefined : rfc3339(notBeforeMs),
    not_after: rfc3339(certificate.notAfterMs),
    seconds_left: root.secondsLeft,
    cert_valid: root.status === 'VALID',
    cert_status: root.status,
    key: writeKey(certificate.key),
    trusted_by: root.trustedBy,
    verifiers: root.verifiers,
    leaves: root.leaves,
    published_in: published.namespaces,
    published_known: published.of,
    signing: root.isSigning,
    cert: withCert ? certificate.pem : undefined,
  })
}

function writeAnswer({wanted, verdict, because, wouldBreak, notProven, wellCount}: RootAnswer): RootAnswerWire {
  return dropAbsent<RootAnswerWire>({
    fingerprint_sha256: wanted.fingerprint,
    verdict,
    because,
    would_break: wouldBreak.map(writeReason),
    not_proven: notProven.map(writeReason),
    proven: wellCount,
  })
}

function writeReason({pod, reason}: PodReason): PodReasonWire {
  return dropAbsent<PodReasonWire>({context: pod.context, namespace: pod.namespace, pod: pod.name, reason})
}

function fingerprints(certificates: readonly Certificate[]): string[] {
  return certificates.flatMap(({fingerprint}) => fingerprint ?? [])
}
