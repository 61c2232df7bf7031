import {generateKeyPairSync} from 'node:crypto'
import {mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {gzipSync} from 'node:zlib'
import {expect, test} from '@jest/globals'
import {runCommand} from '../../support/run-command.ts'
import {type Case, CASES, type Document, fileArgs, NOW} from './saved-cases.ts'
import {toldDiff} from './told-rows.ts'

test.each<Case>([
  {
    name: 'secrets that are only waited for are WARMING without a certificate',
    folder: 'warming-placeholders',
    files: ['config_dump.json'],
    exitCode: 1,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
      'kubernetes://shop-tls Unknown -/WARMING PROXY_WARMING by none, EMPTY (nothing given yet) - - -',
      'oauth-token Unknown -/WARMING PROXY_WARMING by none, EMPTY (nothing given yet) - - -',
      'no-secret-at-all Unknown -/WARMING PROXY_WARMING by none, EMPTY (nothing given yet) - - -',
    ],
  },
  {
    name: 'a secret listed as active that was never taken up is UNINITIALIZED',
    folder: 'listed-but-uninitialized',
    files: ['config_dump.json'],
    exitCode: 1,
    rows: [
      'default Unknown -/UNINITIALIZED PROXY_WARMING: listed as active, but nothing was taken up by none, EMPTY (nothing given yet) - - -',
      'kubernetes://edge Cert Chain -/UNINITIALIZED PROXY_WARMING: listed as active, but nothing was taken up by none, EMPTY (no certificate) - - -',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: 'a refused update leaves the certificate in use, and says why',
    folder: 'update-refused',
    files: ['agent.json', 'config_dump.json'],
    exitCode: 1,
    rows: [
      'default Cert Chain PRESENT/- MISMATCH: update refused at 2026-05-31T22:40:11.532Z: Failed to load certificate chain from <inline> by fingerprint, VALID 0a0b0c0d0e0f10111213141516171819 2025-06-01T00:00:00Z 2049-07-31T23:59:59Z',
      'default Cert Chain -/ACTIVE MISMATCH: update refused at 2026-05-31T22:40:11.532Z: Failed to load certificate chain from <inline> by fingerprint, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ROOTCA CA PRESENT/ACTIVE MATCH by fingerprint, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
      'kubernetes://new-edge Unknown -/WARMING PROXY_WARMING: update refused at 2026-05-31T22:40:11.500Z: Failed to load private key from <inline>, Cause: error:0b000074:X.509 certificate routines:OPENSSL_internal:KEY_VALUES_MISMATCH by none, EMPTY (nothing given yet) - - -',
    ],
  },
  {
    name: 'inline text and any base64 of one certificate match',
    folder: 'inline-text-and-base64',
    files: ['agent.json', 'config_dump.json'],
    exitCode: 0,
    rows: [
      'default Cert Chain PRESENT/ACTIVE MATCH by fingerprint, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ROOTCA CA PRESENT/ACTIVE MATCH by fingerprint, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
      'wrapped-base64 Cert Chain PRESENT/ACTIVE MATCH by fingerprint, VALID 4bc0ffee00112233445566778899aabb 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
    ],
  },
  {
    name: 'generic secrets and ticket keys are no certificates',
    folder: 'generic-and-ticket-keys',
    files: ['config_dump.json'],
    exitCode: 0,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'oauth-hmac Generic -/ACTIVE NOT_COMPARABLE: no source by none, - - - -',
      'api-keys Generic -/ACTIVE NOT_COMPARABLE: no source by none, - - - -',
      'ticket-keys Ticket Keys -/ACTIVE NOT_COMPARABLE: no source by none, - - - -',
    ],
  },
  {
    name: 'certificates inside listeners and clusters are read where there is no secrets section',
    folder: 'certificates-in-listeners',
    files: ['config_dump.json'],
    exitCode: 0,
    rows: [
      '- Cert Chain -/STATIC NOT_COMPARABLE: no source by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      '- CA -/STATIC NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
      '- CA -/STATIC NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
      '- CA -/STATIC NOT_COMPARABLE: no source by none, VALID 7733aa10fe2299c4b0 2024-06-01T00:00:00Z 2049-11-30T23:59:59Z',
    ],
  },
  {
    name: 'a dump whose sections are null holds no secrets',
    folder: 'no-secrets',
    files: ['configs_null.json'],
    exitCode: 3,
    failures: ['empty-answer'],
    rows: [],
  },
  {
    name: 'a dump without sections holds no secrets',
    folder: 'no-secrets',
    files: ['empty_object.json'],
    exitCode: 3,
    failures: ['empty-answer'],
    rows: [],
  },
  {
    name: 'a dump with an empty section holds no secrets',
    folder: 'no-secrets',
    files: ['empty_section.json'],
    exitCode: 3,
    failures: ['empty-answer'],
    rows: [],
  },
  {
    name: 'a dump without a secrets section holds no secrets',
    folder: 'no-secrets',
    files: ['no_section.json'],
    exitCode: 3,
    failures: ['empty-answer'],
    rows: [],
  },
  {
    name: 'a dump with null lists holds no secrets',
    folder: 'no-secrets',
    files: ['nulls.json'],
    exitCode: 3,
    failures: ['empty-answer'],
    rows: [],
  },
  {
    name: 'what only the agent holds is ONLY_AGENT at a proxy without secrets',
    folder: 'no-secrets',
    files: ['no_section.json', '../update-refused/agent.json'],
    exitCode: 1,
    rows: [
      'default Cert Chain PRESENT/- ONLY_AGENT by presence, VALID 0a0b0c0d0e0f10111213141516171819 2025-06-01T00:00:00Z 2049-07-31T23:59:59Z',
      'ROOTCA CA PRESENT/- ONLY_AGENT by presence, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: 'dates of /certs are judged by themselves, not by its days',
    folder: 'certs-endpoint',
    files: ['certs.json'],
    now: '2026-06-01T00:00:00Z',
    exitCode: 1,
    rows: [
      '<inline> Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 1300000000000000000000000000aa01 2026-05-31T03:00:00Z 2026-06-01T03:00:00Z',
      '<inline> CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
      '<inline> Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, EXPIRED 1300000000000000000000000000aa02 2026-05-30T23:57:00Z 2026-05-31T23:57:00Z',
      '/etc/edge/tls.crt Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, EXPIRED 6d2e8fa1b3c4566778899aab1c2d3e4f 2024-03-01T10:00:00Z 2024-03-02T10:02:00Z',
      '<inline> CA -/ACTIVE NOT_COMPARABLE: no source by none, INVALID (inconsistent dates) - - -',
      '<inline> CA -/ACTIVE NOT_COMPARABLE: no source by none, UNKNOWN (the answer gives no dates) - - -',
    ],
  },
  {
    name: 'a refused field mask is a failure of the proxy',
    folder: 'refusals',
    files: ['400_mask.txt'],
    exitCode: 4,
    failures: ['bad-request'],
    rows: [],
  },
  {
    name: 'a refused method is a failure of the proxy',
    folder: 'refusals',
    files: ['400_method.txt'],
    exitCode: 4,
    failures: ['bad-request'],
    rows: [],
  },
  {
    name: 'an unknown path without a body is a failure of the proxy',
    folder: 'refusals',
    files: ['404_empty.txt'],
    exitCode: 4,
    failures: ['path-unknown'],
    rows: [],
  },
  {
    name: 'an unknown path is a failure of the proxy',
    folder: 'refusals',
    files: ['404_path.txt'],
    exitCode: 4,
    failures: ['path-unknown'],
    rows: [],
  },
  {
    name: 'an unknown resource is a failure of the proxy',
    folder: 'refusals',
    files: ['404_resource.txt'],
    exitCode: 4,
    failures: ['path-unknown'],
    rows: [],
  },
  {
    name: 'the page of a proxy in between is a failure of the proxy',
    folder: 'refusals',
    files: ['502_html.txt'],
    exitCode: 4,
    failures: ['proxy-in-between'],
    rows: [],
  },
  {
    name: 'a text of the data plane is a failure of the proxy',
    folder: 'refusals',
    files: ['503_plain.txt'],
    exitCode: 4,
    failures: ['not-an-admin-port'],
    rows: [],
  },
  {
    name: 'a refusal leaves the agent side with its rows',
    folder: 'refusals',
    files: ['404_path.txt', '../update-refused/agent.json'],
    exitCode: 3,
    failures: ['path-unknown'],
    rows: [
      'default Cert Chain PRESENT/- NOT_COMPARABLE: Cannot read the Envoy config dump from refusals/404_path.txt: HTTP 404, invalid path. admin commands are by none, VALID 0a0b0c0d0e0f10111213141516171819 2025-06-01T00:00:00Z 2049-07-31T23:59:59Z',
      'ROOTCA CA PRESENT/- NOT_COMPARABLE: Cannot read the Envoy config dump from refusals/404_path.txt: HTTP 404, invalid path. admin commands are by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: 'lines before the JSON are skipped',
    folder: 'noise-around-json',
    files: ['stdout.txt'],
    exitCode: 0,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: 'lines after the JSON are skipped',
    folder: 'noise-around-json',
    files: ['after.txt'],
    exitCode: 0,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: 'an answer cut off inside a certificate gives no row',
    folder: 'cut-off',
    files: ['cut_in_base64.json'],
    exitCode: 4,
    failures: ['cut-off'],
    rows: [],
  },
  {
    name: 'an answer cut off behind a certificate gives no row',
    folder: 'cut-off',
    files: ['cut_after_object.json'],
    exitCode: 4,
    failures: ['cut-off'],
    rows: [],
  },
  {
    name: 'serials with a leading zero are the same number',
    folder: 'padded-serials',
    files: ['certs.json', 'config_dump.json'],
    exitCode: 0,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 04a1b2c3d4e5f60718293a4b5c6d7e8f 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID b1c2d3e4f5061728394a5b6c7d8e9f 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
    ],
  },
  {
    name: 'a root with a negative serial is a root like another',
    folder: 'negative-serial',
    files: ['config_dump.json', 'agent=bundle.pem'],
    exitCode: 0,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ROOTCA CA PRESENT/ACTIVE MATCH by fingerprint, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
      'ROOTCA CA PRESENT/ACTIVE MATCH by fingerprint, VALID -7b11c0ffee 2025-01-01T00:00:00Z 2049-06-30T00:00:00Z',
      'ROOTCA CA PRESENT/ACTIVE MATCH by fingerprint, VALID 7733aa10fe2299c4b0 2024-06-01T00:00:00Z 2049-11-30T23:59:59Z',
    ],
  },
  {
    name: 'white space does not tell certificates apart',
    folder: 'white-space-in-pem',
    files: ['config_dump.json', 'agent.json'],
    exitCode: 0,
    rows: [
      'default Cert Chain PRESENT/ACTIVE MATCH by fingerprint, VALID 2200bb02 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ROOTCA CA PRESENT/ACTIVE MATCH by fingerprint, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: 'lines of any width are one PEM',
    folder: 'white-space-in-pem',
    files: ['config_dump.json', 'agent=wide.pem'],
    exitCode: 0,
    rows: [
      'default Cert Chain PRESENT/ACTIVE MATCH by fingerprint, VALID 2200bb02 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: 'text between certificates is passed over',
    folder: 'text-around-pem',
    files: ['config_dump.json', 'agent=bundle.pem'],
    exitCode: 0,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ROOTCA CA PRESENT/ACTIVE MATCH by fingerprint, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
      'ROOTCA CA PRESENT/ACTIVE MATCH by fingerprint, VALID 7733aa10fe2299c4b0 2024-06-01T00:00:00Z 2049-11-30T23:59:59Z',
    ],
  },
  {
    name: 'each broken certificate has its own reason, beside a good one',
    folder: 'broken-certificates',
    files: ['config_dump.json'],
    exitCode: 1,
    rows: [
      'not-der Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, INVALID (PEM block is no certificate) - - -',
      'cut-der Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, INVALID (certificate cut off) - - -',
      'no-pem Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, INVALID (no PEM block) - - -',
      'request-label Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, INVALID (PEM label CERTIFICATE REQUEST, not CERTIFICATE) - - -',
      'double-base64 Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, INVALID (base64 text inside base64) - - -',
      'empty Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, EMPTY (no certificate) - - -',
      'first-good-second-bad Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID (intermediate in the chain: PEM block is no certificate) 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
    ],
  },
  {
    name: 'an expired root beside a valid one is a warning',
    folder: 'expired-root-beside-valid',
    files: ['config_dump.json'],
    exitCode: 0,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, EXPIRED 34aa 2024-03-01T10:00:00Z 2024-03-02T10:02:00Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: 'a bundle with nothing but an expired root fails',
    folder: 'expired-root-beside-valid',
    files: ['only_expired.json'],
    exitCode: 1,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, EXPIRED 34aa 2024-03-01T10:00:00Z 2024-03-02T10:02:00Z',
    ],
  },
  {
    name: 'a certificate of the future is NOT_YET_VALID',
    folder: 'not-yet-valid',
    files: ['config_dump.json'],
    exitCode: 1,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, NOT_YET_VALID 3790 2090-01-01T00:00:00Z 2091-01-01T00:00:00Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: '20 seconds before its start a certificate is not yet valid',
    folder: 'valid-for-a-day',
    files: ['config_dump.json'],
    now: '2026-06-01T00:00:00Z',
    exitCode: 1,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, NOT_YET_VALID 38c10c 2026-06-01T00:00:20Z 2026-06-02T00:00:20Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: '1 second before its start a certificate is not yet valid',
    folder: 'valid-for-a-day',
    files: ['config_dump.json'],
    now: '2026-06-01T00:00:19Z',
    exitCode: 1,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, NOT_YET_VALID 38c10c 2026-06-01T00:00:20Z 2026-06-02T00:00:20Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: 'the first second belongs to a certificate',
    folder: 'valid-for-a-day',
    files: ['config_dump.json'],
    now: '2026-06-01T00:00:20Z',
    exitCode: 0,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 38c10c 2026-06-01T00:00:20Z 2026-06-02T00:00:20Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: 'the last second belongs to a certificate',
    folder: 'valid-for-a-day',
    files: ['config_dump.json'],
    now: '2026-06-02T00:00:20.999Z',
    exitCode: 0,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 38c10c 2026-06-01T00:00:20Z 2026-06-02T00:00:20Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: 'after its last second a certificate is expired',
    folder: 'valid-for-a-day',
    files: ['config_dump.json'],
    now: '2026-06-02T00:00:21Z',
    exitCode: 1,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, EXPIRED 38c10c 2026-06-01T00:00:20Z 2026-06-02T00:00:20Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: 'an answer behind its HTTP head is read',
    folder: 'valid-for-a-day',
    files: ['http_answer.txt'],
    exitCode: 0,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 38c10c 2026-06-01T00:00:20Z 2026-06-02T00:00:20Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: 'a certificate without a SPIFFE id is read',
    folder: 'no-spiffe-id',
    files: ['config_dump.json'],
    exitCode: 0,
    rows: [
      'file-cert:/etc/cart/tls.crt~/etc/cart/tls.key Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 4001 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'kubernetes://edge Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 4002 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 4001 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
    ],
  },
  {
    name: 'dates of any century are exact',
    folder: 'far-dates',
    files: ['config_dump.json'],
    exitCode: 1,
    rows: [
      'ends 2055 (GeneralizedTime) Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 4301 2025-01-01T00:00:00Z 2055-12-31T23:59:59Z',
      'never ends (9999) Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 4302 2025-01-01T00:00:00Z 9999-12-31T23:59:59Z',
      'starts 1960 Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 4303 1960-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ended 1999 Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, EXPIRED 4304 1998-01-01T00:00:00Z 1999-12-31T23:59:59Z',
      'end before start Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, EXPIRED (it ends before it starts) 4305 2026-01-01T00:00:00Z 2025-01-01T00:00:00Z',
    ],
  },
  {
    name: 'a chain with an expired intermediate fails, though its leaf is valid',
    folder: 'chain-with-intermediates',
    files: ['config_dump.json'],
    exitCode: 1,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID (intermediate 44aa ended at 2024-03-02T10:02:00Z) 44bb 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'default-2 Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 2200bb02 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: 'a proxy that kept the old certificate is stale',
    folder: 'proxy-stale',
    files: ['agent.json', 'config_dump.json'],
    exitCode: 1,
    rows: [
      'default Cert Chain PRESENT/- MISMATCH: proxy is stale by fingerprint, VALID 46a2 2026-06-01T06:00:00Z 2026-06-02T06:02:00Z',
      'default Cert Chain -/ACTIVE MISMATCH: proxy is stale by fingerprint, EXPIRED 46a1 2026-05-31T10:00:00Z 2026-06-01T10:02:00Z',
      'ROOTCA CA PRESENT/ACTIVE MATCH by fingerprint, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
    ],
  },
  {
    name: 'an agent that kept the old certificate is stale',
    folder: 'agent-stale',
    files: ['agent.json', 'config_dump.json'],
    exitCode: 1,
    rows: [
      'default Cert Chain PRESENT/- MISMATCH: agent is stale by fingerprint, EXPIRED 46a1 2026-05-31T10:00:00Z 2026-06-01T10:02:00Z',
      'default Cert Chain -/ACTIVE MISMATCH: agent is stale by fingerprint, VALID 46a2 2026-06-01T06:00:00Z 2026-06-02T06:02:00Z',
    ],
  },
  {
    name: 'an agent that answers with an error leaves the proxy side with its rows',
    folder: 'agent-says-nothing',
    files: ['config_dump.json', '500.txt'],
    exitCode: 3,
    failures: ['bad-payload'],
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: Cannot read the secrets of the node agent from agent-says-nothing/500.txt: answered with debug endpoint failure: json: unsupported value by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
    ],
  },
  {
    name: 'an agent without clients is no match and no mismatch',
    folder: 'agent-says-nothing',
    files: ['config_dump.json', 'no_clients.json'],
    exitCode: 3,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: the agent lists no secrets of this pod by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
    ],
  },
  {
    name: 'an agent with null clients is no match and no mismatch',
    folder: 'agent-says-nothing',
    files: ['config_dump.json', 'null.json'],
    exitCode: 3,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: the agent lists no secrets of this pod by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
    ],
  },
  {
    name: 'two empty certificates are not the same certificate',
    folder: 'agent-says-nothing',
    files: ['config_dump.json', 'empty_strings.json'],
    exitCode: 3,
    rows: [
      'default Cert Chain PRESENT/ACTIVE NOT_COMPARABLE: no certificate by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ROOTCA Unknown PRESENT/- NOT_COMPARABLE: no certificate by none, EMPTY (no certificate) - - -',
    ],
  },
  {
    name: 'what one side alone holds is said, and what the proxy waits for',
    folder: 'one-side-only',
    files: ['agent.json', 'config_dump.json'],
    exitCode: 1,
    rows: [
      'default Cert Chain PRESENT/ACTIVE MATCH by fingerprint, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ROOTCA CA PRESENT/ACTIVE MATCH by fingerprint, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
      'kubernetes://edge Cert Chain -/ACTIVE ONLY_PROXY by presence, VALID 4bc0ffee00112233445566778899aabb 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'extra Cert Chain PRESENT/WARMING PROXY_WARMING by presence, VALID 4bc0ffee00112233445566778899aabb 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
    ],
  },
  {
    name: 'placeholders of ztunnel with empty texts hold no certificate',
    folder: 'ztunnel-placeholders',
    files: ['config_dump.json'],
    exitCode: 1,
    rows: [
      'spiffe://mesh.example/ns/shop/sa/stock Cert Chain -/WARMING PROXY_WARMING by none, EMPTY (no certificate) - - -',
      'spiffe://mesh.example/ns/shop/sa/bill Cert Chain -/UNAVAILABLE NOT_COMPARABLE: unavailable by none, EMPTY (no certificate) - - -',
      'spiffe://mesh.example/ns/shop/sa/cart Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
    ],
  },
  {
    name: 'ztunnel that was denied a certificate says why',
    folder: 'ztunnel-unavailable',
    files: ['config_dump.json'],
    exitCode: 1,
    rows: [
      'spiffe://mesh.example/ns/shop/sa/stock Cert Chain -/UNAVAILABLE NOT_COMPARABLE: signing gRPC error (The service is currently unavailable): error trying to connect: "istiod.istio-system.svc:15012":\n\ttls: <bad & expired> by none, EMPTY (signing gRPC error (The service is currently unavailable): error trying to connect: "istiod.istio-system.svc:15012":\n\ttls: <bad & expired>) - - -',
      'spiffe://mesh.example/ns/shop/sa/cart Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'spiffe://mesh.example/ns/shop/sa/cart Cert Chain -/WARMING NOT_COMPARABLE: also held as ACTIVE by none, EMPTY (no certificate) - - -',
    ],
  },
  {
    name: 'ztunnel without certificates is not well for that',
    folder: 'ztunnel-unavailable',
    files: ['empty.json'],
    exitCode: 3,
    failures: ['empty-answer'],
    rows: [],
  },
  {
    name: 'each secret of a gateway is judged by itself',
    folder: 'gateway',
    files: ['config_dump.json'],
    exitCode: 1,
    rows: [
      'default Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 5c1d7e90a2b34455667788990a1b2c3d 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 51a7c0de9b3344f0a1 2024-01-01T00:00:00Z 2049-12-31T23:59:59Z',
      'kubernetes://shop-tls Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, VALID 4bc0ffee00112233445566778899aabb 2025-01-01T00:00:00Z 2049-06-30T23:59:59Z',
      'kubernetes://old-tls Cert Chain -/ACTIVE NOT_COMPARABLE: no source by none, EXPIRED 6d2e8fa1b3c4566778899aab1c2d3e4f 2024-03-01T10:00:00Z 2024-03-02T10:02:00Z',
      'kubernetes://shop-tls-cacert CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 7733aa10fe2299c4b0 2024-06-01T00:00:00Z 2049-11-30T23:59:59Z',
      'kubernetes://new-tls Unknown -/WARMING PROXY_WARMING by none, EMPTY (nothing given yet) - - -',
    ],
  },
  {
    name: 'certificate files of the agent against what the proxy runs',
    folder: 'real-sidecar',
    files: ['istioctl_pc_secret.json', 'agent=cert-chain.pem', 'agent=root-cert.pem'],
    now: '2026-11-30T20:00:00Z',
    exitCode: 0,
    rows: [
      'default Cert Chain PRESENT/ACTIVE MATCH by fingerprint, VALID a611cc53b28bf24ee7b0f7612295e621 2026-11-30T18:41:26Z 2026-12-01T18:43:26Z',
      'ROOTCA CA PRESENT/ACTIVE MATCH by fingerprint, VALID 7e572441fa29320133ab56eab4eadf84 2026-11-30T18:34:22Z 2036-11-27T18:34:22Z',
    ],
  },
  {
    name: 'a metric that counts to the same second matches by expiry',
    folder: 'real-sidecar',
    files: ['istioctl_pc_secret.json', 'agent_metrics.txt'],
    now: '2026-11-30T18:43:45Z',
    exitCode: 0,
    rows: [
      'default Cert Chain PRESENT/ACTIVE MATCH by expiry, VALID a611cc53b28bf24ee7b0f7612295e621 2026-11-30T18:41:26Z 2026-12-01T18:43:26Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 7e572441fa29320133ab56eab4eadf84 2026-11-30T18:34:22Z 2036-11-27T18:34:22Z',
    ],
  },
  {
    name: 'another expiry than the metric counts to is another certificate',
    folder: 'real-sidecar',
    files: ['config_dump.json', 'agent_metrics.txt'],
    now: '2026-11-30T18:43:45Z',
    exitCode: 1,
    rows: [
      'default Cert Chain PRESENT/- MISMATCH: proxy is stale by expiry, VALID - - 2026-12-01T18:43:26Z',
      'default Cert Chain -/ACTIVE MISMATCH: proxy is stale by expiry, VALID 213d80f0f7a9cae2bd1ce061225658ec 2026-11-30T18:33:35Z 2026-12-01T18:35:35Z',
      'ROOTCA CA -/ACTIVE NOT_COMPARABLE: no source by none, VALID 7e572441fa29320133ab56eab4eadf84 2026-11-30T18:34:22Z 2036-11-27T18:34:22Z',
    ],
  },
])('$name', async ({folder, files, now = NOW, exitCode, failures = [], rows}) => {
  const argv = ['secrets', 'diff', ...fileArgs(folder, files), '--now', now, '-o', 'json']

  const ran = await runCommand(argv)

  const {items} = JSON.parse(ran.stdout.replaceAll(`${CASES}/`, '')) as Document
  expect(items.flatMap(({secrets}) => secrets.map(toldDiff))).toEqual(rows)
  expect(items.flatMap((item) => item.failures.map(({code}) => code))).toEqual(failures)
  expect(ran.exitCode).toBe(exitCode)
})

