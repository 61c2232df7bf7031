import {countOf, countText} from '../../domain/count-text.ts'
import {podKey} from '../../domain/pod.ts'
import type {FleetReport} from '../../domain/report.ts'
import type {FleetRoots, PodReason, RootAnswer} from '../../domain/roots.ts'
import type {Remark} from '../view.ts'
import {SHORT_FINGERPRINT} from './short-fingerprint.ts'

/** Pods that a paragraph names where not all are asked for. */
const MAX_PODS = 20

const MORE = '-o wide names all'

type Tone = NonNullable<Remark['tone']>

/** What `secrets roots` says below its table: the answers, and which pods stand out. */
export function rootRemarks({roots}: FleetReport, {wide}: {readonly wide: boolean}): readonly (readonly Remark[])[] {
  if (roots === undefined) return []
  const list = (head: string, pods: readonly PodReason[], tone: Tone): readonly (readonly Remark[])[] =>
    pods.length === 0 ? [] : [[headOf(head, tone), ...podLines(pods, wide)]]
  return [
    ...(roots.roots.length === 0 ? [[headOf('No mesh roots were seen', 'warn')]] : []),
    ...roots.answers.flatMap((answer) => [
      [headOf(verdictText(answer, wide), TONES[answer.verdict]), ...podLines(answer.wouldBreak, wide)],
      ...(isSeen(answer, roots)
        ? []
        : [[headOf('No pod that was seen knows this root: check its fingerprint', 'warn')]]),
      ...list('Not proven:', answer.notProven, 'warn'),
    ]),
    ...list('These cannot check certificates in use in their own trust domain:', roots.blind, 'warn'),
    ...list('These show a certificate of an issuer whose root nobody holds:', roots.orphans, 'warn'),
  ]
}

/** A fingerprint with a slip of the pen is of a root that nobody would miss; one that is new is expected to be nowhere. */
function isSeen({question, wanted}: RootAnswer, {roots}: FleetRoots): boolean {
  return question === 'expect' || roots.some(({certificate}) => certificate.fingerprint?.startsWith(wanted.fingerprint))
}

const TONES = {pass: 'good', fail: 'bad', unknown: 'warn'} as const satisfies Record<RootAnswer['verdict'], Tone>

function verdictText(answer: RootAnswer, wide: boolean): string {
  const {question, wanted, verdict, because, wouldBreak, notProven, wellCount} = answer
  const root = wanted.fingerprint.slice(0, wide ? undefined : SHORT_FINGERPRINT)
  const asked = question === 'expect' ? `May certificates be signed with ${root}?` : `May ${root} go?`
  const word = {pass: 'Yes', fail: 'No', unknown: 'Not proven'}[verdict]
  const trusting = wellCount === 1 ? 'does' : 'do'
  const lacks = wouldBreak.length === 1 ? 'does not trust it' : 'do not trust it'
  const effect = question === 'expect' ? lacks : 'would break'
  const counts = [
    ...(because === undefined ? [] : [because]),
    ...(wouldBreak.length === 0 ? [] : [`${countOf(wouldBreak.length, 'pod')} ${effect}`]),
    ...(wellCount === 0 ? [] : [`${countOf(wellCount, 'pod')} ${question === 'expect' ? trusting : 'would not'}`]),
    ...(notProven.length === 0 ? [] : [`${countText(notProven.length)} not proven`]),
  ]
  return `${asked} ${word}: ${counts.length === 0 ? 'no pod was seen that checks certificates' : counts.join(', ')}`
}

function headOf(text: string, tone: Tone): Remark {
  return {sign: '', label: '', text, tone}
}

function podLines(pods: readonly PodReason[], wide: boolean): readonly Remark[] {
  const shown = wide ? pods : pods.slice(0, MAX_PODS)
  const left = pods.length - shown.length
  const lines = shown.map(({pod, reason}): Remark => ({
    sign: '  ',
    label: podKey(pod),
    text: reason,
  }))
  return left === 0 ? lines : [...lines, {sign: '  ', label: '', text: `and ${countText(left)} more: ${MORE}`}]
}
