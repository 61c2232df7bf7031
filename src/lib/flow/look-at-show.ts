import {showSecrets} from '../compare/show-secrets.ts'
import {checkSignatures} from '../decode/x509/check-signatures.ts'
import {RunError} from '../domain/failure.ts'
import {podKey} from '../domain/pod.ts'
import type {SecretShowItem} from '../domain/report.ts'
import {nameText} from '../domain/secret.ts'
import type {Looking} from './look.ts'
import {lookAtHeld} from './look-at-list.ts'
import type {Selected} from './select-pods.ts'

/** Names that a hint tells; ztunnel holds hundreds. */
const MAX_NAMES = 20

/**
 * The item of `secrets show`: what each side holds, with the signatures of each chain. Throws RunError where a secret
 * is named that the pod does not hold, and all of its answers could be read.
 */
export async function lookAtShow(selected: Selected, signal: AbortSignal, looking: Looking): Promise<SecretShowItem> {
  const {secretNames, ...rest} = looking
  const known = new Set<string>()
  const item = await lookAtHeld(selected, signal, rest, (evidence) => {
    const rows = showSecrets(evidence, checkSignatures(evidence.observations, looking.certificates))
    for (const row of rows) known.add(nameText(row))
    return rows.filter(({name}) => secretNames?.includes(name) ?? true)
  })
  const isMissing = secretNames !== undefined && item.rows.length === 0 && item.verdict !== 'skipped'
  if (isMissing && !item.incomplete) throw unknownSecret(item, secretNames, [...known])
  return item
}

function unknownSecret({pod}: SecretShowItem, wanted: readonly string[], known: readonly string[]): RunError {
  const told = known.slice(0, MAX_NAMES).join(', ')
  const more = known.length > MAX_NAMES ? ` and ${known.length - MAX_NAMES} more` : ''
  return new RunError(
    4,
    'secret-not-found',
    `No side of ${podKey(pod)} holds a secret ${wanted.join(', ')}`,
    known.length === 0 ? [] : [`There are ${told}${more}`],
  )
}
