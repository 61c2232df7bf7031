// Reads Secrets of Kubernetes, given as namespace/name, and the gateway that they are of (given first), in a process of
// its own.
import type {Question} from '../../src/lib/domain/question.ts'
import {keepAll} from './keep-all.ts'

await keepAll(async (keeper, [gateway = '', ...secrets]) => {
  const [namespace = '', pod = ''] = gateway.split('/')
  for (const secret of secrets) {
    const [of = '', name = ''] = secret.split('/')
    const question: Question = {
      source: 'kubernetes-secret',
      side: 'agent',
      container: 'istio-proxy',
      forms: [{type: 'api', path: `/api/v1/namespaces/${of}/secrets/${name}`}],
      routes: ['api'],
      maxBytes: 4 * 1024 * 1024,
    }
    await keeper.ask({namespace, name: pod}, question)
  }
  // istiod would speak in the Secrets' place.
  const alone = ['--kubernetes-secrets', '--source', 'kubernetes-secret', '-vv']
  for (const command of [['diff', '--settle', '0'], ['list'], ['show']]) {
    for (const output of ['json', 'wide', 'yaml']) {
      const [id = '', ...more] = command
      await keeper.run(['secrets', id, pod, '-n', namespace, ...alone, '-o', output, ...more])
    }
  }
})
