import {expect, test} from '@jest/globals'
import {parseNodeId} from '../../../src/lib/domain/node-identity.ts'

test.each([
  [
    'sidecar~10.0.0.7~cart-1.shop~shop.svc.cluster.local',
    {type: 'sidecar', ip: '10.0.0.7', pod: 'cart-1', namespace: 'shop'},
  ],
  [
    'router~fd00::7~kube.proxy.node-1.example.edge~edge.svc.x',
    {type: 'router', ip: 'fd00::7', pod: 'kube.proxy.node-1.example', namespace: 'edge'},
  ],
])('%s names its pod', (id, identity) => {
  expect(parseNodeId(id)).toEqual({id, ...identity})
})

test.each(['', 'test-id', 'a~b~c~d', 'sidecar~1.2.3.4~.shop~x', 'sidecar~1.2.3.4~cart.~x', '~1~a.b~c', 'a~b~c.d~e~f'])(
  '%j names no pod',
  (id) => {
    expect(parseNodeId(id)).toBeUndefined()
  },
)
