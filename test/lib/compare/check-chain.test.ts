import {expect, test} from '@jest/globals'
import type {Certificate} from '../../../src/lib/domain/certificate.ts'
import type {Observation} from '../../../src/lib/domain/observation.ts'
import type {ChainCheck} from '../../../src/lib/domain/row.ts'
import type {SecretItem} from '../../../src/lib/domain/secret.ts'
import type {Signatures} from '../../../src/lib/domain/signatures.ts'
import {showSecrets} from '../../../src/lib/compare/show-secrets.ts'
import {agentFilesHold, bundle, chain, EXPIRED, evidence, leaf, proxyHolds, root} from './builders.ts'

const CA = root('ca', {subject: 'O=mesh.example'})
const MIDDLE = root('middle', {subject: 'CN=middle', selfSigned: false, position: 'intermediate'})
const UNDER_MIDDLE = leaf('cart', {issuer: 'CN=middle'})

/** `leaf<middle`: signed by; each self-signed one has signed itself. */
function signed(...pairs: readonly string[]): Signatures {
  const known = ['ca', 'middle', 'cart', 'other'].map((id) => [`fp-${id}`, new Set<string>()] as const)
  const issuers = new Map(known)
  for (const pair of pairs) {
    const [subject, issuer] = pair.split('<')
    issuers.get(`fp-${subject}`)?.add(`fp-${issuer}`)
  }
  return {issuers, untried: new Set()}
}

function check(observations: readonly Observation[], signatures: Signatures): ChainCheck {
  return showSecrets(evidence(observations), signatures).find((row) => row.check !== undefined)!.check!
}

function atProxy(certificates: readonly Certificate[], ...more: readonly SecretItem[]): readonly Observation[] {
  return [proxyHolds([chain('default', certificates), ...more])]
}

const {fingerprint: _fingerprint, ...FACTS} = leaf('cart')
const ROOTCA = bundle('ROOTCA', [CA])

test('a chain whose signatures lead to a root of its side is verified, and the root is named', () => {
  const found = check(atProxy([UNDER_MIDDLE, MIDDLE], ROOTCA), signed('cart<middle', 'middle<ca'))

  expect(found).toEqual({
    signedByNext: [true],
    end: 'issuer-not-included',
    verified: true,
    reason: 'signed by O=mesh.example in ROOTCA through CN=middle',
    trustedBy: {name: 'ROOTCA', root: CA},
  })
})

test('a root that came along counts for nothing where the side does not hold it', () => {
  const other = root('other', {subject: 'O=elsewhere'})

  const found = check(
    atProxy([UNDER_MIDDLE, MIDDLE, CA], bundle('ROOTCA', [other])),
    signed('cart<middle', 'middle<ca'),
  )

  expect(found).toMatchObject({signedByNext: [true, true], end: 'self-signed', verified: false})
  expect(found.reason).toBe('O=mesh.example, which it ends in, is not in ROOTCA')
  expect(found.trustedBy).toBeUndefined()
})

test('a link that is not signed is told, and where the signatures end', () => {
  const found = check(atProxy([UNDER_MIDDLE, MIDDLE], ROOTCA), signed('middle<ca'))

  expect(found).toMatchObject({signedByNext: [false], end: 'issuer-not-included', verified: false})
  expect(found.reason).toBe('its issuer CN=middle is not in ROOTCA')
})

test('a root of the right name and another key is told apart from one that is missing', () => {
  const found = check(atProxy([leaf('cart', {issuer: 'O=mesh.example'})], ROOTCA), signed())

  expect(found).toMatchObject({signedByNext: [], verified: false})
  expect(found.reason).toBe('O=mesh.example in ROOTCA has another key than the issuer of the same name')
})

test.each<[string, readonly Certificate[], Certificate, string]>([
  ['the leaf', [leaf('cart', EXPIRED)], CA, 'spiffe://mesh.example/ns/shop/sa/cart ended at 2024-03-02T10:02:00Z'],
  ['an intermediate', [UNDER_MIDDLE, {...MIDDLE, ...EXPIRED}], CA, 'CN=middle ended at 2024-03-02T10:02:00Z'],
  ['the root', [leaf('cart')], {...CA, ...EXPIRED}, 'O=mesh.example ended at 2024-03-02T10:02:00Z'],
  [
    'the root, not yet',
    [leaf('cart')],
    {...CA, notBeforeMs: Date.parse('2027-01-01T00:00:00Z')},
    'O=mesh.example starts at 2027-01-01T00:00:00Z',
  ],
])('signatures are not enough where %s is not valid now; whom they lead to is told', (_, held, anchor, reason) => {
  const found = check(
    atProxy(held, bundle('ROOTCA', [anchor])),
    signed(held.length > 1 ? 'cart<middle' : 'cart<ca', 'middle<ca'),
  )

  expect(found).toMatchObject({verified: false, reason, trustedBy: {name: 'ROOTCA'}})
})

