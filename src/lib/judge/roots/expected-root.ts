import type {Finding} from '../../domain/finding.ts'
import type {RootAnswer} from '../../domain/roots.ts'
import {podsText} from '../pods-text.ts'

/** An expected root that some pod does not trust, or that nobody can trust any more. */
export function judgeExpected({verdict, wanted, because, wouldBreak}: RootAnswer): readonly Finding[] {
  if (verdict !== 'fail') return []
  const ended = because === undefined ? [] : [because]
  const pods = wouldBreak.map(({pod}) => pod)
  const lacking = pods.length === 0 ? [] : [`${podsText(pods)} ${pods.length === 1 ? 'does' : 'do'} not trust it`]
  const message = `Root ${wanted.fingerprint}: ${[...ended, ...lacking].join(', ')}`
  return [{rule: 'root-missing', severity: 'fail', message}]
}
