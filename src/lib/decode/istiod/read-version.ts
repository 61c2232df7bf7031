import type {AnswerPart} from '../../domain/answer.ts'
import {recordField, textField} from '../json/narrow.ts'
import {parseRecord} from '../json/parse-record.ts'
import {readBeginning} from '../text/read-beginning.ts'

/** More than any version is long. */
const ENOUGH_CHARACTERS = 16 * 1024

/**
 * The version in istiod's `/version`: `1.30.1-0123abc…-Clean`, of which the last two words are the build's, or the JSON
 * that other builds write (`{"clientVersion": {"version": …}}`). Undefined where it is neither.
 */
export async function readVersion({status, body}: AnswerPart): Promise<string | undefined> {
  const text = (await readBeginning(body, ENOUGH_CHARACTERS)).trim()
  if (status !== 200) return undefined
  if (text.startsWith('{')) return readJsonVersion(text)
  // The version itself may have dashes in it.
  const version = /^(\S+)-[^\s-]+-[^\s-]+$/.exec(text)?.[1] ?? text
  return /^v?\d+\.\d+[\w.+-]*$/.test(version) ? version : undefined
}

function readJsonVersion(text: string): string | undefined {
  const value = parseRecord(text)
  const said = value && (recordField(value, 'client_version') ?? value)
  return said && textField(said, 'version')
}
