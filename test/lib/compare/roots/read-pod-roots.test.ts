import {expect, test} from '@jest/globals'
import {readPodRoots} from '../../../../src/lib/compare/roots/read-pod-roots.ts'
import type {CertificateBlock} from '../../../../src/lib/domain/certificate.ts'
import type {Observation} from '../../../../src/lib/domain/observation.ts'
import type {PodRoots} from '../../../../src/lib/domain/roots.ts'
import type {SecretItem} from '../../../../src/lib/domain/secret.ts'
import type {Signatures} from '../../../../src/lib/domain/signatures.ts'
import {agentFilesHold, bare, bundle, chain, evidence, EXPIRED, leaf, proxyHolds, root} from '../builders.ts'

const A = root('a')
const B = root('b')
const CART = leaf('cart')

/** `leaf<root`: signed by. */
function signed(...pairs: readonly string[]): Signatures {
  const issuers = new Map<string, Set<string>>()
  for (const pair of pairs) {
    const [subject = '', issuer = ''] = pair.split('<')
    issuers.set(`fp-${subject}`, (issuers.get(`fp-${subject}`) ?? new Set()).add(`fp-${issuer}`))
  }
  return {issuers, untried: new Set()}
}

const read = (observations: readonly Observation[], signatures = signed('cart<a')): PodRoots =>
  readPodRoots(evidence(observations), signatures)

const ofZtunnel = (items: readonly SecretItem[]): Observation =>
  proxyHolds(items, {by: {source: 'ztunnel-config-dump', route: 'port-forward'}})

/** Each bundle by its name and roots, and why there may be more. */
const bundlesOf = ({bundles}: PodRoots) =>
  bundles.map(({name, trustDomain = '', roots, untold = ''}) =>
    [name, trustDomain, roots.map(({certificate: {serial}, status}) => `${serial} ${status}`).join(', '), untold].join(
      ' | ',
    ),
  )

/** Each identity by what it ends in, who signed it on the way there, and where that leads nowhere: up to where. */
const leavesOf = ({leaves}: PodRoots) =>
  leaves.map(({trustDomain, endsIn, issuers, top}) => {
    const [ends, via] = [endsIn, issuers].map((all) => all.map(({serial}) => serial).join(', '))
    return [
      `${trustDomain}: ${ends}`,
      ...(via === '' ? [] : [`via ${via}`]),
      ...(top ? [`up to ${top.serial}`] : []),
    ].join(' ')
  })

test('a sidecar trusts its ROOTCA, and its chain ends in the root there that signed it', () => {
  const found = read([proxyHolds([chain('default', [CART]), bundle('ROOTCA', [A, root('old', EXPIRED)])])])

  expect(bundlesOf(found)).toEqual(['ROOTCA |  | a VALID, old EXPIRED | '])
  expect(leavesOf(found)).toEqual(['mesh.example: a'])
})

test('a gateway’s certificate for the outside, and what it checks clients with, are not of the mesh', () => {
  const outside = leaf('shop', {spiffeIds: [], sans: ['DNS:shop.example']})
  const found = read([
    proxyHolds([
      chain('kubernetes://shop-cert', [outside]),
      bundle('kubernetes://shop-cert-cacert', [B]),
      bundle('file-root:/etc/clients.pem', [B]),
      chain('default', [CART]),
      bundle('ROOTCA', [A]),
    ]),
  ])

  expect(bundlesOf(found)).toEqual(['ROOTCA |  | a VALID | '])
  expect(leavesOf(found)).toEqual(['mesh.example: a'])
})

test('an identity that is shown under several names counts once', () => {
  const found = read([proxyHolds([chain('default', [CART]), chain('builtin', [CART]), bundle('ROOTCA', [A])])])

  expect(leavesOf(found)).toEqual(['mesh.example: a'])
})

test('what a proxy waits for, or was refused, is not shown by it', () => {
  const found = read([
    proxyHolds([chain('default', [CART], {state: 'WARMING'}), bundle('ROOTCA', [A])]),
    ofZtunnel([chain('spiffe://mesh.example/ns/shop/sa/gone', [CART], {state: 'UNAVAILABLE'})]),
  ])

  expect(leavesOf(found)).toEqual([])
})

test('a root that its proxy still waits for is a bundle without roots', () => {
  const found = read([proxyHolds([chain('default', [CART]), bare('ROOTCA', {type: 'CA', state: 'WARMING'})])])

  expect(bundlesOf(found)).toEqual(['ROOTCA |  |  | '])
})

test('each trust domain has its bundle where a proxy is given one', () => {
  const found = read([
    proxyHolds([
      chain('default', [CART]),
      bundle('ROOTCA', [A], {type: 'SPIFFE Bundle', trustDomain: 'mesh.example'}),
      bundle('ROOTCA', [B], {type: 'SPIFFE Bundle', trustDomain: 'other.example'}),
    ]),
  ])

  expect(bundlesOf(found)).toEqual(['ROOTCA | mesh.example | a VALID | ', 'ROOTCA | other.example | b VALID | '])
})

