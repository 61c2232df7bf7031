import type {SecretShowItem} from '../../domain/report.ts'
import type {SecretShowRow} from '../../domain/row.ts'
import {dropAbsent} from '../drop-absent.ts'
import type {View, WireOptions} from '../view.ts'
import type {SecretListRowWire, SecretListWire} from '../wire/secret-list.schema.ts'
import {joinRows} from './join-rows.ts'
import {podSection} from './pod-section.ts'
import {secretListView, writeSecretList} from './secret-list.ts'
import {secretsAsPem} from './secret-pem.ts'
import {secretSections} from './secret-sections.ts'

/** `secrets show`: a list of one, each secret in full. */
export const secretShowView: View<SecretShowItem> = {
  ...secretListView,
  detail: (item) => [podSection(item), ...secretSections(item.rows)],
  pem: secretsAsPem,
  wire: writeSecretShow,
  rows: (item, options) => joinRows(writeSecretShow(item, options)),
}

function writeSecretShow(item: SecretShowItem, options: WireOptions): SecretListWire {
  const list = writeSecretList(item, options)
  return {...list, secrets: list.secrets.map((row, index) => withCheck(row, item.rows[index]?.check))}
}

function withCheck(row: SecretListRowWire, check: SecretShowRow['check']): SecretListRowWire {
  if (check === undefined) return row
  const {signedByNext, end, verified, reason, trustedBy} = check
  const {cert, ...rest} = row
  return dropAbsent<SecretListRowWire>({
    ...rest,
    chain: row.chain.map((entry, index) => dropAbsent({...entry, signed_by_next: signedByNext[index + 1]})),
    signed_by_next: signedByNext[0],
    chain_end: end,
    verified,
    verified_reason: reason,
    trusted_by:
      trustedBy === undefined
        ? undefined
        : dropAbsent({
            resource_name: trustedBy.name,
            subject: trustedBy.root.subject,
            fingerprint_sha256: trustedBy.root.fingerprint,
          }),
    // The longest field stays the last.
    cert,
  })
}
