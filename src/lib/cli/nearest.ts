/** Letters that may be wrong in a word for it to be a slip. */
const MAX_SLIPS = 3

/** The name that a mistyped one is likely meant to be; undefined where none is near. */
export function nearest(text: string, names: readonly string[]): string | undefined {
  const [best] = names.map((name) => ({name, far: slips(name, text)})).toSorted((one, other) => one.far - other.far)
  const part = names.filter((name) => text.length > 2 && name.includes(text))
  if (best !== undefined && best.far <= MAX_SLIPS) return best.name
  return part.length === 1 ? part[0] : undefined
}

/** Letters to add, drop or change to get from one text to the other. */
export function slips(from: string, to: string): number {
  let row = Array.from({length: to.length + 1}, (_, index) => index)
  for (const [index, letter] of from.split('').entries()) {
    const next = [index + 1]
    for (const [at, other] of to.split('').entries()) {
      const change = (row[at] ?? 0) + Number(letter !== other)
      next.push(Math.min(change, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
