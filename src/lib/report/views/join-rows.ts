import type {Fields} from '../view.ts'

/** The secrets of an item, each joined with its pod's fields; the pod's own fields alone where it has none. */
export function joinRows({secrets, ...pod}: Fields & {readonly secrets: readonly Fields[]}): readonly Fields[] {
  return secrets.length === 0 ? [pod] : secrets.map((secret) => ({...pod, ...secret}))
}
