/** All texts and bytes that can be reached from a value, one after the other: of buffers the whole memory behind them. */
export function everyPart(root: unknown): Buffer {
  const seen = new Set<unknown>()
  const pieces: Buffer[] = []
  const waiting: unknown[] = [root]
  for (let value = waiting.pop(); value !== undefined || waiting.length > 0; value = waiting.pop()) {
    if (typeof value === 'string') pieces.push(Buffer.from(value), Buffer.from('\n'))
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (ArrayBuffer.isView(value)) pieces.push(Buffer.from(value.buffer), Buffer.from('\n'))
    else if (value instanceof ArrayBuffer) pieces.push(Buffer.from(value), Buffer.from('\n'))
    else waiting.push(...partsOf(value))
  }
  return Buffer.concat(pieces)
}

function partsOf(value: object): unknown[] {
  if (value instanceof Map) return [...value.entries()].flat()
  if (value instanceof Set) return [...value]
  return Reflect.ownKeys(value).flatMap((key): unknown[] => {
    const part: unknown = Reflect.get(value, key)
    return [typeof key === 'string' ? key : undefined, part]
  })
}
