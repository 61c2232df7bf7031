import {isRecord, type JsonRecord} from './narrow.ts'

/** The object that a short text is in JSON; undefined where it is anything else. */
export function parseRecord(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
