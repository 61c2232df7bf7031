import type {Finding} from '../../domain/finding.ts'
import type {FleetRoots} from '../../domain/roots.ts'
import {podsText} from '../pods-text.ts'

/** Pods whose own chain leads to a root that nobody trusts or publishes. */
export function judgeOrphans(orphans: FleetRoots['orphans']): readonly Finding[] {
  if (orphans.length === 0) return []
  const pods = podsText(orphans.map(({pod}) => pod))
  const message = `${pods} ${orphans.length === 1 ? 'shows a certificate' : 'show certificates'} of an issuer whose root nobody holds`
  return [{rule: 'chain-untrusted', severity: 'warn', message}]
}