test('roots from files are of the mesh where the proxy has no others and shows an identity of it', () => {
  const files = [bundle('file-root:/etc/certs/root-cert.pem', [A]), bundle('file-root:system', [B])]

  const found = read([proxyHolds([chain('file-cert:/etc/certs/cert-chain.pem~/etc/certs/key.pem', [CART]), ...files])])
  const outside = read([proxyHolds([chain('kubernetes://x', [leaf('x', {spiffeIds: []})]), ...files])])

  expect(bundlesOf(found)).toEqual(['file-root:/etc/certs/root-cert.pem |  | a VALID | '])
  expect(bundlesOf(outside)).toEqual([])
})

test('a proxyless agent is told by its files', () => {
  const found = read([agentFilesHold([chain('default', [CART]), bundle('ROOTCA', [A])])])

  expect(bundlesOf(found)).toEqual(['ROOTCA |  | a VALID | '])
  expect(leavesOf(found)).toEqual(['mesh.example: a'])
})

test('a ztunnel trusts what stands with each of its identities, which is said once where it is the same', () => {
  const search = leaf('search')
  const items = [
    chain('spiffe://mesh.example/ns/shop/sa/cart', [CART, A, B]),
    chain('spiffe://mesh.example/x', [search, A, B]),
  ]

  const found = read([ofZtunnel(items.map((item) => ({...item, rootsApart: true})))], signed('cart<a', 'search<b'))

  expect(bundlesOf(found)).toEqual(['spiffe://mesh.example/x |  | a VALID, b VALID | '])
  expect(leavesOf(found)).toEqual(['mesh.example: a via a', 'mesh.example: b via b'])
})

test('a ztunnel that shows roots within chains may trust more', () => {
  const found = read([ofZtunnel([chain('spiffe://mesh.example/ns/shop/sa/cart', [CART, A])])])

  expect(bundlesOf(found)).toEqual([
    'spiffe://mesh.example/ns/shop/sa/cart |  | a VALID | its ztunnel shows roots within chains only, as up to Istio 1.25, and may trust more',
  ])
})

test.each([
  ['a block that cannot be read', bundle('ROOTCA', [A, broken()]), '1 of the certificates in ROOTCA cannot be read'],
  ['facts alone', bundle('ROOTCA', [A, factsOf()]), 'only facts of the certificates in ROOTCA are known'],
  [
    'the name of a file',
    bare('ROOTCA', {type: 'CA', absent: {status: 'UNKNOWN', message: 'in file /etc/certs/root.pem'}}),
    'in file /etc/certs/root.pem',
  ],
])('a bundle with %s may be larger than it is told', (_, item, why) => {
  expect(read([proxyHolds([chain('default', [CART]), item])]).bundles.map(({untold}) => untold)).toEqual([why])
})

function broken(): CertificateBlock {
  return {readable: false, problem: 'certificate cut off', position: 'root'}
}

function factsOf(name = 'b') {
  const {fingerprint: _, ...facts} = root(name)
  return facts
}

test('a chain whose root is not at hand is told by its last certificate', () => {
  const middle = root('middle', {selfSigned: false, position: 'intermediate'})

  const found = read([proxyHolds([chain('default', [CART, middle]), bundle('ROOTCA', [A])])], signed('cart<middle'))

  expect(leavesOf(found)).toEqual(['mesh.example:  via middle up to middle'])
})

test('a root that came along with the chain is what it ends in, though nobody holds it', () => {
  const found = read([proxyHolds([chain('default', [CART, B]), bundle('ROOTCA', [A])])], signed('cart<b', 'b<b'))

  expect(leavesOf(found)).toEqual(['mesh.example: b via b'])
})

test('an intermediate that is trusted as a root leaves open who signed it', () => {
  const middle = root('middle', {selfSigned: false, position: 'intermediate'})

  const found = read(
    [proxyHolds([chain('default', [CART, middle]), bundle('ROOTCA', [middle])])],
    signed('cart<middle'),
  )

  expect(leavesOf(found)).toEqual(['mesh.example: middle via middle up to middle'])
})

test.each([
  ['an unreadable certificate', chain('default', [broken()]), 'not all of its chain default can be read'],
  ['an unreadable intermediate', chain('default', [CART, broken()]), 'not all of its chain default can be read'],
  ['facts alone', chain('default', [factsOf('cart')]), 'only facts of its chain default are known'],
  [
    'the name of a file',
    bare('default', {type: 'Cert Chain', absent: {status: 'UNKNOWN', message: 'in file /etc/certs/cert.pem'}}),
    'in file /etc/certs/cert.pem',
  ],
])('of an identity that is told by %s it is not known what it leads to', (_, item, why) => {
  expect(read([proxyHolds([item, bundle('ROOTCA', [A])])]).untoldLeaf).toBe(why)
})

test('of an identity of a ztunnel whose certificate cannot be read it is not known what it leads to', () => {
  expect(read([ofZtunnel([chain('spiffe://mesh.example/ns/shop/sa/cart', [broken()])])]).untoldLeaf).toBe(
    'not all of its chain spiffe://mesh.example/ns/shop/sa/cart can be read',
  )
})

test('of a gateway’s unreadable certificate for the outside nothing is said', () => {
  expect(read([proxyHolds([chain('kubernetes://shop-cert', [broken()])])]).untoldLeaf).toBeUndefined()
})
