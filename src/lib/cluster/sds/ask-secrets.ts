import type {ProbeError} from '../../domain/failure.ts'
import type {CommandPlace} from '../streams/explain-command.ts'
import {explainCall} from './explain-sds.ts'
import type {RawResponse} from './sds-messages.ts'
import {GrpcError, openSecretsClient, type SdsApi, type SecretsClient} from './secrets-client.ts'

/** Of the time that is left: one secret that does not come must not take the other one with it. */
const CALL_SHARE = 0.9

/** What came of asking for one secret. */
export interface Reply {
  readonly resourceName: string
  readonly response?: RawResponse
  readonly error?: GrpcError
}

/** Asks for all in the newest API that the server knows. */
export async function askOver(
  path: string,
  resourceNames: readonly string[],
  timeLeftMs: number,
): Promise<readonly Reply[]> {
  const client = openSecretsClient(path)
  try {
    return await askAll(client, resourceNames, timeLeftMs)
  } finally {
    client.close()
  }
}

async function askAll(
  client: SecretsClient,
  resourceNames: readonly string[],
  timeLeftMs: number,
): Promise<readonly Reply[]> {
  // By the clock that gRPC counts with.
  const deadlineAtMs = Date.now() + timeLeftMs * CALL_SHARE
  const ask = async (api: SdsApi): Promise<readonly Reply[]> =>
    await Promise.all(resourceNames.map(async (name) => await settle(name, client.ask(api, name, deadlineAtMs))))
  const replies = await ask('v3')
  return replies.every(({error}) => error?.status === 'UNIMPLEMENTED') ? await ask('v2') : replies
}

async function settle(resourceName: string, asked: Promise<RawResponse>): Promise<Reply> {
  try {
    return {resourceName, response: await asked}
  } catch (error) {
    if (!(error instanceof GrpcError)) throw error
    return {resourceName, error}
  }
}

/** The connection went before an answer, or was none of HTTP/2. */
export function isLost({error}: Reply): boolean {
  return error?.status === 'UNAVAILABLE' || error?.status === 'INTERNAL'
}

/** What the first was refused with. */
export function firstError(replies: readonly Reply[], place: CommandPlace): ProbeError {
  for (const {resourceName, error} of replies) {
    if (error !== undefined) return explainCall(error, place, resourceName)
  }
  throw new Error('Nothing was asked for')
}
