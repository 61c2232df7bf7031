import {countText} from '../../domain/count-text.ts'
import {structuredPatch} from 'diff'
import {podKey, type PodRef} from '../../domain/pod.ts'
import type {Difference, DifferingSide} from '../../domain/row.ts'
import {nameText} from '../../domain/secret.ts'
import {type CertificateField, comparableFields} from '../certificate-fields.ts'
import type {Remark, Tone} from '../view.ts'

/** Lines that stay the same around those that do not. */
const CONTEXT = 3
/** Lines that differ, past which lining them up helps nobody. */
const MAX_EDITS = 200
/** For certificates made to be slow to compare. */
const TIMEOUT_MS = 250
/** Lines of one difference; documents hold all. */
const MAX_LINES = 200

/** One difference as a unified diff of fields, from the agent to the proxy, under the reason in words. */
export function differenceRemarks(pod: PodRef, {name, reason, confirmed, agent, proxy}: Difference): readonly Remark[] {
  const fields = comparableFields(agent?.certificates, proxy?.certificates)
  const lines = diffLines(fields.agent.flatMap(fieldLines), fields.proxy.flatMap(fieldLines))
  const more = lines.length - MAX_LINES
  return [
    plain(`${podKey(pod)} ${nameText({name})}: ${reason}${confirmed ? '' : ' (not confirmed)'}`, 'head'),
    plain(`--- ${sideText('agent', agent)}`),
    plain(`+++ ${sideText('proxy', proxy)}`),
    ...lines.slice(0, MAX_LINES),
    ...(more > 0 ? [plain(`… and ${countText(more)} more lines: -o json has them all`)] : []),
  ]
}

/** Published roots are a reference, and no agent's. */
function sideText(name: 'agent' | 'proxy', side: DifferingSide | undefined): string {
  if (side === undefined) return `${name} (does not hold it)`
  if (side.source === 'published-root') return 'published by the control plane'
  return side.source === undefined ? name : `${name} (${side.source})`
}

function plain(text: string, tone?: 'head'): Remark {
  return {sign: '', label: '', text, ...(tone !== undefined && {tone})}
}

/** Label and value of one line. */
interface FieldLine {
  readonly label: string
  readonly value: string
}

function fieldLines({label, value}: CertificateField): readonly FieldLine[] {
  return typeof value === 'string' ? [{label, value}] : value.map((one) => ({label, value: one}))
}

function diffLines(agent: readonly FieldLine[], proxy: readonly FieldLine[]): readonly Remark[] {
  const byText = new Map([...agent, ...proxy].map((line) => [textOf(line), line]))
  const options = {context: CONTEXT, maxEditLength: MAX_EDITS, timeout: TIMEOUT_MS}
  const [ours, theirs] = [agent, proxy].map((lines) => lines.map((line) => `${textOf(line)}\n`).join(''))
  const patch = structuredPatch('agent', 'proxy', ours ?? '', theirs ?? '', undefined, undefined, options)
  if (patch === undefined) {
    return [
      plain('(too different to be lined up)'),
      ...agent.map((line) => remark('-', line)),
      ...proxy.map((line) => remark('+', line)),
    ]
  }
  return patch.hunks.flatMap((hunk, index) => [
    ...(index === 0 ? [] : [plain('…')]),
    ...hunk.lines.flatMap((text) => {
      const line = byText.get(text.slice(1))
      return line === undefined ? [] : [remark(text.charAt(0), line)]
    }),
  ])
}

/** One line whatever the value holds: what is compared is split at line breaks. */
function textOf({label, value}: FieldLine): string {
  return `${label} ${JSON.stringify(value)}`
}

const TONES: Readonly<Record<string, Tone>> = {'-': 'bad', '+': 'good'}

function remark(sign: string, {label, value}: FieldLine): Remark {
  const tone = TONES[sign]
  return {sign, label, text: value, ...(tone !== undefined && {tone})}
}