test('who signed without being a CA is no issuer', () => {
  const found = check(atProxy([UNDER_MIDDLE, {...MIDDLE, isCa: false}], ROOTCA), signed('cart<middle', 'middle<ca'))

  expect(found).toMatchObject({verified: false, reason: 'CN=middle is no CA certificate'})
})

test('of two roots that signed it the valid one counts, and its serial tells it from the other', () => {
  const renewed = root('other', {subject: 'O=mesh.example'})

  const found = check(
    atProxy([leaf('cart')], bundle('ROOTCA', [{...CA, ...EXPIRED}, renewed])),
    signed('cart<ca', 'cart<other'),
  )

  expect(found).toMatchObject({verified: true, reason: 'signed by O=mesh.example (serial other) in ROOTCA'})
})

test('the roots of the other side and of another trust domain do not count', () => {
  const federated = bundle('ROOTCA', [CA], {type: 'SPIFFE Bundle', trustDomain: 'partner.example'})
  const own = bundle('ROOTCA', [CA], {type: 'SPIFFE Bundle', trustDomain: 'mesh.example'})
  const leaves = [leaf('cart')]

  const foreign = check(atProxy(leaves, federated), signed('cart<ca'))
  const among = check(atProxy(leaves, federated, own), signed('cart<ca'))
  const [agents] = showSecrets(
    evidence([agentFilesHold([chain('default', leaves)]), proxyHolds([ROOTCA])]),
    signed('cart<ca'),
  )

  expect(foreign).toMatchObject({verified: undefined, reason: 'no roots are known that the proxy trusts for it'})
  expect(among.verified).toBe(true)
  expect(agents?.check).toMatchObject({
    verified: undefined,
    reason: 'no roots are known that the agent trusts for it',
  })
})

test('mounted roots count where there are no others', () => {
  const mounted = bundle('file-root:/etc/certs/root.pem', [CA])

  const found = check([proxyHolds([chain('file-cert:a~b', [leaf('cart')]), mounted])], signed('cart<ca'))

  expect(found.reason).toBe('signed by O=mesh.example in file-root:/etc/certs/root.pem')
})

test('ztunnel holds its roots with each identity', () => {
  const held = proxyHolds([chain('spiffe://mesh.example/ns/shop/sa/cart', [leaf('cart'), CA, root('other')])], {
    by: {source: 'ztunnel-config-dump', route: 'port-forward'},
  })

  const found = check([held], signed('cart<ca'))

  expect(found).toMatchObject({verified: true, reason: 'signed by O=mesh.example in its own roots'})
  // One root after another is no broken chain.
  expect(found.signedByNext).toEqual([true, undefined])
})

test.each<[string, readonly Observation[], string]>([
  [
    'a certificate of a gateway',
    [proxyHolds([chain('kubernetes://edge', [leaf('cart', {spiffeIds: [], sans: ['DNS:shop']})]), ROOTCA])],
    'it is no identity of the mesh, so the mesh roots do not count for it',
  ],
  [
    'mere facts',
    [proxyHolds([chain('default', [FACTS]), ROOTCA])],
    'only facts of the certificate are known, not the certificate',
  ],
  [
    'what cannot be read',
    [proxyHolds([chain('default', [{readable: false, problem: 'cut off', position: 'leaf'}]), ROOTCA])],
    'there is no certificate that could be verified',
  ],
])('%s is neither verified nor not, and it is said why', (_, observations, reason) => {
  expect(check(observations, signed('cart<ca'))).toMatchObject({verified: undefined, reason})
})

test('what was not tried is not called unsigned', () => {
  const signatures = {...signed(), untried: new Set(['fp-cart'])}

  const found = check(atProxy([UNDER_MIDDLE, MIDDLE], ROOTCA), signatures)

  expect(found).toMatchObject({
    signedByNext: [undefined],
    verified: undefined,
    reason: 'too many certificates have the name of its issuer to try each',
  })
})

test('two intermediates that signed each other end', () => {
  const other = root('other', {subject: 'CN=other', issuer: 'CN=middle', selfSigned: false, position: 'intermediate'})

  const found = check(
    atProxy([UNDER_MIDDLE, MIDDLE, other], ROOTCA),
    signed('cart<middle', 'middle<other', 'other<middle'),
  )

  expect(found).toMatchObject({signedByNext: [true, true], end: 'issuer-not-included', verified: false})
})

test('where one root is over, another way to a valid one counts', () => {
  const old = root('other', {subject: 'CN=middle', ...EXPIRED})

  const found = check(
    atProxy([UNDER_MIDDLE, MIDDLE], bundle('ROOTCA', [old, CA])),
    signed('cart<middle', 'cart<other', 'middle<ca'),
  )

  expect(found).toMatchObject({verified: true, reason: 'signed by O=mesh.example in ROOTCA through CN=middle'})
})
