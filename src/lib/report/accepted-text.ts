import type {Finding} from '../domain/finding.ts'

/** What follows the message of a finding that somebody accepted; empty where nobody did. */
export function acceptedText({accepted}: Finding): string {
  return accepted === undefined ? '' : ` (accepted until ${accepted.until}: ${accepted.reason})`
}
