import {expect, test} from '@jest/globals'
import * as fc from 'fast-check'
import type {SecretListRow} from '../../../src/lib/domain/row.ts'
import {UNPRINTABLE} from '../../support/unprintable.ts'
import {leaks} from '../scrub/key-samples.ts'
import {readFixture} from './answers.ts'
import {insertIntoBytes, insertIntoTree, keyInsertion} from './insert-key.ts'
import {slotsOf, stringOf, textOf, treeOf} from './json-tree.ts'
import {byteMutation, mutateBytes, mutateTree, treeMutation, type TreeMutation} from './mutations.ts'
import {type Seen, seeAnswer, type Subject, type Table} from './see-answer.ts'

const SEED = 20_260_601
const CART = {namespace: 'shop', name: 'cart-7d9f6c5b8-x2k4q'}
const MASKED = 'config_dump_mask_dynamic_active_secrets_dynamic_warming_secrets'
const PROXY = {source: 'envoy-config-dump', side: 'proxy', pod: CART} as const
const NODE_AGENT = {source: 'node-agent-debug', side: 'agent'} as const
const FILES = {source: 'agent-files', side: 'agent', pod: CART} as const
const ZTUNNEL = {source: 'ztunnel-config-dump', side: 'proxy', pod: CART, isZtunnel: true} as const
const MASKED_DUMP: Subject = {
  ...PROXY,
  file: `real-istio-active/${MASKED}`,
  beside: {...FILES, file: 'real-istio-active/cert-chain.pem'},
}
const AGENT_ANSWER: Subject = {
  ...NODE_AGENT,
  pod: CART,
  file: 'only-one-side/agent.json',
  beside: {...PROXY, file: 'only-one-side/config_dump.json'},
}
const ZTUNNEL_DUMP: Subject = {...ZTUNNEL, file: 'ztunnel-unavailable/config_dump.json'}
const GATEWAY_DUMP: Subject = {...PROXY, file: `real-istio-gateway-active/${MASKED}`}
const OBJECTS = {
  side: 'agent',
  pod: {namespace: 'gw', name: 'gw-1'},
  beside: {source: 'envoy-config-dump', side: 'proxy', file: GATEWAY_DUMP.file},
} as const
const ONE_SIDE_DUMP: Subject = {
  ...PROXY,
  file: 'only-one-side/config_dump.json',
  beside: {...NODE_AGENT, file: 'only-one-side/agent.json'},
}

const JSON_ANSWERS: readonly Subject[] = [
  MASKED_DUMP,
  {...PROXY, file: 'real-istio-active/config_dump_resource_dynamic_active_secrets'},
  GATEWAY_DUMP,
  ONE_SIDE_DUMP,
  {...PROXY, file: 'error-state-nack/config_dump.json', beside: {...NODE_AGENT, file: 'error-state-nack/agent.json'}},
  {...PROXY, file: 'inline-listener-certs/config_dump.json'},
  {...PROXY, file: 'generic-and-ticket-keys/config_dump.json'},
  {...PROXY, file: 'real-istio-active/certs', source: 'envoy-certs'},
  AGENT_ANSWER,
  ZTUNNEL_DUMP,
  {...ZTUNNEL, file: 'ztunnel-blank-placeholders/config_dump.json'},
  {...ZTUNNEL, file: 'ztunnel-root-in-chain-or-apart/old.json'},
  {
    source: 'istiod-config-dump',
    side: 'agent',
    pod: {namespace: 'gw', name: 'gw-1'},
    file: 'real-istiod-gateway/config_dump_types_sds.json',
  },
  {...OBJECTS, source: 'cert-manager', file: 'gateway-objects/certificates.json'},
  {...OBJECTS, source: 'kubernetes-secret', file: 'gateway-objects/secret.json'},
]
const TEXT_ANSWERS: readonly Subject[] = [
  {...FILES, file: 'real-istio-active/cert-chain.pem', beside: {...PROXY, file: `real-istio-active/${MASKED}`}},
  {...FILES, file: 'real-istio-active/root-cert.pem'},
  {...FILES, file: 'pem-preamble/bundle.pem'},
  {...FILES, file: 'x509/leaf.der'},
  {...FILES, source: 'agent-metrics', file: 'real-grpc-proxyless/agent_metrics.txt'},
]

