import {readdirSync} from 'node:fs'
import {expect, test} from '@jest/globals'
import {decode} from '../../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../../src/lib/decode/x509/certificate-reader.ts'
import type {Side, Source} from '../../../src/lib/domain/question.ts'
import {answerOf, fixturePart, FIXTURES, readFixture} from './answers.ts'
import {factsOf} from './facts.ts'

/** An input of a fixture folder, and what it must decode to (`expected.json`). */
interface Golden {
  readonly source: Source
  readonly side: Side
  readonly file: string
  readonly status?: number
  readonly facts: readonly string[]
}

const cases = readdirSync(FIXTURES).flatMap((folder) => {
  const goldens = JSON.parse(readFixture(`${folder}/expected.json`).toString()) as Golden[]
  return goldens.map((golden) => ({...golden, file: `${folder}/${golden.file}`}))
})
const certificates = createCertificateReader({maxEntries: 1000})

test.each(cases)('$file says as $source what its golden answer says', async ({source, side, file, status, facts}) => {
  const part = fixturePart(file, status === undefined ? {} : {status})

  const observations = await decode(answerOf(source, [part], {side}), {certificates})

  expect(factsOf(observations)).toEqual(facts)
})