async function table(folder: string, files: readonly string[]): Promise<string> {
  const {stdout, stderr} = await runCommand(['secrets', 'diff', ...fileArgs(folder, files), '--now', NOW])
  return `${stdout}\n${stderr}`.replaceAll(`${CASES}/`, '')
}

test('the table says once why an update was refused', async () => {
  expect(await table('update-refused', ['agent.json', 'config_dump.json'])).toMatchInlineSnapshot(`
"POD                   RESOURCE NAME          TYPE        VALID CERT     NODE AGENT  PROXY    RESULT                                                                                                                                                                                      LEFT  SERIAL NUMBER                     NOT AFTER             NOT BEFORE
cart-7d9f6c5b8-x2k4q  default                Cert Chain  true           PRESENT     -        MISMATCH: update refused at 2026-05-31T22:40:11.532Z: Failed to load certificate chain from <inline>                                                                                        23y   0a0b0c0d0e0f10111213141516171819  2049-07-31T23:59:59Z  2025-06-01T00:00:00Z
cart-7d9f6c5b8-x2k4q  default                Cert Chain  true           -           ACTIVE   MISMATCH: update refused at 2026-05-31T22:40:11.532Z: Failed to load certificate chain from <inline>                                                                                        23y   5c1d7e90a2b34455667788990a1b2c3d  2049-06-30T23:59:59Z  2025-01-01T00:00:00Z
cart-7d9f6c5b8-x2k4q  kubernetes://new-edge  Unknown     false (EMPTY)  -           WARMING  PROXY_WARMING: update refused at 2026-05-31T22:40:11.500Z: Failed to load private key from <inline>, Cause: error:0b000074:X.509 certificate routines:OPENSSL_internal:KEY_VALUES_MISMATCH  -     -                                 -                     -
cart-7d9f6c5b8-x2k4q  ROOTCA                 CA          true           PRESENT     ACTIVE   MATCH                                                                                                                                                                                       23y   51a7c0de9b3344f0a1                2049-12-31T23:59:59Z  2024-01-01T00:00:00Z

1 pod: 0 match, 1 mismatch
"
`)
})

