// Reads the SDS sockets of pods, given as namespace/name, in a process of its own.
import type {Question} from '../../src/lib/domain/question.ts'
import {keepAll} from './keep-all.ts'

const question: Question = {
  source: 'agent-sds',
  side: 'agent',
  container: 'istio-proxy',
  forms: [
    {
      type: 'sds',
      socketPaths: ['/var/run/secrets/workload-spiffe-uds/socket'],
      resourceNames: ['default', 'ROOTCA'],
    },
  ],
  routes: ['exec'],
  maxBytes: 1024 * 1024,
}

await keepAll(async (keeper, pods) => {
  for (const target of pods) {
    const [namespace = '', name = ''] = target.split('/')
    await keeper.ask({namespace, name}, question)
    for (const output of ['json', 'wide', 'yaml']) {
      await keeper.run(['secrets', 'diff', name, '-n', namespace, '--sds', '-o', output, '-vv', '--settle', '0'])
    }
  }
})