const tables = fc.constantFrom<Table[]>('diff', 'list', 'wide', undefined, undefined, undefined)
const cutOrNot = fc.option(fc.double({min: 0, max: 1, noNaN: true}), {nil: undefined})

/** What does not hold though it holds for every answer, however bad. */
function faultsOf({documents, tables}: Seen, size: number): string[] {
  const longest = Math.max(...[...documents, ...tables].map(({length}) => length))
  return [
    ...documents.filter((text) => !isJson(text)).map(() => 'a document that is no JSON'),
    ...tables.filter((text) => UNPRINTABLE.test(text)).map(() => 'a table with control characters'),
    // What a run prints grows with the answer and not beyond.
    ...(longest < 60_000 + 40 * size ? [] : [`${longest} characters of ${size} bytes`]),
  ]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function leaksAnywhere(seen: Seen, key: Parameters<typeof leaks>[1]): boolean {
  const printed = [...seen.documents, ...seen.tables].map((text) => Buffer.from(text))
  return [seen.scrubbed, ...printed].some((output) => leaks(output, key))
}

function mutated(file: string, mutations: readonly TreeMutation[]) {
  const tree = treeOf(JSON.parse(readFixture(file).toString()))
  for (const mutation of mutations) mutateTree(tree, mutation)
  return tree
}

test('a JSON answer, however mutated, ends in a report', async () => {
  const mutations = fc.array(treeMutation, {minLength: 1, maxLength: 4})
  const later = fc.array(byteMutation, {maxLength: 2})

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...JSON_ANSWERS),
      mutations,
      later,
      tables,
      async (subject, first, second, table) => {
        const bytes = second.reduce(mutateBytes, Buffer.from(textOf(mutated(subject.file, first))))

        const seen = await seeAnswer(subject, bytes, table)

        expect(faultsOf(seen, bytes.length)).toEqual([])
      },
    ),
    {seed: SEED, numRuns: 3000},
  )
}, 120_000)

test('a text answer, however mutated, ends in a report', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...TEXT_ANSWERS),
      fc.array(byteMutation, {minLength: 1, maxLength: 6}),
      tables,
      async (subject, mutations, table) => {
        const bytes = mutations.reduce(mutateBytes, readFixture(subject.file))

        const seen = await seeAnswer(subject, bytes, table)

        expect(faultsOf(seen, bytes.length)).toEqual([])
      },
    ),
    {seed: SEED, numRuns: 1000},
  )
}, 120_000)

test('a private key anywhere in a mutated answer comes out nowhere', async () => {
  const mutations = fc.array(treeMutation, {maxLength: 2})

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...JSON_ANSWERS),
      mutations,
      keyInsertion,
      cutOrNot,
      tables,
      async (subject, first, insertion, cut, table) => {
        const tree = mutated(subject.file, first)
        insertIntoTree(tree, insertion)
        const text = Buffer.from(textOf(tree))
        const whole = insertion.place === 'anywhere' ? insertIntoBytes(text, insertion) : text
        const bytes = cut === undefined ? whole : mutateBytes(whole, {type: 'cut', at: cut})

        const seen = await seeAnswer(subject, bytes, table)

        expect(leaksAnywhere(seen, insertion.key)).toBe(false)
        expect(faultsOf(seen, bytes.length)).toEqual([])
      },
    ),
    {seed: SEED, numRuns: 3000},
  )
}, 120_000)

