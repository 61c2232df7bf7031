import * as fc from 'fast-check'
import {type JsonTree, slotsOf, stringOf, treeOf} from './json-tree.ts'

/** A change of a JSON text that leaves it JSON; `at` chooses the value, modulo their number. */
export type TreeMutation = {readonly at: number} & (
  | {readonly type: 'nest'; readonly depth: number; readonly inObjects: boolean}
  | {readonly type: 'duplicate' | 'remove' | 'swap-encoding' | 'rename-encoding'}
  | {readonly type: 'rename'; readonly name: string}
  | {readonly type: 'retype'; readonly text: string}
  | {readonly type: 'swap'; readonly other: number}
)

/** A change of any text; `at` is a share of its length, where it matters. */
export interface ByteMutation {
  readonly type: keyof typeof BYTE_CHANGES
  readonly at: number
}

const NAMES = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'name',
  'secret',
  'tls_certificate',
  'validation_context',
  'certificate_chain',
  'trusted_ca',
  'inline_string',
  'inline_bytes',
  'filename',
  'private_key',
  'error_state',
  'dynamic_warming_secrets',
  'certChain',
  'certificate_chain\u0000',
  '\u202Ename',
]

const TEXTS = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1e400',
  '-1e-400',
  '9007199254740993',
  '9'.repeat(400),
  '253402300800000',
  '""',
  '"x"',
  '"\\ud800"',
  '"\\u0000\\u001b[31m"',
  '"a\\nb"',
  '"+275760-09-13T00:00:00.001Z"',
  '"-----BEGIN CERTIFICATE-----"',
  '"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t"',
  '"-----BEGIN CERTIFICATE-----\\nMIIB\\n-----END CERTIFICATE-----\\n"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"":{}}',
  '[1,"a",{"name":{}}]',
]

const at = fc.nat({max: 2 ** 16})
const share = fc.double({min: 0, max: 1, noNaN: true})

export const treeMutation: fc.Arbitrary<TreeMutation> = fc.oneof(
  fc.record({type: fc.constant('nest'), at, depth: fc.integer({min: 1, max: 60}), inObjects: fc.boolean()} as const),
  fc.record({type: fc.constantFrom('duplicate', 'remove', 'swap-encoding', 'rename-encoding'), at} as const),
  fc.record({type: fc.constant('rename'), at, name: fc.constantFrom(...NAMES)} as const),
  fc.record({type: fc.constant('retype'), at, text: fc.constantFrom(...TEXTS)} as const),
  fc.record({type: fc.constant('swap'), at, other: at} as const),
)

export const byteMutation: fc.Arbitrary<ByteMutation> = fc.record({
  type: fc.oneof(
    {weight: 4, arbitrary: fc.constantFrom('cut', 'flip', 'nul', 'bom', 'newline')},
    {weight: 1, arbitrary: fc.constantFrom('utf16', 'crlf', 'noise')},
  ),
  at: share,
})

/** Changes `tree` in place; what the mutation does not fit stays as it is. */
export function mutateTree(tree: JsonTree, mutation: TreeMutation): void {
  const slots = slotsOf(tree)
  const isEncoding = mutation.type === 'swap-encoding' || mutation.type === 'rename-encoding'
  const candidates = isEncoding ? slots.filter(({member}) => member?.name.startsWith('inline') === true) : slots
  const slot = candidates[mutation.at % candidates.length]
  if (slot === undefined) return
  const {member, object} = slot
  switch (mutation.type) {
    case 'nest': {
      let value = slot.get()
      for (let depth = 0; depth < mutation.depth; depth++) {
        value = mutation.inObjects
          ? {kind: 'object', members: [{name: member?.name ?? 'x', value}]}
          : {kind: 'array', items: [value]}
      }
      slot.set(value)
      return
    }
    case 'duplicate':
      if (member !== undefined) object?.members.push({...member})
      return
    case 'remove':
      if (member !== undefined) object?.members.splice(object.members.indexOf(member), 1)
      return
    case 'rename':
      if (member !== undefined) member.name = mutation.name
      return
    case 'retype':
      slot.set({kind: 'text', text: mutation.text})
      return
    case 'swap': {
      const other = slots[mutation.other % slots.length]
      const value = slot.get()
      if (other === undefined || contains(value, other.get()) || contains(other.get(), value)) return
      slot.set(other.get())
      other.set(value)
      return
    }
    case 'swap-encoding':
    case 'rename-encoding': {
      if (member === undefined) return
      const isBytes = /bytes$/i.test(member.name)
      const text = stringOf(member.value)
      member.name = member.name.replace(/bytes$|string$/i, isBytes ? 'string' : 'bytes')
      if (text === undefined || mutation.type === 'rename-encoding') return
      member.value = treeOf(isBytes ? Buffer.from(text, 'base64').toString() : Buffer.from(text).toString('base64'))
    }
  }
}

function contains(outer: JsonTree, inner: JsonTree): boolean {
  return outer === inner || slotsOf(outer).some((slot) => slot.get() === inner)
}

const BYTE_CHANGES = {
  cut: (bytes, at) => bytes.subarray(0, placeIn(bytes, at)),
  flip: (bytes, at) => {
    const place = placeIn(bytes, at)
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8(flipped.readUInt8(place) ^ 0xa5, place)
    return flipped
  },
  nul: (bytes, at) => insertInto(bytes, at, '\0'),
  bom: (bytes, at) => insertInto(bytes, at, '\u{FEFF}'),
  newline: (bytes, at) => insertInto(bytes, at, '\n'),
  utf16: (bytes) => Buffer.from(bytes.toString(), 'utf16le'),
  crlf: (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
  noise: (bytes) => Buffer.concat([Buffer.from('Defaulted container "istio-proxy" out of: {a, b}\n'), bytes]),
} satisfies Record<string, (bytes: Buffer, at: number) => Buffer>

export function mutateBytes(bytes: Buffer, {type, at}: ByteMutation): Buffer {
  return bytes.length === 0 ? bytes : BYTE_CHANGES[type](bytes, at)
}

export function insertInto(bytes: Buffer, share: number, text: string): Buffer {
  const place = placeIn(bytes, share)
  return Buffer.concat([bytes.subarray(0, place), Buffer.from(text), bytes.subarray(place)])
}

function placeIn(bytes: Buffer, share: number): number {
  return Math.floor(share * Math.max(0, bytes.length - 1))
}
