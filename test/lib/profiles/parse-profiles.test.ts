import {readdirSync, readFileSync} from 'node:fs'
import {expect, test} from '@jest/globals'
import * as z from 'zod'
import {Ajv2020} from 'ajv/dist/2020.js'
import {load} from 'js-yaml'
import {RunError} from '../../../src/lib/domain/failure.ts'
import {builtinProfiles} from '../../../src/lib/profiles/builtin.generated.ts'
import {parseProfiles} from '../../../src/lib/profiles/parse-profiles.ts'
import {profileFileSchema} from '../../../src/lib/profiles/profile-schema.ts'

const room = new URL('../../../src/lib/profiles/', import.meta.url)
const kinds = readdirSync(new URL('kinds/', room)).map((name) => ({
  name,
  text: readFileSync(new URL(`kinds/${name}`, room), 'utf8'),
}))
const schema: unknown = JSON.parse(readFileSync(new URL('profile.schema.json', room), 'utf8'))

function refusal(...texts: readonly string[]): string {
  const files = texts.map((text, index) => ({name: `${index}.yaml`, text}))
  try {
    parseProfiles(files, builtinProfiles)
  } catch (error) {
    if (error instanceof RunError && error.exit === 2) return error.message
    throw error
  }
  return 'accepted'
}

test('has built in what the files say', () => {
  expect(builtinProfiles).toEqual(parseProfiles(kinds))
})

test('publishes the schema that it reads files by', () => {
  expect(schema).toEqual(z.toJSONSchema(profileFileSchema, {io: 'input'}))
})

test.each(kinds)('accepts $name by its published schema', ({text}) => {
  if (typeof schema !== 'object' || schema === null) throw new Error('no schema')
  const validate = new Ajv2020({allowUnionTypes: true}).compile(schema)

  validate(load(text))

  expect(validate.errors).toBeNull()
})

test('puts kinds of higher priority first', () => {
  const priorities = builtinProfiles.map(({priority}) => priority)

  expect(priorities).toEqual(priorities.toSorted((a, b) => b - a))
  expect(builtinProfiles[0]?.name).toBe('istio-ztunnel')
})

test('takes from the extended kind what a file does not write', () => {
  const text = 'name: our-gateway\nextends: istio-gateway\npriority: 200\nadmin: {port: 16000}\n'

  const [ours] = parseProfiles([{name: 'ours.yaml', text}], builtinProfiles)

  const gateway = builtinProfiles.find(({name}) => name === 'istio-gateway')!
  expect(ours).toEqual({...gateway, name: 'our-gateway', priority: 200, admin: {port: 16_000}})
})

test('lets a file of the user stand for a built-in kind of the same name', () => {
  const text = 'name: istio-sidecar\nextends: istio-sidecar\nadmin: {port: 16000}\n'

  expect(parseProfiles([{name: 'ours.yaml', text}], builtinProfiles)[0]).toMatchObject({
    name: 'istio-sidecar',
    dialect: 'envoy',
    admin: {port: 16_000},
  })
})

test.each([
  ['a: [', /^Cannot use profile 0\.yaml: /],
  ['', /^Cannot use profile 0\.yaml: expected a document/],
  ['- a', /^Cannot use profile 0\.yaml: Invalid input: expected object/],
  ['name: a', /^Cannot use profile 0\.yaml: summary: /],
  ['name: a\nextends: b', /extends b, which is no kind of agent$/],
  ['name: a\nextends: a', /extends a, which is no kind of agent$/],
  ['name: a\nextends: istio-sidecar\nadmin: {port: 70000}', /admin/],
  ['name: a\nextends: istio-sidecar\nadmn: {port: 1}', /Unrecognized key: "admn"$/],
  ['name: A b\nextends: istio-sidecar', /name: /],
])('refuses the profile %j', (text, message) => {
  expect(refusal(text)).toMatch(message)
})

test('refuses kinds that extend each other, and two of one name', () => {
  expect(refusal('name: a\nextends: b', 'name: b\nextends: a')).toMatch(/kind a extends itself$/)
  expect(refusal('name: a\nextends: istio-sidecar', 'name: a\nextends: istio-sidecar')).toMatch(
    /1\.yaml: kind a is also defined by 0\.yaml$/,
  )
})

test.each([
  '/quitquitquit: []',
  '/drain: []',
  '/debug/pprof/heap: []',
  '/app-lifecycle/cart/prestopz: []',
  '/healthcheck/fail: []',
  '/logging: []',
  '/reset_counters: []',
  '/stats: [clear]',
  '/debug/adsz: [push]',
  '/a?b: []',
  '/%71uit: []',
])('refuses a profile that allows to read %s', (paths) => {
  const text = `name: a\nextends: istio-sidecar\ndebug: [{port: admin, binds: loopback, paths: {${paths}}}]\n`

  expect(refusal(text)).toMatch(/^Cannot use profile 0\.yaml: debug\.0\.paths/)
})