test('a private key anywhere in a text answer comes out nowhere', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...TEXT_ANSWERS.filter(({file}) => !file.endsWith('.der'))),
      fc.array(byteMutation, {maxLength: 2}),
      keyInsertion,
      cutOrNot,
      tables,
      async (subject, mutations, insertion, cut, table) => {
        const whole = insertIntoBytes(mutations.reduce(mutateBytes, readFixture(subject.file)), insertion)
        const bytes = cut === undefined ? whole : mutateBytes(whole, {type: 'cut', at: cut})

        const seen = await seeAnswer(subject, bytes, table)

        expect(leaksAnywhere(seen, insertion.key)).toBe(false)
        expect(faultsOf(seen, bytes.length)).toEqual([])
      },
    ),
    {seed: SEED, numRuns: 1000},
  )
}, 120_000)

/** Answers of several secrets, the member that lists them, and the rows of the good answer. */
const LISTS: readonly (readonly [subject: Subject, members: string])[] = [
  [MASKED_DUMP, 'dynamic_active_secrets'],
  [GATEWAY_DUMP, 'dynamic_active_secrets'],
  [ONE_SIDE_DUMP, 'dynamic_active_secrets'],
  [AGENT_ANSWER, 'clients'],
  [ZTUNNEL_DUMP, 'certificates'],
]

/** What of `rows` is not among `others`, as text: rows are many, and a deep comparison of each with each is slow. */
function missing(rows: readonly SecretListRow[], others: readonly SecretListRow[]): string[] {
  const texts = new Set(others.map((row) => JSON.stringify(row)))
  return rows.map((row) => JSON.stringify(row)).filter((text) => !texts.has(text))
}

test('what hits one secret leaves the rows of the others as they were', async () => {
  const lists = await Promise.all(
    LISTS.map(async ([subject, members]) => {
      const {list} = await seeAnswer(subject, readFixture(subject.file))
      return {subject, members, list}
    }),
  )

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...lists),
      fc.nat({max: 20}),
      fc.array(treeMutation, {minLength: 1, maxLength: 3}),
      fc.option(keyInsertion, {nil: undefined}),
      async ({subject, members, list}, which, mutations, insertion) => {
        const tree = treeOf(JSON.parse(readFixture(subject.file).toString()))
        const secrets = slotsOf(tree)
          .find(({member}) => member?.name === members)
          ?.get()
        if (secrets?.kind !== 'array') throw new TypeError(`${subject.file} has no list ${members}`)
        const secret = secrets.items[which % secrets.items.length]
        if (secret === undefined) throw new TypeError(`${subject.file} has an empty list ${members}`)
        const texts = new Set(slotsOf(secret).map((slot) => stringOf(slot.get())))
        for (const mutation of mutations) mutateTree(secret, mutation)
        if (insertion !== undefined) insertIntoTree(secret, insertion)

        const {list: rows} = await seeAnswer(subject, Buffer.from(textOf(tree)))

        const untouched = list.filter(({side, name}) => side !== subject.side || !texts.has(name))
        expect(missing(untouched, rows)).toEqual([])
      },
    ),
    {seed: SEED, numRuns: 1950},
  )
}, 120_000)

test('a whole real dump, mutated and with a key in it, ends in a report without the key', async () => {
  const subject: Subject = {...PROXY, pod: {namespace: 'demo', name: 'app-1'}, file: 'real-istio-active/config_dump'}

  await fc.assert(
    fc.asyncProperty(
      fc.array(byteMutation, {maxLength: 2}),
      keyInsertion,
      tables,
      async (mutations, insertion, table) => {
        const bytes = insertIntoBytes(mutations.reduce(mutateBytes, readFixture(subject.file)), insertion)

        const seen = await seeAnswer(subject, bytes, table)

        expect(leaksAnywhere(seen, insertion.key)).toBe(false)
        expect(faultsOf(seen, bytes.length)).toEqual([])
      },
    ),
    {seed: SEED, numRuns: 50},
  )
}, 120_000)
