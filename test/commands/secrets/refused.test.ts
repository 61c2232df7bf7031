import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {documentOf, type OpenSandbox, openSandbox, settled} from '../../support/open-sandbox.ts'

const GATEWAY = 'till-gateway-istio-5f7d8c9b4-n8s3k'

const DETAILS = 'what begins at 2026-05-31T12:00:00Z is shown as active, and no TLS context has loaded it'
const REASON = `update refused: ${DETAILS}`

let zoo: OpenSandbox

beforeAll(async () => {
  zoo = await openSandbox({scenario: 'zoo'})
})

afterAll(async () => await zoo.close())

test('a certificate that the proxy refused and shows as active differs from what it goes on with', async () => {
  const ran = await zoo.run('secrets diff --settle 0 -n till --no-headers')

  expect(settled(ran.stdout)).toBe(`\
${GATEWAY}  kubernetes://refused-cert  Cert Chain  true  PRESENT  -  MISMATCH: ${REASON}  89d  SERIAL  2026-08-29T12:00:00Z  2026-05-31T12:00:00Z
${GATEWAY}  kubernetes://refused-cert  Cert Chain  true  -  ACTIVE  MISMATCH: ${REASON}  10d  SERIAL  2026-06-11T12:00:00Z  2026-03-13T12:00:00Z
${GATEWAY}  default  Cert Chain  true  PRESENT  ACTIVE  MATCH  17h  SERIAL  2026-06-02T05:00:00Z  2026-06-01T04:58:00Z
${GATEWAY}  ROOTCA  CA  true  -  ACTIVE  MATCH  9y  SERIAL  2036-04-29T12:00:00Z  2026-05-02T12:00:00Z
`)
  expect(ran.exitCode).toBe(1)
})

test('where no source tells what the agent serves, the refusal is still a failure', async () => {
  const ran = await zoo.run('secrets diff --settle 0 -n till --no-source istiod-config-dump,cert-manager -o json')

  const [item] = documentOf(ran).items
  expect(item).toMatchObject({verdict: 'fail'})
  expect(item?.secrets).toContainEqual(
    expect.objectContaining({
      resource_name: 'kubernetes://refused-cert',
      result: 'NOT_COMPARABLE',
      not_after: '2026-06-11T12:00:00Z',
      rejected: {details: DETAILS},
    }),
  )
  expect(ran.exitCode).toBe(1)
})

test('the list shows what is served, and the check fails', async () => {
  const list = await zoo.run('secrets list -n till -o json')
  const check = await zoo.run('check -n till --settle 0 -o json')

  expect(documentOf(list).items[0]?.secrets).toContainEqual(
    expect.objectContaining({
      resource_name: 'kubernetes://refused-cert',
      side: 'proxy',
      not_after: '2026-06-11T12:00:00Z',
      loaded: true,
    }),
  )
  expect(check.stdout).toContain('secret-rejected')
  expect(check.exitCode).toBe(1)
})

test('what is loaded is asked only of the pod that gives a reason, and not where it may not be', async () => {
  const healthy = await zoo.run('secrets diff --settle 0 -n edge -vv')
  const refusing = await zoo.run('secrets diff --settle 0 -n till -vv')
  const forbidden = await zoo.run('secrets diff --settle 0 -n till -vv --no-source envoy-certs')

  expect(healthy.stderr).not.toContain('envoy-certs')
  expect(refusing.stderr).toContain('envoy-certs')
  expect(forbidden.stderr).not.toContain('envoy-certs')
})

test('saved answers of a real gateway tell it, too', async () => {
  const folder = 'test/fixtures/decode/real-istio-refused'
  const ran = await zoo.run(
    `secrets list -f ${folder}/config_dump.json -f ${folder}/certs --now 2026-12-01T03:26:10Z -o json`,
  )

  expect(documentOf(ran).items[0]?.secrets).toContainEqual(
    expect.objectContaining({
      resource_name: 'kubernetes://refused-cert',
      serial_number: '2d8fa7db371d4c138fca6e012dbe0624e06a9c71',
      loaded: true,
      rejected: {
        details: 'what begins at 2026-12-01T03:25:59Z is shown as active, and no TLS context has loaded it',
      },
    }),
  )
})
