import {RunError} from '../domain/failure.ts'
import type {Fault} from './fault.ts'

type FaultType = Fault['type']
type NumberedType = 'cut-off' | 'crash' | 'slow' | 'status' | 'clock-skew' | 'big-dump'

/** Kinds of faults that are said by their name alone. */
const plainFaults: Readonly<Record<Exclude<FaultType, NumberedType>, Fault>> = {
  refuse: {type: 'refuse'},
  'no-socat': {type: 'no-socat'},
  'node-unreachable': {type: 'node-unreachable'},
  'hang-dial': {type: 'hang-dial'},
  'pod-gone': {type: 'pod-gone'},
  hang: {type: 'hang'},
  garbage: {type: 'garbage'},
  empty: {type: 'empty'},
  html: {type: 'html'},
  noise: {type: 'noise'},
}

/** Kinds that a number goes with: bytes, milliseconds, a status. */
const numberedFaults: Readonly<Record<NumberedType, (number: number) => Fault>> = {
  'cut-off': (afterBytes) => ({type: 'cut-off', afterBytes}),
  crash: (afterBytes) => ({type: 'crash', afterBytes}),
  slow: (delayMs) => ({type: 'slow', delayMs}),
  status: (status) => ({type: 'status', status}),
  'clock-skew': (skewMs) => ({type: 'clock-skew', skewMs}),
  'big-dump': (bytes) => ({type: 'big-dump', bytes}),
}

/** Reads `shop/cart-1=cut-off:1000`. Throws RunError (usage) that lists the kinds. */
export function parseFault(text: string): {readonly pod: string; readonly fault: Fault} {
  const [, pod, type, number] = /^([^=/]+\/[^=/]+)=([a-z-]+)(?::(-?\d+))?$/.exec(text) ?? []
  const fault = number === undefined ? own(plainFaults, type) : own(numberedFaults, type)?.(Number(number))
  if (pod === undefined || fault === undefined) throw usage(text)
  return {pod, fault}
}

function own<Value>(values: Readonly<Record<string, Value>>, key: string | undefined): Value | undefined {
  return key !== undefined && Object.hasOwn(values, key) ? values[key] : undefined
}

function usage(text: string): RunError {
  const kinds = [...Object.keys(plainFaults), ...Object.keys(numberedFaults).map((type) => `${type}:N`)]
  return new RunError(
    2,
    'bad-flag',
    `Bad value for --fault: expected NAMESPACE/POD=KIND, got ${JSON.stringify(text)}`,
    [`Kinds: ${kinds.join(', ')}`],
  )
}
