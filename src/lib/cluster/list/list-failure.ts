import {ProbeError, RunError} from '../../domain/failure.ts'
import {explainImpersonation} from '../impersonation-refusal.ts'
import {present} from '../narrow.ts'
import type {ApiObject} from './get-object.ts'
import type {PodQuery} from './pod-query.ts'

/** A list that was refused, as a ProbeError of stage `select` with the next step for a list. */
export function explainListRefusal(answer: ApiObject, query: PodQuery, ownNamespace: string): ProbeError {
  const {status, refusal} = answer
  const where = query.namespace === undefined ? 'the whole cluster' : query.namespace
  const given = refusal?.failure ?? {
    code: 'api-unavailable' as const,
    message: `Cannot list pods in ${where}: refused with ${status}`,
  }
  const said = typeof answer.object['message'] === 'string' ? answer.object['message'].replace(/\s+/g, ' ') : ''
  const isRight = explainImpersonation(said) === undefined
  if (status === 403 && query.namespace === undefined && given.code === 'forbidden' && isRight) {
    const hint = `Ask for one namespace that you may list: -n ${ownNamespace}, or get the right: kubectl auth can-i list pods -A`
    return new ProbeError({stage: 'select', code: 'forbidden', message: given.message, hint})
  }
  if (status === 400) {
    const why = said === '' ? 'the server refuses the selector' : said.slice(0, 300)
    const hint = 'Check --selector and --field-selector'
    return new ProbeError({stage: 'select', code: 'bad-request', message: `Cannot list pods in ${where}: ${why}`, hint})
  }
  return atSelect(given)
}

/** A failure of any stage, while listing. */
export function atSelect(failure: Pick<ProbeError['failure'], 'code' | 'message' | 'hint'>): ProbeError {
  return new ProbeError({
    stage: 'select',
    code: failure.code,
    message: failure.message,
    ...present('hint', failure.hint),
  })
}

/** A failure before anything was listed ends the run: exit 2 for a selector that the server refuses, else 4. */
export function asRunError(error: ProbeError): RunError {
  const {code, message, hint} = error.failure
  return new RunError(code === 'bad-request' ? 2 : 4, code, message, hint === undefined ? [] : [hint], {cause: error})
}
