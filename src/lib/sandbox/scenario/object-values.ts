import {createHash} from 'node:crypto'

/** A uid that depends on the name alone, so that runs are alike. */
export function uidOf(...words: readonly string[]): string {
  const hex = createHash('sha256').update(words.join('/')).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** A time as Kubernetes writes it: whole seconds, UTC. */
export function rfc3339(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')
}
