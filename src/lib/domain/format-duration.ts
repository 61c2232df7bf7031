const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/** Ms as the two largest units that it fills: `1h58m`, `2d`, `12s`; fractions of a second are dropped. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(Math.abs(ms) / 1000)
  const first = UNITS.findIndex(([, size]) => seconds >= size)
  if (first === -1) return '0s'
  let left = seconds
  return UNITS.slice(first, first + 2)
    .map(([unit, size]) => {
      const count = Math.floor(left / size)
      left -= count * size
      return count === 0 ? '' : `${count}${unit}`
    })
    .join('')
}
