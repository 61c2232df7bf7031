import type {ChildProcess} from 'node:child_process'
import {readFileSync} from 'node:fs'

/**
 * The most memory that a process has had at once, in MB, as the kernel keeps it for as long as the process lives;
 * undefined where it has ended, or the system does not tell.
 */
export function peakOf({pid = 0}: ChildProcess): number | undefined {
  let status: string
  try {
    status = readFileSync(`/proc/${String(pid)}/status`, 'utf8')
  } catch {
    return undefined
  }
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB/mu.exec(status) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1000
}
