import type {Answer, AnswerPart} from '../../domain/answer.ts'
import type {IdentitiesExpected, Workload} from '../../domain/mesh-seen.ts'
import type {Observation} from '../../domain/observation.ts'
import type {SecretItem} from '../../domain/secret.ts'
import {contentError, type Subject} from '../content-error.ts'
import type {DecodeContext} from '../decode-context.ts'
import {type JsonRecord, textField} from '../json/narrow.ts'
import {scanJson} from '../json/scan-json.ts'
import {type PartPlace, readParts} from '../read-parts.ts'
import {secondDump} from '../second-dump.ts'
import {spokenBy} from '../spoken.ts'
import {readHeldCertificate} from './held-certificate.ts'
import {ZtunnelVisitor} from './ztunnel-visitor.ts'

const DEFAULT_TRUST_DOMAIN = 'cluster.local'
const SUBJECT = 'ztunnel config dump'

interface ZtunnelDump {
  readonly items: SecretItem[]
  readonly notes: string[]
  /** Whom it serves; absent where the dump does not say. */
  served: readonly (Omit<Workload, 'name'> & Partial<Workload>)[] | undefined
}

/** From ztunnel's `/config_dump`: the certificates that it holds, and the identities that it should hold them for. */
export async function decodeZtunnel(answer: Answer, context: DecodeContext): Promise<readonly Observation[]> {
  const dump: ZtunnelDump = {items: [], notes: [], served: undefined}
  const {unusable, dated, used} = await readParts(answer, async (part, {index, report}) => {
    if (index > 0) throw secondDump({name: SUBJECT, part})
    await readDump(part, dump, context, report)
  })
  if (used === 0) return unusable
  const by = spokenBy(answer, dated, context.nowMs)
  const expected: IdentitiesExpected[] =
    dump.served === undefined
      ? []
      : [
          {
            type: 'identities-expected',
            by,
            identities: [...new Set(dump.served.map(({identity}) => identity))],
            workloads: dump.served.flatMap(({name, ...rest}) => (name === undefined ? [] : {...rest, name})),
          },
        ]
  return [
    {
      type: 'secrets',
      by,
      side: answer.question.side,
      items: dump.items,
      complete: unusable.length === 0,
      notes: dump.notes,
    },
    ...expected,
    ...unusable,
  ]
}

async function readDump(
  part: AnswerPart,
  dump: ZtunnelDump,
  context: DecodeContext,
  report: PartPlace['report'],
): Promise<void> {
  const subject: Subject = {name: SUBJECT, part}
  const items: SecretItem[] = []
  const notes: string[] = []
  const visitor = new ZtunnelVisitor((entry) => {
    const item = readHeldCertificate(entry, context.certificates)
    if (item !== undefined) items.push(item)
    else notes.push(`${textField(entry, 'identity') ?? 'an identity'} is no longer needed`)
  })
  const noise = await scanJson(subject, visitor)
  if (!visitor.isWanted()) {
    const keys = visitor.otherKeys.slice(0, 5).join(', ')
    throw contentError(subject, 'bad-payload', keys === '' ? 'nothing in it' : `its keys are ${keys}`)
  }
  dump.items.push(...items)
  dump.notes.push(...noise, ...notes)
  if (items.length === 0) dump.notes.push(noCertificates(visitor))
  if (visitor.tooLargeCount > 0) {
    report(contentError(subject, 'too-large', `${visitor.tooLargeCount} of its values are too large or too deep`))
  }
  if (visitor.saysServed) dump.served = visitor.served.flatMap(readServed)
}

function noCertificates({hboneWorkloads}: ZtunnelVisitor): string {
  if (hboneWorkloads === 0) return 'no certificates yet'
  const workloads = hboneWorkloads === 1 ? '1 workload uses' : `${hboneWorkloads} workloads use`
  return `no certificates yet, though ${workloads} HBONE`
}

function readServed(info: JsonRecord): NonNullable<ZtunnelDump['served']> {
  const namespace = textField(info, 'namespace')
  const name = textField(info, 'name')
  const account = textField(info, 'service_account')
  if (namespace === undefined || account === undefined) return []
  const trustDomain = textField(info, 'trust_domain') ?? ''
  const identity = `spiffe://${trustDomain === '' ? DEFAULT_TRUST_DOMAIN : trustDomain}/ns/${namespace}/sa/${account}`
  return [{namespace, identity, ...(name !== undefined && {name})}]
}
