import type {Form, Route} from '../domain/question.ts'

/** What a user may say of routes: `auto`, or one for all that is asked of a pod. */
export type Via = 'auto' | Route

/**
 * Routes that can carry a form, in the order in which they are tried: a forward first, exec last. `execHttp` is whether
 * the image holds a program that asks HTTP. `via` narrows them, but not for what only the API server itself knows.
 */
export function routesFor(form: Form, via: Via, execHttp: boolean): readonly Route[] {
  if (form.type === 'api') return ['api']
  const possible = possibleRoutes(form, execHttp)
  return via === 'auto' ? possible : possible.filter((route) => route === via)
}

function possibleRoutes(form: Exclude<Form, {type: 'api'}>, execHttp: boolean): readonly Route[] {
  if (form.type === 'read-file' || form.type === 'sds') return ['exec']
  const exec: readonly Route[] = execHttp ? ['exec'] : []
  if (form.socket !== undefined) return exec
  return form.bindsToPod ? ['port-forward', 'pod-proxy', ...exec] : ['port-forward', ...exec]
}