test('the table of a stale proxy shows both certificates', async () => {
  expect(await table('proxy-stale', ['agent.json', 'config_dump.json'])).toMatchInlineSnapshot(`
"POD                   RESOURCE NAME  TYPE        VALID CERT       NODE AGENT  PROXY   RESULT                    LEFT  SERIAL NUMBER       NOT AFTER             NOT BEFORE
cart-7d9f6c5b8-x2k4q  default        Cert Chain  true             PRESENT     -       MISMATCH: proxy is stale  18h   46a2                2026-06-02T06:02:00Z  2026-06-01T06:00:00Z
cart-7d9f6c5b8-x2k4q  default        Cert Chain  false (EXPIRED)  -           ACTIVE  MISMATCH: proxy is stale  -1h   46a1                2026-06-01T10:02:00Z  2026-05-31T10:00:00Z
cart-7d9f6c5b8-x2k4q  ROOTCA         CA          true             PRESENT     ACTIVE  MATCH                     23y   51a7c0de9b3344f0a1  2049-12-31T23:59:59Z  2024-01-01T00:00:00Z

1 pod: 0 match, 1 mismatch
"
`)
})

test('the table folds a bundle of many roots', async () => {
  expect(await table('many-roots', ['config_dump.json'])).toMatchInlineSnapshot(`
"POD                   RESOURCE NAME  TYPE        VALID CERT  NODE AGENT  PROXY   RESULT                                           LEFT  SERIAL NUMBER                     NOT AFTER             NOT BEFORE
cart-7d9f6c5b8-x2k4q  ROOTCA         CA          true        -           ACTIVE  NOT_COMPARABLE: no source, 121 roots, 1 expired  23y   -                                 2049-06-30T23:59:59Z  -
cart-7d9f6c5b8-x2k4q  default        Cert Chain  true        -           ACTIVE  NOT_COMPARABLE: no source                        23y   5c1d7e90a2b34455667788990a1b2c3d  2049-06-30T23:59:59Z  2025-01-01T00:00:00Z

1 pod: 0 match, 1 not compared
"
`)
})

