import type {Answer} from '../../domain/answer.ts'
import {ProbeError} from '../../domain/failure.ts'
import type {ManagedCertificate, ObjectCondition, Observation} from '../../domain/observation.ts'
import {contentError, type Subject} from '../content-error.ts'
import {isRecord, type JsonRecord, recordField, recordsField, textField} from '../json/narrow.ts'
import type {JsonPath} from '../json/json-walker.ts'
import {type DocumentVisitor, scanJson} from '../json/scan-json.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'
import {parseTime} from '../text/rfc3339.ts'

/** Of a foreign text no more is kept; a Certificate's message may hold a whole answer of an ACME server. */
const MAX_TEXT_CHARACTERS = 200

/**
 * A page of the Certificates of one namespace, as the Kubernetes API lists them
 * (https://cert-manager.io/docs/reference/api-docs/#cert-manager.io/v1.Certificate). A cluster without cert-manager
 * answers 404, and nothing is observed.
 */
export async function decodeCertificates(answer: Answer): Promise<readonly Observation[]> {
  const pages: {readonly namespace: string; readonly visitor: CertificatesVisitor}[] = []
  const {unusable, dated} = await readParts(answer, async (part, {report}) => {
    const namespace = decodeURIComponent(/\/namespaces\/([^/]+)\//.exec(part.path)?.[1] ?? '')
    const subject: Subject = {name: `list of Certificates of ${namespace}`, part}
    const visitor = new CertificatesVisitor()
    try {
      await scanJson(subject, visitor)
    } catch (error) {
      if (part.status === 404 && error instanceof ProbeError && error.failure.code === 'path-unknown') return
      throw error
    }
    if (!visitor.isWanted()) throw contentError(subject, 'bad-payload', 'it is no list')
    if (visitor.tooLargeCount > 0) {
      report(contentError(subject, 'too-large', `${visitor.tooLargeCount} of its objects are too large`))
    }
    pages.push({namespace, visitor})
  })
  const by = spokenBy(answer, dated)
  return [
    ...pages.map(({namespace, visitor: {certificates, next}}): Observation => ({
      type: 'certificates-managed',
      by,
      namespace,
      certificates,
      ...(next !== '' && {next}),
    })),
    ...unusable,
  ]
}

/** Reads one object of the list at a time. */
class CertificatesVisitor implements DocumentVisitor {
  readonly certificates: ManagedCertificate[] = []
  next = ''
  tooLargeCount = 0
  #hasItems = false

  choose(path: JsonPath): 'enter' | 'keep' | 'skip' {
    const [first, second] = path
    if (path.length === 0) return 'enter'
    if (first === 'items') {
      this.#hasItems = true
      return path.length === 1 ? 'enter' : 'keep'
    }
    if (first !== 'metadata') return 'skip'
    return path.length === 1 ? 'enter' : second === 'continue' ? 'keep' : 'skip'
  }

  keep([first]: JsonPath, value: unknown): void {
    if (first === 'metadata' && typeof value === 'string') this.next = value
    if (first === 'items' && isRecord(value)) this.certificates.push(...readCertificate(value))
  }

  tooLarge(): void {
    this.tooLargeCount += 1
  }

  isWanted(): boolean {
    return this.#hasItems
  }
}

function readCertificate(object: JsonRecord): readonly ManagedCertificate[] {
  const name = textField(recordField(object, 'metadata') ?? {}, 'name')
  const secretName = textField(recordField(object, 'spec') ?? {}, 'secretName')
  if (name === undefined || secretName === undefined) return []
  const status = recordField(object, 'status') ?? {}
  const problems: string[] = []
  const time = (field: string): number | undefined => {
    const value = status[field]
    if (value === undefined || value === null) return undefined
    const ms = typeof value === 'string' ? parseTime(value) : undefined
    if (ms === undefined) problems.push(`status.${field} is no time: ${cut(JSON.stringify(value) ?? '')}`)
    return ms
  }
  const [notBeforeMs, end, renewalMs] = [time('notBefore'), time('notAfter'), time('renewalTime')]
  const isBackwards = notBeforeMs !== undefined && end !== undefined && notBeforeMs > end
  if (isBackwards) problems.push('status.notAfter is before status.notBefore')
  const conditions = recordsField(status, 'conditions')
  const ready = readCondition(conditions, 'Ready')
  return [
    {
      name,
      secretName,
      ...(end !== undefined && !isBackwards && {notAfterMs: end}),
      ...(renewalMs !== undefined && {renewalMs}),
      ...(ready !== undefined && {ready}),
      isIssuing: readCondition(conditions, 'Issuing')?.isTrue === true,
      problems,
    },
  ]
}

function readCondition(conditions: readonly JsonRecord[], type: string): ObjectCondition | undefined {
  const condition = conditions.find((one) => textField(one, 'type') === type)
  if (condition === undefined) return undefined
  return {
    isTrue: textField(condition, 'status') === 'True',
    reason: cut(textField(condition, 'reason') ?? ''),
    message: cut(textField(condition, 'message') ?? ''),
  }
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > MAX_TEXT_CHARACTERS ? `${line.slice(0, MAX_TEXT_CHARACTERS)}…` : line
}
