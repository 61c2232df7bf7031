import {expect, test} from '@jest/globals'
import {runCommand} from '../../support/run-command.ts'
import {type Case, CASES, type Document, fileArgs, NOW} from './saved-cases.ts'
import {toldList} from './told-rows.ts'

test.each<Case>([
  {
    name: 'every odd name is a row of its own',
    folder: 'odd-names',
    files: ['config_dump.json'],
    exitCode: 0,
    rows: [
      'proxy default Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy kubernetes://shop/edge-tls Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy kubernetes-gateway://shop/edge-tls Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy kubernetes://edge-tls-cacert Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy configmap://istio-system/ca-bundle Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy file-cert:/etc/edge/tls.crt~/etc/edge/tls.key Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy file-root:/etc/edge/ca.crt Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy file-root:system Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy spiffe://mesh.example/ns/shop/sa/cart Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy builtin:// Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy - Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy a name with  two spaces\tand a tab Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy снабжение/магазин Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy -o=json Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy ..%2f..%2fetc/passwd Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy edge|tls,"quoted" Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy kubernetes://very-long-namespace-name-very-long-namespace-name-very-long-namespace-name-very-long-namespace-name-very-long-namespace-name-very-long-namespace-name-/tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls-tls- Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy default Cert Chain ACTIVE, VALID 4bc0ffee00112233445566778899aabb 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
    ],
  },
  {
    name: 'keys of all kinds are known',
    folder: 'key-types',
    files: ['config_dump.json'],
    exitCode: 0,
    rows: [
      'proxy kubernetes://edge-rsa Cert Chain ACTIVE, VALID 3602 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z RSA 2048',
      'proxy kubernetes://edge-ecdsa Cert Chain ACTIVE, VALID 3603 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy kubernetes://edge-p384 Cert Chain ACTIVE, VALID 3604 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 384',
      'proxy ROOTCA CA ACTIVE, VALID 3601 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z RSA 2048',
      'proxy ROOTCA CA ACTIVE, VALID 3605 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z Ed25519',
    ],
  },
  {
    name: 'a DER or PEM file is of the side that is said',
    folder: 'white-space-in-pem',
    files: ['proxy=wide.pem'],
    exitCode: 0,
    rows: ['proxy default Cert Chain ACTIVE, VALID 2200bb02 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256'],
  },
  {
    name: 'a chain of ztunnel may hold its root',
    folder: 'ztunnel-formats',
    files: ['old.json'],
    exitCode: 0,
    rows: [
      'proxy spiffe://mesh.example/ns/shop/sa/cart Cert Chain ACTIVE, VALID 2200bb02 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
    ],
  },
  {
    name: 'a root of ztunnel may stand apart from its chain',
    folder: 'ztunnel-formats',
    files: ['new.json'],
    exitCode: 0,
    rows: [
      'proxy spiffe://mesh.example/ns/shop/sa/cart Cert Chain ACTIVE, VALID 2200bb02 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
    ],
  },
  {
    name: 'plain PEM of an old ztunnel is read',
    folder: 'ztunnel-formats',
    files: ['old_plain_pem.json'],
    exitCode: 0,
    rows: [
      'proxy spiffe://mesh.example/ns/shop/sa/cart Cert Chain ACTIVE, VALID 2200bb02 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
    ],
  },
  {
    name: 'the certificate counts where ztunnel clamps a date',
    folder: 'far-dates',
    files: ['ztunnel.json'],
    exitCode: 0,
    rows: [
      'proxy spiffe://mesh.example/ns/shop/sa/cart Cert Chain ACTIVE, VALID 4303 1960-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
    ],
  },
  {
    name: 'placeholders of ztunnel are listed by their state',
    folder: 'ztunnel-placeholders',
    files: ['config_dump.json'],
    exitCode: 1,
    rows: [
      'proxy spiffe://mesh.example/ns/shop/sa/stock Cert Chain WARMING, EMPTY (no certificate) - - -',
      'proxy spiffe://mesh.example/ns/shop/sa/bill Cert Chain UNAVAILABLE, EMPTY (no certificate) - - -',
      'proxy spiffe://mesh.example/ns/shop/sa/cart Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
    ],
  },
  {
    name: 'refused and waited for secrets are listed by their state',
    folder: 'update-refused',
    files: ['agent.json', 'config_dump.json'],
    exitCode: 1,
    rows: [
      'agent default Cert Chain -, VALID 0a0b0c0d0e0f10111213141516171819 2025-06-01T00:00:00Z 2049-07-31T23:59:59Z EC 256',
      'agent ROOTCA CA -, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z EC 256',
      'proxy default Cert Chain ACTIVE, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z EC 256',
      'proxy ROOTCA CA ACTIVE, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z EC 256',
      'proxy kubernetes://new-edge Unknown WARMING, EMPTY (nothing given yet) - - -',
    ],
  },
  {
    name: 'an uninitialized secret fails a list too',
    folder: 'listed-but-uninitialized',
    files: ['config_dump.json'],
    exitCode: 1,
    rows: [
      'proxy default Unknown UNINITIALIZED, EMPTY (nothing given yet) - - -',
      'proxy kubernetes://edge Cert Chain UNINITIALIZED, EMPTY (no certificate) - - -',
      'proxy ROOTCA CA ACTIVE, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z EC 256',
    ],
  },
  {
    name: 'an istioctl answer of a real sidecar',
    folder: 'real-sidecar',
    files: ['istioctl_pc_secret.json'],
    now: '2026-11-30T20:00:00Z',
    exitCode: 0,
    rows: [
      'proxy default Cert Chain ACTIVE, VALID a611cc53b28bf24ee7b0f7612295e621 2026-11-30T18:41:26Z 2026-12-01T18:43:26Z RSA 2048',
      'proxy ROOTCA CA ACTIVE, VALID 7e572441fa29320133ab56eab4eadf84 2026-11-30T18:34:22Z 2036-11-27T18:34:22Z RSA 2048',
    ],
  },
])('$name', async ({folder, files, now = NOW, exitCode, failures = [], rows}) => {
  const argv = ['secrets', 'list', ...fileArgs(folder, files), '--now', now, '-o', 'json']

  const ran = await runCommand(argv)

  const {items} = JSON.parse(ran.stdout.replaceAll(`${CASES}/`, '')) as Document
  expect(items.flatMap(({secrets}) => secrets.map(toldList))).toEqual(rows)
  expect(items.flatMap((item) => item.failures.map(({code}) => code))).toEqual(failures)
  expect(ran.exitCode).toBe(exitCode)
})