test('the table tells what is wrong in a chain whose leaf is valid', async () => {
  expect(await table('chain-with-intermediates', ['config_dump.json'])).toMatchInlineSnapshot(`
"POD                   RESOURCE NAME  TYPE        VALID CERT                                              NODE AGENT  PROXY   RESULT                                                                         LEFT  SERIAL NUMBER       NOT AFTER             NOT BEFORE
cart-7d9f6c5b8-x2k4q  default        Cert Chain  true (intermediate 44aa ended at 2024-03-02T10:02:00Z)  -           ACTIVE  NOT_COMPARABLE: no source, CN=root-A,O=mesh.example stands twice in the chain  23y   44bb                2049-06-30T23:59:59Z  2025-01-01T00:00:00Z
cart-7d9f6c5b8-x2k4q  default-2      Cert Chain  true                                                    -           ACTIVE  NOT_COMPARABLE: no source                                                      23y   2200bb02            2049-06-30T23:59:59Z  2025-01-01T00:00:00Z
cart-7d9f6c5b8-x2k4q  ROOTCA         CA          true                                                    -           ACTIVE  NOT_COMPARABLE: no source                                                      23y   51a7c0de9b3344f0a1  2049-12-31T23:59:59Z  2024-01-01T00:00:00Z

1 pod: 0 match, 1 not valid
"
`)
})

