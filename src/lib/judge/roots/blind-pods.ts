import type {Finding} from '../../domain/finding.ts'
import type {FleetRoots} from '../../domain/roots.ts'
import {podsText} from '../pods-text.ts'

/** Pods that cannot check what other pods of their trust domain show. */
export function judgeBlindness(blind: FleetRoots['blind']): readonly Finding[] {
  if (blind.length === 0) return []
  const pods = podsText(blind.map(({pod}) => pod))
  const message = `${pods} cannot check certificates that are in use in the same trust domain`
  return [{rule: 'root-divergent', severity: 'warn', message}]
}
