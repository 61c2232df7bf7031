import type {Line} from '../view.ts'

/** Lines that say the same are told one by one up to here. */
const TOLD = 10

interface Folded {
  readonly lines: Line[]
  count: number
}

/** Gathers lines that say the same of several pods, so that many of them become one; holds a few of each. */
export class FoldedLines {
  readonly #known = new Map<string, Folded>()

  /** Whether the line was taken; one that does not fold is to be told as it is. */
  take(line: Line): boolean {
    if (line.fold === undefined) return false
    const known = this.#known.get(line.fold.key)
    if (known === undefined) this.#known.set(line.fold.key, {lines: [line], count: 1})
    else {
      known.count += 1
      if (known.lines.length < TOLD) known.lines.push(line)
    }
    return true
  }

  /** What is told: the lines themselves, or one in place of many. */
  all(): readonly Line[] {
    return [...this.#known.values()].flatMap(({lines, count}) => {
      const [first] = lines
      if (first?.fold === undefined || count <= TOLD) return lines
      return [{...first, cells: first.fold.cells(count)}]
    })
  }
}
