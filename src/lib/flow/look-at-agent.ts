import type {AgentItem} from '../domain/report.ts'
import {itemWithoutAsking} from './look.ts'
import type {Selected} from './select-pods.ts'

/** The item of `agents list`: the listing says it all, so nothing is asked, and a pod that is not ready is no fault. */
export function lookAtAgent(selected: Selected): AgentItem {
  const known = itemWithoutAsking(selected)
  const {pod, agent} = selected
  const side = {state: 'not-asked', answers: []} as const
  if (known !== undefined)
    return {...known, verdict: known.verdict === 'unknown' ? 'warn' : known.verdict, incomplete: false}
  return {
    pod,
    ...(agent !== undefined && {agent}),
    verdict: 'pass',
    sides: {agent: side, proxy: side},
    failures: [],
    incomplete: false,
    findings: [],
  }
}
