import type {PodCommand, PodCommandFlags} from './pod-command.ts'
import {RunError} from '../domain/failure.ts'
import type {PodItem} from '../domain/report.ts'
import {builtinProfiles} from '../profiles/builtin.generated.ts'
import {parseOutputFormat} from '../report/output-format.ts'
import {extraFormats} from '../report/render.ts'
import {readCheckPolicy} from './check-policy.ts'
import {checkOptIns} from './check-opt-ins.ts'
import {readExitPolicy} from './exit-policy.ts'
import {parseCount, parseDuration, parseInstant, parsePort} from './flags/values.ts'
import type {Io} from './io.ts'
import {readOutputs} from './output-files.ts'
import {readRootQuestions} from './root-questions.ts'
import {readSelection} from './selection.ts'
import {readStyle} from './style.ts'
import {readPatience, readSample} from './waiting.ts'
import {readWants} from './wants.ts'

/**
 * What the flags of a command over pods say, as values: all of them before anything is asked, so that a wrong one is
 * told at once. Throws RunError (usage).
 */
export async function readRunSettings<Item extends PodItem>(
  {view, sides, purpose, mayBeEmpty}: PodCommand<Item>,
  flags: PodCommandFlags,
  targets: readonly string[],
  io: Io,
) {
  const format = parseOutputFormat(flags.output, extraFormats(view))
  if (format.type === 'pem' && flags.cert === false)
    throw new RunError(2, 'bad-flag', '--output pem and --no-cert cannot be used together')
  const outputs = readOutputs(flags, format, extraFormats(view), io)
  const flagStyle = readStyle(flags)
  const limit = flags.limit === undefined ? undefined : parseCount(flags.limit, 'limit', 1)
  const chunkSize = parseCount(flags['chunk-size'] ?? '500', 'chunk-size', 1)
  const concurrency = parseCount(flags.concurrency ?? '32', 'concurrency', 1)
  const deadlineMs = parseDuration(flags.deadline ?? '10s', 'deadline')
  const settleMs = parseDuration(flags.settle ?? '2s', 'settle')
  const timeoutMs = parseDuration(flags.timeout, 'timeout')
  const fixedNowMs = flags.now === undefined ? undefined : parseInstant(flags.now, 'now')
  const adminPort = parsePort(flags['proxy-admin-port'])
  const policy = readExitPolicy(flags, {mayBeEmpty: mayBeEmpty && !isAsked(flags)})
  checkOptIns(flags, targets, io.platform)
  const roots = await readRootQuestions(flags)
  const nowMs = (): number => fixedNowMs ?? io.nowMs()
  const {policyIn, remarks} = await readCheckPolicy(flags, nowMs)
  const patience = readPatience(flags)
  const sampleMs = readSample(flags)
  const wants = readWants(
    {via: 'auto', ...flags},
    {sides, purpose, istioNamespace: flags['istio-namespace'] ?? 'istio-system'},
  )
  const selection = readSelection(
    flags,
    targets,
    builtinProfiles.map(({name}) => name),
  )
  return {
    format,
    outputs,
    flagStyle,
    limit,
    chunkSize,
    concurrency,
    deadlineMs,
    settleMs,
    timeoutMs,
    fixedNowMs,
    adminPort,
    policy,
    roots,
    nowMs,
    policyIn,
    remarks,
    patience,
    sampleMs,
    wants,
    selection,
  }
}

/** What is asked of a fleet is not answered by none. */
export function isAsked({expect, without}: PodCommandFlags): boolean {
  return expect !== undefined || without !== undefined
}
