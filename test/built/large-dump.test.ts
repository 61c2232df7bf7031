import {once} from 'node:events'
import {expect, test} from '@jest/globals'
import {makeCertificate, pemOf} from '../support/make-certificate.ts'
import {endOf, OUTPUTS, start} from '../support/built.ts'

const DUMP_BYTES = 200_000_000
/** Of what JavaScript keeps, in MB: a quarter of the dump. */
const HEAP_MB = 48

const [, [node, script]] = OUTPUTS[0] ?? ['', ['']]

test('of a dump of 200 MB the secrets at its end are read, in a heap far smaller than it', async () => {
  const certificate = makeCertificate({serial: Buffer.from('04a1', 'hex'), subject: 'x', uris: ['spiffe://a/b']})
  const chain = {certificate_chain: {inline_bytes: Buffer.from(pemOf(certificate)).toString('base64')}}
  const secret = {name: 'default', secret: {name: 'default', tls_certificate: chain}}
  const cluster = `${JSON.stringify({cluster: {name: 'outbound|80||a.shop', metadata: {pad: 'y'.repeat(1400)}}})},`
  const block = Buffer.from(cluster.repeat(700))
  const args = [`--max-old-space-size=${HEAP_MB}`, script ?? '', 'secrets', 'list', '-f', '-', '-o', 'ndjson']
  const child = start([node], args)
  const said: Buffer[] = []
  child.stdout?.on('data', (data: Buffer) => said.push(data))
  const end = endOf(child)

  child.stdin?.write('{"configs":[{"dynamic_active_clusters":[')
  for (let sent = 0; sent < DUMP_BYTES; sent += block.length) {
    if (child.stdin?.write(block) === false) await Promise.race([once(child.stdin, 'drain'), end])
  }
  child.stdin?.end(`{}]},{"dynamic_active_secrets":[${JSON.stringify(secret)}]}]}`)

  expect(await end).toEqual({code: 0, signal: null})
  expect(Buffer.concat(said).toString()).toContain('"serial_number":"04a1"')
}, 120_000)
