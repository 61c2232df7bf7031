import type {Failure} from '../domain/failure.ts'

/** What may be impersonated with a right of its own. */
const SUBJECTS: ReadonlySet<string> = new Set(['users', 'groups', 'uids', 'serviceaccounts'])

/**
 * Why a request in somebody else's name was refused, where its sender may not speak for others: that is not about what
 * was asked for. Servers say `cannot impersonate resource "users"`, and from 1.35 on, where rights may be narrower,
 * `cannot impersonate-on:user-info:list resource "pods"` (seen on 1.37).
 */
export function explainImpersonation(
  text: string,
): (Pick<Failure, 'hint'> & {readonly code: 'forbidden'; readonly says: string}) | undefined {
  const [, user, resource = ''] = /User "([^"]*)" cannot impersonate\S* resource "([^"]*)"/u.exec(text) ?? []
  if (user === undefined) return undefined
  const subject = SUBJECTS.has(resource) ? resource : 'users'
  return {
    code: 'forbidden',
    says: `user ${user} may not ask in the name of others`,
    hint: `Leave out --as, or ask for impersonate on ${subject}; check with: kubectl auth can-i impersonate ${subject}`,
  }
}
