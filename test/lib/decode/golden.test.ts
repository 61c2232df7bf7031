import {readdirSync} from 'node:fs'
import {expect, test} from '@jest/globals'
import {z} from 'zod'
import {decode} from '../../../src/lib/decode/decode.ts'
import {createCertificateReader} from '../../../src/lib/decode/x509/certificate-reader.ts'
import {answerOf, fixturePart, FIXTURES, readFixture} from './answers.ts'
import {factsOf} from './facts.ts'

/** Inputs of a fixture folder, and what each must decode to (`expected.json`). */
const goldens = z.array(
  z.object({
    source: z.enum([
      'envoy-config-dump',
      'envoy-certs',
      'agent-metrics',
      'agent-files',
      'node-agent-debug',
      'istiod-metrics',
      'istiod-syncz',
      'cni-metrics',
      'daemon-set',
      'ztunnel-config-dump',
      'cert-manager',
      'kubernetes-secret',
      'agent-ready',
      'proxy-ready',
      'cluster-rbac',
    ]),
    side: z.enum(['agent', 'proxy']),
    file: z.string(),
    status: z.number().default(200),
    path: z.string().optional().describe('what was asked, where it says of which object the answer is'),
    facts: z.array(z.string()),
  }),
)

const cases = readdirSync(FIXTURES).flatMap((folder) =>
  goldens
    .parse(JSON.parse(readFixture(`${folder}/expected.json`).toString()))
    .map((golden) => ({...golden, file: `${folder}/${golden.file}`})),
)
const certificates = createCertificateReader({maxEntries: 1000})

test.each(cases)(
  '$file says as $source what its golden answer says',
  async ({source, side, file, status, path, facts}) => {
    const part = fixturePart(file, {...(status !== 200 && {status}), ...(path !== undefined && {path})})

    const observations = await decode(answerOf(source, [part], {side}), {certificates, wantsCounters: true})

    expect(factsOf(observations)).toEqual(facts)
  },
)
