import {text} from 'node:stream/consumers'
import {afterEach, expect, test} from '@jest/globals'
import {answerJson, Ends, never, openTestSession, startServer, thrownBy} from './scripted-server.ts'

const ends = new Ends()
afterEach(() => ends.run())

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function idToken(expiresS: number): string {
  return `${part({alg: 'none'})}.${part({exp: expiresS})}.sig`
}

const NEVER_S = Date.parse('2049-01-01T00:00:00Z') / 1000

test('the token of an OIDC provider is used while it is valid', async () => {
  const token = idToken(NEVER_S)
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const session = await openTestSession(ends, server.url, {
    user: {'auth-provider': {name: 'oidc', config: {'id-token': token}}},
  })

  await text((await session.get('/version', {signal: never()})).body)

  expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${token}`)
})

test.each([
  ['oidc', {'id-token': idToken(1)}],
  ['gcp', {expiry: '2020-01-01T00:00:00Z', 'access-token': 'token-old'}],
  ['acme', {}],
])('an auth provider (%s) that has no valid token to give is a failed login', async (name, config) => {
  const server = await startServer(ends, (_request, response) => answerJson(response, {}))
  const session = await openTestSession(ends, server.url, {user: {'auth-provider': {name, config}}})

  const error = await thrownBy(session.get('/version', {signal: never()}))

  expect(error).toMatchObject({
    failure: {code: 'unauthorized', message: expect.stringContaining(`Cannot log in with the auth provider ${name}: `)},
  })
  expect(JSON.stringify(error)).not.toMatch(/eyJ|token-old/)
  expect(server.seen).toEqual([])
})
