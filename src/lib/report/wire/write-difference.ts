import type {Difference} from '../../domain/row.ts'
import {type CertificateField, comparableFields} from '../certificate-fields.ts'
import {dropAbsent} from '../drop-absent.ts'
import type {DifferenceWire} from './secret-diff.schema.ts'

/** Two certificates that differ, as they are written: the fields that do. */
export function writeDifference({name, reason, confirmed, agent, proxy}: Difference): DifferenceWire {
  const fields = comparableFields(agent?.certificates, proxy?.certificates)
  const [ours, theirs] = [byName(fields.agent), byName(fields.proxy)]
  const names = [...new Set([...ours.keys(), ...theirs.keys()])]
  return dropAbsent<DifferenceWire>({
    resource_name: name,
    reason,
    confirmed,
    agent_source: agent?.source,
    proxy_source: proxy?.source,
    fields: names
      .map((field) => dropAbsent({field, agent: ours.get(field), proxy: theirs.get(field)}))
      .filter((one) => JSON.stringify(one.agent) !== JSON.stringify(one.proxy)),
  })
}

function byName(fields: readonly CertificateField[]): ReadonlyMap<string, string | string[]> {
  return new Map(fields.map(({name, value}) => [name, typeof value === 'string' ? value : [...value]]))
}