test('the table of a pod that could not be read says why, and what to do', async () => {
  expect(await table('refusals', ['404_path.txt'])).toMatchInlineSnapshot(`
"POD       RESOURCE NAME  TYPE  VALID CERT  NODE AGENT  PROXY  RESULT  LEFT  SERIAL NUMBER  NOT AFTER  NOT BEFORE
404_path  -              -     -           -           -      UNKNOWN: Cannot read the Envoy config dump from refusals/404_path.txt: HTTP 404, invalid path. admin commands are

Warning: Cannot read the Envoy config dump from refusals/404_path.txt: HTTP 404, invalid path. admin commands are
Hint: Another program may listen on this port: name the right one with --proxy-admin-port
1 pod: 0 match, 1 unknown
"
`)
})

test('noise around an answer, and what waits for nothing, is said once on stderr', async () => {
  const noise = await runCommand(['secrets', 'diff', ...fileArgs('noise-around-json', ['stdout.txt'])])
  const inline = await runCommand(['secrets', 'diff', ...fileArgs('certificates-in-listeners', ['config_dump.json'])])

  expect(noise.stderr).toContain('Note: shop/cart-7d9f6c5b8-x2k4q: skipped 2 lines before the JSON\n')
  expect(inline.stderr).toContain('SDS secret ROOTCA is waited for by listener public_listener:10.20.3.14:20000')
  expect(inline.stdout).toContain('(listener public_listener:10.20.3.14:20000)')
})

