import {expect, test} from '@jest/globals'
import {createCertificateReader} from '../../../src/lib/decode/x509/certificate-reader.ts'
import {lookAtCheck} from '../../../src/lib/flow/look-at-check.ts'
import type {ReadPod} from '../../../src/lib/flow/reading.ts'
import {DEFAULT_THRESHOLDS} from '../../../src/lib/judge/thresholds.ts'
import {pod} from '../../support/pods.ts'
import {AGENT, chain, leaf, NOW, proxyHolds} from '../compare/builders.ts'

test.each([[false], [true]])('the first reading of a look that is again (%s) takes nothing older', async (isAgain) => {
  const again: boolean[] = []
  const read: ReadPod = (_pod, _agent, _signal, isLater) => {
    again.push(isLater)
    return Promise.resolve({
      observations: [proxyHolds([chain('default', [leaf('a')])])],
      failures: [],
      asked: {sources: [{source: 'envoy-config-dump', side: 'proxy'}]},
    })
  }

  await lookAtCheck({pod: pod('cart-1'), agent: AGENT, leaving: false}, new AbortController().signal, {
    read,
    isAgain,
    refresh: async (one) => await Promise.resolve(one),
    nowMs: () => NOW,
    reading: 'live',
    certificates: createCertificateReader({maxEntries: 10}),
    settleMs: 0,
    policy: {levels: new Map(), thresholds: DEFAULT_THRESHOLDS, accept: () => undefined},
    pause: () => Promise.resolve(),
  })

  expect(again[0]).toBe(isAgain)
})
