import type {CommandOutput} from './command-output.ts'

/** What stands before an agent's answer. */
export interface SkippedLog {
  readonly bytes: number
  /** The agent said that it failed: there may be no answer behind it. */
  readonly hasError: boolean
}

const LONGEST_LINE = 64 * 1024
const LOG_TIME = '0000-00-00T00:00:00'
/** A line of Istio's log (istio/istio `pkg/log`); its level is the first group. */
const LOG_LINE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z\t(debug|info|warn|error|fatal)\t[^\n]*\n/u

/**
 * Finds where the answer begins. `pilot-agent` logs to standard output, too: warnings before the answer (`OS CA Cert
 * could not be found for agent`), and in place of one why it failed, which standard error repeats (istio/istio
 * `pilot/cmd/pilot-agent/main.go`; seen on 1.31).
 */
export async function skipAgentLog(output: CommandOutput): Promise<SkippedLog> {
  let bytes = 0
  let hasError = false
  for (;;) {
    const printed = await output.peek((all) => isTold(all.subarray(bytes)))
    const line = LOG_LINE.exec(beginningOf(printed.subarray(bytes)))
    if (line === null) return {bytes, hasError}
    bytes += line[0].length
    hasError ||= line[1] === 'error' || line[1] === 'fatal'
  }
}

/** Whether so much of a line tells if it is one of the log. */
function isTold(bytes: Buffer): boolean {
  const text = beginningOf(bytes)
  if (text.includes('\n') || text.length === LONGEST_LINE) return true
  const begun = text.slice(0, LOG_TIME.length).replaceAll(/\d/gu, '0')
  return text !== '' && !LOG_TIME.startsWith(begun)
}

/** One character a byte. */
function beginningOf(bytes: Buffer): string {
  return bytes.subarray(0, LONGEST_LINE).toString('latin1')
}
