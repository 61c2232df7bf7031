import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import Ajv from 'ajv-draft-04'
import parsePrometheus from 'parse-prometheus-text-format'
import {validateXML} from 'xmllint-wasm'

const FIXTURES = join(import.meta.dirname, '../fixtures/report')
const XSD = readFileSync(join(FIXTURES, 'junit.xsd'), 'utf8')
const SARIF: object = JSON.parse(
  readFileSync(join(FIXTURES, 'sarif-2.1.0-rtm.5.json'), 'utf8').replaceAll(
    'http://json-schema.org/draft-04/schema#',
    'http://json-schema.org/draft-04/schema',
  ),
) as object

/** What a strict parser has against this JUnit document; empty where nothing. */
export async function junitErrors(xml: string): Promise<readonly string[]> {
  const {valid, errors} = await validateXML({
    xml: [{fileName: 'report.xml', contents: xml}],
    schema: [{fileName: 'junit.xsd', contents: XSD}],
  })
  return valid ? [] : errors.map(({message}) => message)
}

/** What the SARIF schema has against this document; empty where nothing. */
export function sarifErrors(text: string): readonly string[] {
  const validate = new Ajv.default({
    strict: false,
    allErrors: true,
    validateFormats: false,
    unicodeRegExp: false,
  }).compile(SARIF)
  return validate(JSON.parse(text))
    ? []
    : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}

/** The samples of one metric; throws where the text is none. */
export function promSamples(
  text: string,
  name: string,
): readonly {readonly value: string; readonly labels?: Readonly<Record<string, string>>}[] {
  return parsePrometheus(text).find((family) => family.name === name)?.metrics ?? []
}
