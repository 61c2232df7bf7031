import {expect, test} from '@jest/globals'
import {parseSubjectAltNames} from '../../../../src/lib/decode/x509/subject-alt-names.ts'

test.each([
  [undefined, []],
  ['URI:spiffe://td/ns/a/sa/b, DNS:a.example', ['URI:spiffe://td/ns/a/sa/b', 'DNS:a.example']],
  [String.raw`DNS:"a\u002c DNS:evil.example", DNS:b`, ['DNS:a, DNS:evil.example', 'DNS:b']],
  [String.raw`URI:"x\"\u002c URI:spiffe://evil/y"`, ['URI:x", URI:spiffe://evil/y']],
  [String.raw`DNS:"back\\slash"`, [String.raw`DNS:back\slash`]],
  ['IP Address:FE80:0:0:0:0:0:0:1, IP Address:10.0.0.7', ['IP:fe80::1', 'IP:10.0.0.7']],
  ['IP Address:<invalid length=5>', ['IP:<invalid length=5>']],
  ['othername:UPN:user@ad.example, email:a@b', ['othername', 'email:a@b']],
  ['othername:<unsupported>, Registered ID:1.2.3.4', ['othername', 'RID:1.2.3.4']],
  ['DNS:, URI:', ['DNS:', 'URI:']],
  ['DNS:"never closed', ['unknown:DNS:"never closed']],
])('%s holds %j', (display, names) => {
  expect(parseSubjectAltNames(display)).toEqual(names)
})
