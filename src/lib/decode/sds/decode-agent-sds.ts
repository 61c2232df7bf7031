import type {Answer} from '../../domain/answer.ts'
import {ProbeError} from '../../domain/failure.ts'
import type {Observation} from '../../domain/observation.ts'
import type {SecretItem} from '../../domain/secret.ts'
import {contentError, type Subject} from '../content-error.ts'
import type {DecodeContext} from '../decode-context.ts'
import {readMaterial} from '../envoy/secret-items.ts'
import {isRecord, type JsonRecord, recordField, recordsField, textField} from '../json/narrow.ts'
import {readJson} from '../json/read-json.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'

/**
 * Secrets that an agent serves over SDS, as the route wrote them down: `responses`, each with the `resource_name` that
 * was asked for, and with the `resources` (Envoy's `Secret` without a key) or an `error` in words.
 */
export async function decodeAgentSds(answer: Answer, context: DecodeContext): Promise<readonly Observation[]> {
  const items: SecretItem[] = []
  const {unusable, dated, used} = await readParts(answer, async (part, {report}) => {
    const subject: Subject = {name: 'secrets of the agent', part}
    const {value} = await readJson(subject)
    if (!isRecord(value) || !Array.isArray(value['responses'])) {
      throw contentError(subject, 'bad-payload', 'no list of responses')
    }
    for (const response of recordsField(value, 'responses')) {
      try {
        items.push(...readResponse(response, subject, context))
      } catch (error) {
        if (!(error instanceof ProbeError)) throw error
        report(error)
      }
    }
  })
  if (used === 0 || items.length === 0) return unusable
  const names = new Set(items.map(({name}) => name))
  return [
    {
      type: 'secrets',
      by: spokenBy(answer, dated),
      side: answer.question.side,
      items,
      complete: unusable.length === 0 && names.has('default') && names.has('ROOTCA'),
      notes: [],
    },
    ...unusable,
  ]
}

function readResponse(response: JsonRecord, subject: Subject, context: DecodeContext): SecretItem[] {
  const asked = textField(response, 'resource_name') ?? ''
  const error = recordField(response, 'error')
  if (error !== undefined) throw refusal(error, asked)
  const resources = recordsField(response, 'resources')
  // An agent answers a name that it does not know with the workload's certificate under that name: the name is all.
  const named = resources.filter((secret) => textField(secret, 'name') === asked)
  if (named.length === 0) {
    const others = [...resources.map((secret) => textField(secret, 'name') ?? ''), ...typesOf(response)]
    const got = others.length === 0 ? 'nothing' : others.join(', ')
    throw contentError(subject, 'empty-answer', `${asked} was asked for, and ${got} came`)
  }
  const version = textField(response, 'version_info') ?? ''
  return named.flatMap((secret) =>
    readMaterial(secret, context.certificates).map((material) => ({
      name: asked,
      ...material,
      ...(version !== '' && {version}),
    })),
  )
}

function typesOf(response: JsonRecord): readonly string[] {
  const types = response['other_types']
  return Array.isArray(types) ? types.filter((type) => typeof type === 'string') : []
}

/** A refusal was put into words where it was met. */
function refusal(error: JsonRecord, asked: string): ProbeError {
  const hint = textField(error, 'hint')
  return new ProbeError({
    stage: 'fetch',
    code: CODES.find((code) => code === error['code']) ?? 'grpc-status',
    message: textField(error, 'message') ?? `Cannot read ${asked} from the SDS socket`,
    ...(hint !== undefined && {hint}),
  })
}

/** How a call may end other than well. */
const CODES = ['timeout', 'connection-lost', 'path-unknown', 'unauthorized', 'too-large', 'bad-payload'] as const