test('standard input is a file like another', async () => {
  const stdin = readFileSync(join(CASES, 'proxy-stale/config_dump.json'), 'utf8')

  const ran = await runCommand(
    ['secrets', 'diff', '-f', '-', ...fileArgs('proxy-stale', ['agent.json']), '--now', NOW, '-o', 'name'],
    {stdin},
  )

  expect(ran).toMatchObject({stdout: 'pod/cart-7d9f6c5b8-x2k4q.shop\n', exitCode: 1})
})

test('certificates that are said to be of the proxy do not count for the agent', async () => {
  const {stdout} = await runCommand([
    'secrets',
    'diff',
    ...fileArgs('white-space-in-pem', ['proxy=wide.pem']),
    '-o',
    'jsonpath={.items[0].sides.agent.state} {.items[0].sides.proxy.state} {.items[0].secrets[0].state}',
  ])

  expect(stdout).toBe('none read ACTIVE')
})

test('a second whole dump of one proxy is not mixed with the first', async () => {
  const files = ['config_dump.json', '../agent-stale/config_dump.json', 'agent.json']

  const ran = await runCommand(['secrets', 'diff', ...fileArgs('update-refused', files), '--now', NOW, '-o', 'json'])

  const {items} = JSON.parse(ran.stdout) as Document
  expect(items.flatMap(({secrets}) => secrets).filter(({serial_number}) => serial_number === '46a2')).toEqual([])
  expect(items.flatMap(({failures}) => failures)).toMatchObject([
    {code: 'bad-payload', hint: 'Give one dump of a proxy; to compare two moments, run twice'},
  ])
})

