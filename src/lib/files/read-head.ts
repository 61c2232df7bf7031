/** As much of a content as is looked at to tell what it is. */
export const HEAD_BYTES = 256 * 1024

/** The first bytes of a body; the rest is not read. */
export async function readHead(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= HEAD_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES)
}
