import type {Answer, AnswerPart} from '../../domain/answer.ts'
import type {Observation} from '../../domain/observation.ts'
import type {SecretItem} from '../../domain/secret.ts'
import {contentError, type Subject} from '../content-error.ts'
import type {DecodeContext} from '../decode-context.ts'
import {bundleSet, chainSet} from '../pem/certificate-set.ts'
import {decodePemSecret, readContent} from '../pem/decode-pem-secret.ts'
import {readBytes} from '../read-bytes.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'

/**
 * Secrets from the certificate files of an agent (`OUTPUT_CERTS`, mounted certificates): the chain is `default`, the
 * roots are `ROOTCA`. Also from a PEM or DER file that the user gives.
 */
export async function decodeAgentFiles(answer: Answer, context: DecodeContext): Promise<readonly Observation[]> {
  const items: SecretItem[] = []
  const {unusable, dated, used} = await readParts(answer, async (part, {index}) => {
    items.push(await readFile(answer, part, index, context))
  })
  if (used === 0) return unusable
  const names = new Set(items.map(({name}) => name))
  return [
    {
      type: 'secrets',
      by: spokenBy(answer, dated),
      side: answer.question.side,
      items,
      complete: names.has('default') && names.has('ROOTCA'),
      notes: [],
    },
    ...unusable,
  ]
}

async function readFile(answer: Answer, part: AnswerPart, index: number, context: DecodeContext): Promise<SecretItem> {
  const subject: Subject = {name: 'certificate file', part}
  if (answer.route === 'exec') refuseUnread(subject)
  const bytes = await readBytes(subject)
  const reader = context.certificates
  if (answer.route === 'file') {
    const item = decodePemSecret(bytes, reader, context.fileSecretName)
    const [first] = item.certificates
    if (first?.readable === false && first.problem === 'no PEM block') {
      throw contentError(subject, 'bad-payload', 'neither PEM nor DER')
    }
    // What a user says is the proxy's is what the proxy uses.
    return answer.question.side === 'proxy' ? {...item, state: 'ACTIVE'} : item
  }
  const content = readContent(bytes, reader)
  if (isRootsFile(part.path, index)) return {name: 'ROOTCA', type: 'CA', ...bundleSet(content)}
  return {name: 'default', type: 'Cert Chain', ...chainSet(content, reader)}
}

/** A file that a command could not print has the status that a server would give it (`readFileAnswer`). */
function refuseUnread(subject: Subject): void {
  const {status} = subject.part
  if (status === 404) throw contentError(subject, 'file-unreadable', 'there is no such file', NOT_WRITTEN)
  if (status === 403) throw contentError(subject, 'file-unreadable', 'permission denied', NOT_PERMITTED)
}

const NOT_WRITTEN = 'The agent may not have written it yet, or it writes elsewhere: its log tells'
const NOT_PERMITTED =
  'The user that a command runs as in this container may not read it: --source agent-metrics needs no file'

/** `root-cert.pem`, and `ca_certificates.pem` on GKE; under other names the roots come second. */
function isRootsFile(path: string, index: number): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (/root|^ca[-_.]/.test(name)) return true
  return !/chain|^cert|^tls\.crt$/.test(name) && index === 1
}
