import * as fc from 'fast-check'
import type {KeySample} from '../scrub/key-samples.ts'
import {FIXED_KEYS} from './fixed-keys.ts'
import {type JsonTree, slotsOf, stringOf, treeOf} from './json-tree.ts'
import {insertInto} from './mutations.ts'

/** How a key stands in a text; `whole` is its PEM with something before it. */
const FORMS = {
  pem: ({pem}) => pem,
  'pem-crlf': ({pem}) => pem.replaceAll('\n', '\r\n'),
  base64: (_, whole) => whole.toString('base64'),
  base64url: (_, whole) => whole.toString('base64url'),
  'base64-lines': (_, whole) => whole.toString('base64').replaceAll(/.{64}/g, '$&\n'),
  twice: (_, whole) => Buffer.from(whole.toString('base64')).toString('base64'),
  der: ({der}) => der.toString('base64'),
} satisfies Record<string, (key: KeySample, whole: Buffer) => string>
type Form = keyof typeof FORMS

/** Where a key goes: what it is put into is chosen by `at` or by a share of the length. */
export interface KeyInsertion {
  readonly key: KeySample
  readonly form: Form
  /** Characters before the key inside its base64: each gives it another alignment. */
  readonly before: string
  readonly place: 'value' | 'after-value' | 'in-base64' | 'member' | 'name' | 'anywhere'
  readonly at: number
  readonly share: number
}

export const keyInsertion: fc.Arbitrary<KeyInsertion> = fc.record({
  key: fc.constantFrom(...FIXED_KEYS),
  form: fc.constantFrom<Form[]>('pem', 'pem-crlf', 'base64', 'base64url', 'base64-lines', 'twice', 'der'),
  before: fc.constantFrom('', 'x', 'xy', 'xyz', '{"a":"', '# a note\n'),
  place: fc.constantFrom<KeyInsertion['place'][]>('value', 'after-value', 'in-base64', 'member', 'name', 'anywhere'),
  at: fc.nat({max: 2 ** 16}),
  share: fc.double({min: 0, max: 1, noNaN: true}),
})

/** The key as text. */
function keyText({key, form, before}: KeyInsertion): string {
  return FORMS[form](key, Buffer.from(before + key.pem))
}

/** Puts a key into a tree in place. */
export function insertIntoTree(tree: JsonTree, insertion: KeyInsertion): void {
  const slots = slotsOf(tree)
  const strings = slots.filter((slot) => stringOf(slot.get()) !== undefined)
  const text = keyText(insertion)
  const slot = (insertion.place === 'value' ? slots : strings)[insertion.at % (strings.length || 1)]
  if (slot === undefined) return
  const value = stringOf(slot.get()) ?? ''
  switch (insertion.place) {
    case 'value':
      slot.set(treeOf(text))
      return
    case 'after-value':
      // A DER key is told by its beginning: inside another base64 it has none.
      slot.set(treeOf(insertion.form === 'der' ? `${value}\n\n${text}` : value + text))
      return
    case 'in-base64': {
      // Nor has it one that shows there, unless it is what the other begins with.
      const parts = [Buffer.from(value, 'base64'), Buffer.from(`\n${text}`)]
      const inner = Buffer.concat(insertion.form === 'der' ? [Buffer.from(text)] : parts)
      slot.set(treeOf(inner.toString('base64')))
      return
    }
    case 'member':
      slot.object?.members.push({name: slot.member?.name ?? 'x', value: treeOf(text)})
      return
    case 'name':
      if (slot.member !== undefined) slot.member.name = text
      return
    case 'anywhere':
  }
}

/** Puts a key into a text, wherever that is. */
export function insertIntoBytes(bytes: Buffer, insertion: KeyInsertion): Buffer {
  const text = keyText(insertion)
  return insertInto(bytes, insertion.share, insertion.form === 'der' ? `\n\n${text}\n\n` : text)
}
