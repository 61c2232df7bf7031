import {expect, test} from '@jest/globals'
import type {Pod} from '../../../src/lib/domain/pod.ts'
import {builtinProfiles} from '../../../src/lib/profiles/builtin.generated.ts'
import {recognise} from '../../../src/lib/profiles/recognise.ts'
import {container, meshPod} from '../../support/mesh-pods.ts'

function optionsOf(pod: Pod): readonly string[] {
  const {agent} = recognise(pod, builtinProfiles, {}, {nowMs: 0, settleMs: 0})
  return agent!.invalidOptions!.map(
    ({where, problem, isTaken}) => `${where} ${problem}${isTaken === true ? ' (taken)' : ''}`,
  )
}

function withEnv(env: Readonly<Record<string, string>>): Pod {
  return meshPod({env})
}

function annotated(annotations: Readonly<Record<string, string>>): Pod {
  return meshPod({}, {annotations})
}

test.each<[string, Pod]>([
  ['nothing', meshPod()],
  ['a duration', withEnv({SECRET_TTL: '1h30m0.5s'})],
  ['shares', withEnv({SECRET_GRACE_PERIOD_RATIO: '0.45', SECRET_GRACE_PERIOD_RATIO_JITTER: '1e-2'})],
  ['edges of a share', withEnv({SECRET_GRACE_PERIOD_RATIO: '0', SECRET_GRACE_PERIOD_RATIO_JITTER: '1'})],
  ['a configuration in JSON', withEnv({PROXY_CONFIG: '{"concurrency":2}\n'})],
  ['a configuration in YAML', withEnv({PROXY_CONFIG: 'proxyAdminPort: 15001'})],
  ['a directory', withEnv({OUTPUT_CERTS: '/etc/certs'})],
  ['a variable of Kubernetes', withEnv({OUTPUT_CERTS: '$(DIR)/certs', SECRET_TTL: '$(TTL)'})],
  ['a port, and 0', annotated({'status.sidecar.istio.io/port': '0', 'proxy.istio.io/config': 'proxyAdminPort: 65535'})],
])('takes %s', (_what, pod) => {
  expect(optionsOf(pod)).toEqual([])
})

test.each<[string, Pod, readonly string[]]>([
  [
    'durations that are none',
    withEnv({SECRET_TTL: '1d'}),
    ['Variable SECRET_TTL says 1d, which is no duration such as 24h'],
  ],
  [
    'a life of no length',
    withEnv({SECRET_TTL: '0s'}),
    ['Variable SECRET_TTL says 0s, which is no duration such as 24h'],
  ],
  [
    'shares beyond the whole, and below nothing',
    withEnv({SECRET_GRACE_PERIOD_RATIO: '1.5', SECRET_GRACE_PERIOD_RATIO_JITTER: '-0.1'}),
    [
      'Variable SECRET_GRACE_PERIOD_RATIO says 1.5, which is no share of a lifetime, from 0 to 1',
      'Variable SECRET_GRACE_PERIOD_RATIO_JITTER says -0.1, which is no share of a lifetime, from 0 to 1',
    ],
  ],
  [
    'a configuration that is none, without its text',
    withEnv({PROXY_CONFIG: '{"token": "s3cret"'}),
    ['Variable PROXY_CONFIG is neither JSON nor YAML with keys and values'],
  ],
  [
    'ports that are none',
    annotated({'status.sidecar.istio.io/port': '70000', 'proxy.istio.io/config': 'proxyAdminPort: [1]'}),
    [
      'Annotation proxy.istio.io/config: proxyAdminPort is neither text nor number',
      'Annotation status.sidecar.istio.io/port says 70000, which is no port',
    ],
  ],
  [
    'a relative directory, which is taken',
    withEnv({OUTPUT_CERTS: './certs'}),
    ['Variable OUTPUT_CERTS says ./certs, which depends on where the agent is started (taken)'],
  ],
  [
    'a port that another container has',
    meshPod({}, {containers: [container('app', {ports: [{port: 15_020, protocol: 'TCP'}]}), container('istio-proxy')]}),
    ['Port 15020 of container istio-proxy is declared by container app too'],
  ],
])('does not take %s', (_what, pod, expected) => {
  expect(optionsOf(pod)).toEqual(expected)
})

test('a value as long as an annotation may be is looked at in no time', () => {
  const long = '1'.repeat(250_000)

  expect(optionsOf(withEnv({SECRET_TTL: long, SECRET_GRACE_PERIOD_RATIO: `${long}x`}))).toHaveLength(2)
})
