import {RunError} from '../domain/failure.ts'
import type {Fault} from './fault.ts'

type FaultType = Fault['type']

/** Each kind of fault, and the number that goes with it, where one does. */
const FAULTS: Readonly<Record<FaultType, 'afterBytes' | 'delayMs' | 'status' | 'skewMs' | 'bytes' | undefined>> = {
  refuse: undefined,
  'no-socat': undefined,
  'node-unreachable': undefined,
  'hang-dial': undefined,
  'pod-gone': undefined,
  hang: undefined,
  'cut-off': 'afterBytes',
  crash: 'afterBytes',
  slow: 'delayMs',
  garbage: undefined,
  empty: undefined,
  html: undefined,
  status: 'status',
  'clock-skew': 'skewMs',
  'big-dump': 'bytes',
  noise: undefined,
}

/** Reads `shop/cart-1=cut-off:1000`. Throws RunError (usage) that lists the kinds. */
export function parseFault(text: string): {readonly pod: string; readonly fault: Fault} {
  const [, pod, type, number] = /^([^=/]+\/[^=/]+)=([a-z-]+)(?::(-?\d+))?$/.exec(text) ?? []
  if (pod === undefined || !isFaultType(type)) throw usage(text)
  const field = FAULTS[type]
  if ((field === undefined) !== (number === undefined)) throw usage(text)
  const fault = field === undefined ? {type} : {type, [field]: Number(number)}
  return {pod, fault: fault as Fault}
}

function isFaultType(text: string | undefined): text is FaultType {
  return text !== undefined && Object.hasOwn(FAULTS, text)
}

function usage(text: string): RunError {
  const kinds = Object.entries(FAULTS).map(([type, field]) => (field === undefined ? type : `${type}:N`))
  return new RunError(
    2,
    'bad-flag',
    `Bad value for --fault: expected NAMESPACE/POD=KIND, got ${JSON.stringify(text)}`,
    [`Kinds: ${kinds.join(', ')}`],
  )
}
