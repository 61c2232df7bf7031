/** A number as English writes it: `10,000`. By hand, since the runtime takes milliseconds to get its own rules ready. */
export function countText(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

/** How many of what, as English writes it: `1 pod`, `2,000 pods`. For words whose plural takes an `s`. */
export function countOf(count: number, word: string): string {
  return `${countText(count)} ${word}${count === 1 ? '' : 's'}`
}
