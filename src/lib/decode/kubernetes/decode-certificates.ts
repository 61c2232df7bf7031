import type {Answer} from '../../domain/answer.ts'
import {ProbeError} from '../../domain/failure.ts'
import type {CertificatesManaged, ManagedCertificate, ObjectCondition} from '../../domain/kubernetes-seen.ts'
import type {Observation} from '../../domain/observation.ts'
import type {Subject} from '../content-error.ts'
import {type JsonRecord, recordField, recordsField, textField} from '../json/narrow.ts'
import {cutLine} from '../text/cut-line.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'
import {parseTime} from '../text/rfc3339.ts'
import {readList} from './read-list.ts'

/** Of a foreign text no more is kept; a Certificate's message may hold a whole answer of an ACME server. */
const MAX_TEXT_CHARACTERS = 200

/**
 * A page of the Certificates of one namespace, as the Kubernetes API lists them
 * (https://cert-manager.io/docs/reference/api-docs/#cert-manager.io/v1.Certificate). A cluster without cert-manager
 * answers 404, and nothing is observed.
 */
export async function decodeCertificates(answer: Answer): Promise<readonly Observation[]> {
  const pages: Pick<CertificatesManaged, 'namespace' | 'certificates' | 'next'>[] = []
  const {unusable, dated} = await readParts(answer, async (part, {report}) => {
    const namespace = decodeURIComponent(/\/namespaces\/([^/]+)\//.exec(part.path)?.[1] ?? '')
    const subject: Subject = {name: `list of Certificates of ${namespace}`, part}
    const certificates: ManagedCertificate[] = []
    try {
      const next = await readList(subject, (object) => certificates.push(...readCertificate(object)), report)
      pages.push({namespace, certificates, ...(next !== '' && {next})})
    } catch (error) {
      if (part.status === 404 && error instanceof ProbeError && error.failure.code === 'path-unknown') return
      throw error
    }
  })
  const by = spokenBy(answer, dated)
  return [...pages.map((page) => ({type: 'certificates-managed' as const, by, ...page})), ...unusable]
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
    if (ms === undefined)
      problems.push(`status.${field} is no time: ${cutLine(JSON.stringify(value) ?? '', MAX_TEXT_CHARACTERS)}`)
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
    reason: cutLine(textField(condition, 'reason') ?? '', MAX_TEXT_CHARACTERS),
    message: cutLine(textField(condition, 'message') ?? '', MAX_TEXT_CHARACTERS),
  }
}
