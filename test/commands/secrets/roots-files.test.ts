import {join} from 'node:path'
import {expect, test} from '@jest/globals'
import {z} from 'zod'
import {runCommand} from '../../support/run-command.ts'
import {CASES, NOW} from './saved-cases.ts'

const DOCUMENT = z.object({
  fleet: z.object({
    roots: z.array(
      z.object({
        trust_domain: z.string(),
        serial_number: z.string(),
        cert_status: z.string(),
        trusted_by: z.number(),
        leaves: z.number(),
      }),
    ),
  }),
})

/** The root that most of the files have, and whose chains end in it. */
const ROOT_A = 'mesh.example 51a7c0de9b3344f0a1 VALID 1 1'
const ROOT_B = 'mesh.example 7733aa10fe2299c4b0 VALID 1 0'
const REAL = 'cluster.local 7e572441fa29320133ab56eab4eadf84 NOT_YET_VALID 1 1'

/** Each root: trust domain, serial number, status, pods that trust it, pods whose chains end in it. */
async function rootsOf(file: string): Promise<readonly string[]> {
  const {stdout} = await runCommand(['secrets', 'roots', '-f', join(CASES, file), '--now', NOW, '-o', 'json'])
  const {fleet} = DOCUMENT.parse(JSON.parse(stdout))
  return fleet.roots.map((root) =>
    [root.trust_domain, root.serial_number, root.cert_status, root.trusted_by, root.leaves].join(' '),
  )
}

test.each([
  ['broken-certificates/config_dump.json', []],
  ['certificates-in-listeners/config_dump.json', []],
  ['chain-with-intermediates/config_dump.json', [ROOT_A]],
  ['expired-root-beside-valid/config_dump.json', [ROOT_A, 'mesh.example 34aa EXPIRED 1 0']],
  ['expired-root-beside-valid/only_expired.json', ['mesh.example 34aa EXPIRED 1 0']],
  ['gateway/config_dump.json', [ROOT_A]],
  ['generic-and-ticket-keys/config_dump.json', []],
  ['inline-text-and-base64/config_dump.json', [ROOT_A]],
  ['key-types/config_dump.json', ['mesh.example 3601 VALID 1 1', 'mesh.example 3605 VALID 1 0']],
  ['listed-but-uninitialized/config_dump.json', [' 51a7c0de9b3344f0a1 VALID 1 0']],
  ['negative-serial/config_dump.json', [ROOT_A, ROOT_B, 'mesh.example -7b11c0ffee VALID 1 0']],
  ['no-spiffe-id/config_dump.json', []],
  ['not-yet-valid/config_dump.json', [ROOT_A]],
  ['one-side-only/config_dump.json', [ROOT_A]],
  ['padded-serials/config_dump.json', ['mesh.example b1c2d3e4f5061728394a5b6c7d8e9f VALID 1 0']],
  ['real-sidecar/config_dump.json', [REAL]],
  ['real-sidecar/istioctl_pc_secret.json', [REAL]],
  ['text-around-pem/config_dump.json', [ROOT_A, ROOT_B]],
  ['update-refused/config_dump.json', [ROOT_A]],
  ['warming-placeholders/config_dump.json', [ROOT_A]],
  ['white-space-in-pem/config_dump.json', [ROOT_A]],
  ['ztunnel-formats/new.json', [ROOT_A, ROOT_B]],
  ['ztunnel-formats/old.json', [ROOT_A]],
  ['ztunnel-formats/old_plain_pem.json', [ROOT_A]],
  ['ztunnel-placeholders/config_dump.json', [ROOT_A]],
  ['ztunnel-unavailable/config_dump.json', [ROOT_A]],
])('%s has these mesh roots', async (file, roots) => {
  expect(await rootsOf(file)).toEqual(roots)
})

test('a bundle of 120 roots is 120 roots, one of them over, and the chain ends in none', async () => {
  const roots = await rootsOf('many-roots/config_dump.json')

  expect(new Set(roots).size).toBe(120)
  expect(roots.filter((root) => !root.endsWith(' VALID 1 0'))).toEqual(['mesh.example 32000039 EXPIRED 1 0'])
})
