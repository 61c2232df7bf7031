import type {StoredObject} from '../world.ts'
import type {ResourceType} from './resource-types.ts'
import {badRequest, StatusError} from './status.ts'

/** Fields by which pods may be selected (kubernetes `pkg/apis/core/v1/conversion.go`). */
const podFields = new Set([
  'metadata.name',
  'metadata.namespace',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'status.phase',
  'status.podIP',
])
const commonFields = new Set(['metadata.name', 'metadata.namespace'])

/**
 * A field selector as a test on objects: `a=b`, `a!=b`, joined by commas.
 * Throws StatusError 400 for a field that the type does not offer.
 */
export function parseFieldSelector(text: string, type: ResourceType): (object: StoredObject) => boolean {
  const known = type.plural === 'pods' ? podFields : commonFields
  const tests = text
    .split(',')
    .filter((requirement) => requirement !== '')
    .map((requirement) => {
      const [, field, sign, wanted] = /^([^=!]+)(==|=|!=)(.*)$/.exec(requirement) ?? []
      if (field === undefined || wanted === undefined) {
        throw new StatusError(badRequest(`invalid selector: '${text}'; can't understand '${requirement}'`))
      }
      if (!known.has(field)) throw new StatusError(badRequest(`field label not supported: ${field}`))
      return (object: StoredObject) => (valueOf(object, field) === wanted) === (sign !== '!=')
    })
  return (object) => tests.every((test) => test(object))
}

function valueOf(object: StoredObject, field: string): string {
  if (field === 'metadata.name') return object.name
  if (field === 'metadata.namespace') return object.namespace
  return object.fields[field] ?? ''
}
