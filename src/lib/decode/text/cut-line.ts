/** Foreign text in one line, cut after so many characters. */
export function cutLine(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > max ? `${line.slice(0, max)}…` : line
}
