/** A JSON text as a tree that can say what an object of JavaScript cannot: members twice, numbers of any size. */
export type JsonTree = JsonObject | JsonArray | JsonText

interface JsonObject {
  readonly kind: 'object'
  readonly members: Member[]
}

interface JsonArray {
  readonly kind: 'array'
  readonly items: JsonTree[]
}

/** A scalar, as it is written. */
interface JsonText {
  readonly kind: 'text'
  readonly text: string
}

interface Member {
  name: string
  value: JsonTree
}

/** A place in a tree that holds a value. */
export interface Slot {
  /** Absent for items of arrays. */
  readonly member?: Member
  readonly object?: JsonObject
  readonly get: () => JsonTree
  readonly set: (value: JsonTree) => void
}

export function treeOf(value: unknown): JsonTree {
  if (Array.isArray(value)) return {kind: 'array', items: value.map(treeOf)}
  if (typeof value !== 'object' || value === null) return {kind: 'text', text: JSON.stringify(value)}
  return {kind: 'object', members: Object.entries(value).map(([name, one]) => ({name, value: treeOf(one)}))}
}

export function textOf(tree: JsonTree): string {
  if (tree.kind === 'text') return tree.text
  if (tree.kind === 'array') return `[${tree.items.map(textOf).join(',')}]`
  return `{${tree.members.map(({name, value}) => `${JSON.stringify(name)}:${textOf(value)}`).join(',')}}`
}

/** All values below `tree`, outer ones first. */
export function slotsOf(tree: JsonTree): Slot[] {
  if (tree.kind === 'text') return []
  const own: Slot[] =
    tree.kind === 'array'
      ? tree.items.map((first, index) => ({
          get: () => tree.items[index] ?? first,
          set: (value) => {
            tree.items[index] = value
          },
        }))
      : tree.members.map((member) => ({
          member,
          object: tree,
          get: () => member.value,
          set: (value) => {
            member.value = value
          },
        }))
  return own.flatMap((slot) => [slot, ...slotsOf(slot.get())])
}

/** The string that a value is; undefined for any other. */
export function stringOf(tree: JsonTree): string | undefined {
  const value: unknown = tree.kind === 'text' && tree.text.startsWith('"') ? JSON.parse(tree.text) : undefined
  return typeof value === 'string' ? value : undefined
}
