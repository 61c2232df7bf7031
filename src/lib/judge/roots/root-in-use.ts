import type {Finding} from '../../domain/finding.ts'
import type {RootAnswer} from '../../domain/roots.ts'
import {podsText} from '../pods-text.ts'

/** A root that is to go, and that somebody needs. */
export function judgeNeeded({verdict, wanted, wouldBreak}: RootAnswer): readonly Finding[] {
  if (verdict !== 'fail') return []
  const message = `Root ${wanted.fingerprint}: ${podsText(wouldBreak.map(({pod}) => pod))} would break without it`
  return [{rule: 'root-in-use', severity: 'fail', message}]
}