test('where no side holds the secret that was asked for, nothing is compared, and nothing passes', async () => {
  const args = [...fileArgs('proxy-stale', ['agent.json', 'config_dump.json']), '--secret', 'defualt']

  const {stdout, exitCode} = await runCommand(['secrets', 'diff', ...args])

  expect(stdout).toMatch(/SKIPPED: No side of \S+ holds a secret defualt/)
  expect(exitCode).toBe(4)
})

test.each([
  ['published roots alone', 'roots.json', 4, 'No file speaks for a pod: '],
  ["istiod's dump as the proxy", `proxy=${CASES}/istiod-config-dump/config_dump.json`, 2, "it is istiod's config_dump"],
  ['a packed file', 'packed.json', 4, 'it is packed with gzip: unpack it first'],
  ['an empty file', `${CASES}/cut-off/empty.json`, 4, 'it is empty'],
  ['a file that is not there', 'nowhere.json', 4, 'there is no such file'],
  ['a folder', CASES, 4, 'it is a directory'],
  ['links in a circle', 'loop', 4, 'its symbolic links lead in a circle'],
  ['a bare list', 'list.json', 4, 'it is a JSON list'],
  ['endless nesting', 'deep.json', 4, 'nested deeper than'],
  ['certificates without a side', `${CASES}/white-space-in-pem/wide.pem`, 2, 'Cannot tell whose certificates'],
  ['a dump as the agent', `agent=${CASES}/proxy-stale/config_dump.json`, 2, "it is Envoy's config_dump"],
])('%s: one error with a next step', async (_name, file, exitCode, message) => {
  const folder = mkdtempSync(join(tmpdir(), 'agentctl-files-'))
  writeFileSync(join(folder, 'roots.json'), JSON.stringify({kind: 'ConfigMap', metadata: {name: 'istio-ca-root-cert'}}))
  writeFileSync(join(folder, 'packed.json'), gzipSync('{"configs": []}'))
  writeFileSync(join(folder, 'list.json'), '[]')
  writeFileSync(join(folder, 'deep.json'), `{"configs":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)
  symlinkSync('loop', join(folder, 'loop'))

  const ran = await runCommand(['secrets', 'diff', '-f', file.includes('/') ? file : join(folder, file)])

  rmSync(folder, {recursive: true})
  expect(ran).toMatchObject({stdout: '', exitCode})
  expect(ran.stderr).toContain(message)
  expect(ran.stderr).toMatch(/^Error: .+\nHint: .+\n$/)
})

test('the secrets of a dump of some MB are found at its end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentctl-large-'))
  const file = join(folder, 'config_dump.json')
  const dump = JSON.parse(readFileSync(join(CASES, 'proxy-stale/config_dump.json'), 'utf8')) as {configs: unknown[]}
  const cluster = {name: 'outbound|80||stock.shop.svc.cluster.local', filler: 'x'.repeat(1000)}
  const clusters = Array.from({length: 4000}, () => ({cluster}))
  const section = {'@type': 'type.googleapis.com/envoy.admin.v3.ClustersConfigDump', dynamic_active_clusters: clusters}
  writeFileSync(file, JSON.stringify({configs: [section, ...dump.configs]}))

  const {stdout} = await runCommand(['secrets', 'diff', '-f', file, '--now', NOW, '-o', 'json'])

  rmSync(folder, {recursive: true})
  const {items} = JSON.parse(stdout) as Document
  expect(items.flatMap(({secrets}) => secrets.map((row) => row.serial_number))).toEqual(['46a1', '51a7c0de9b3344f0a1'])
})

const FORMATS = [
  'table',
  'wide',
  'json',
  'yaml',
  'ndjson',
  'name',
  'jsonpath={.items}',
  'custom-columns=A:.cert,B:.resource_name',
]

test.each(FORMATS)('a private key where a certificate belongs is a finding, and in no output: %s', async (format) => {
  const {privateKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  const pem = privateKey.export({type: 'sec1', format: 'pem'}).toString()
  const der = privateKey.export({type: 'sec1', format: 'der'})
  const scalar = der.subarray(7, 39)
  const secret = (name: string, certificate_chain: object) => ({
    name,
    secret: {name, tls_certificate: {certificate_chain}},
  })
  const stdin = JSON.stringify({
    configs: [
      {
        '@type': 'type.googleapis.com/envoy.admin.v3.SecretsConfigDump',
        dynamic_active_secrets: [
          secret('text', {inline_string: pem}),
          secret('base64', {inline_bytes: Buffer.from(pem).toString('base64')}),
          secret('der', {inline_bytes: der.toString('base64')}),
          secret(pem, {inline_string: ''}),
        ],
      },
    ],
  })

  const ran = await runCommand(['secrets', 'diff', '-f', '-', '-o', format, '-v'], {stdin})

  const said = `${ran.stdout}${ran.stderr}`.replaceAll(/\\n|\s/g, '')
  expect(ran.exitCode).toBe(1)
  expect(said).not.toContain(scalar.toString('hex'))
  for (const start of [7, 8, 9]) expect(said).not.toContain(der.subarray(start, start + 12).toString('base64'))
  expect(said).not.toContain(Buffer.from(pem.slice(60, 90)).toString('base64').slice(0, 30))
})

/** What is asked of the real gateway's answers: of the pod by its name, as of a moment when its certificates hold. */
const OF_GATEWAY = ['gw.istio-system', '--now', '2026-11-30T19:00:00Z', '-o', 'json']

test.each(['config_dump_types_sds.json', 'config_dump.json'])(
  'a gateway is compared with what istiod would send it, as %s says it',
  async (file) => {
    const real = resolve(CASES, '../decode')
    const proxy = `${real}/real-istio-gateway-active/config_dump_mask_dynamic_active_secrets_dynamic_warming_secrets`
    const files = ['-f', proxy, '-f', `${real}/real-istiod-gateway/${file}`]

    const ran = await runCommand(['secrets', 'diff', ...files, ...OF_GATEWAY])

    const {items} = JSON.parse(ran.stdout) as Document
    expect(items.flatMap(({secrets}) => secrets)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          resource_name: 'kubernetes://shop-cert',
          result: 'MATCH',
          compared_by: 'fingerprint',
          agent_source: 'istiod-config-dump',
          serial_number: '349311badc8ef3a66fd2de06f97bd8723be630ea',
        }),
        expect.objectContaining({resource_name: 'kubernetes://missing-cert', result: 'PROXY_WARMING'}),
        expect.objectContaining({resource_name: 'default', result: 'NOT_COMPARABLE', reason: 'no source'}),
      ]),
    )
    expect(ran.exitCode).toBe(1)
  },
)

test('two dumps of istiod for one proxy are one too many, and the first counts', async () => {
  const real = resolve(CASES, '../decode/real-istiod-gateway')
  const files = ['config_dump_types_sds.json', 'config_dump.json'].flatMap((file) => ['-f', `${real}/${file}`])

  const {stdout, exitCode} = await runCommand(['secrets', 'list', ...files, ...OF_GATEWAY])

  const {items} = JSON.parse(stdout) as Document
  expect(items.flatMap(({secrets}) => secrets.map(({resource_name: name}) => name))).toEqual(['kubernetes://shop-cert'])
  expect(items.flatMap(({failures}) => failures.map(({code}) => code))).toEqual(['bad-payload'])
  expect(exitCode).toBe(3)
})
